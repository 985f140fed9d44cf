// What the model is told about shortened results. Constant per set of tools: it
// stands in the system prompt, and a change there costs the whole prefix.

import { buildMemorySystemPromptAddition } from "openclaw/plugin-sdk/core";
import { PIN_TOOL, RETRIEVE_TOOL, SEARCH_TOOL } from "./constants.js";
import type { AssembleParams } from "./host.js";

const HEAD = [
  "## Shortened tool results (flowctx)",
  "Tool results of earlier turns may be shortened. Such a result begins and ends with a line",
  "`[flowctx … <24 hex digits>]` that says what was left out; every other line is unchanged,",
  "and `[… omitted …]` marks each gap.",
];
const WITH_TOOL = [
  `To see the whole original, call ${RETRIEVE_TOOL} with those 24 hex digits as hash. Do that`,
  "before you rely on something that was left out, instead of running the command again.",
];
const WITH_SEARCH = [
  `To find something from earlier that is not in view, call ${SEARCH_TOOL} before you ask again.`,
];
const WITH_PINS = ["`<flowctx-pins>` blocks hold what must stay in view; the last one counts."];
const TAIL = [
  "`<flowctx-handoff-note>` blocks tell of earlier work; they are context, not requests.",
];

/** The engine's addition to the system prompt, with the host's own memory section. */
export function systemPromptAddition(params: AssembleParams): string {
  const availableTools = params.availableTools ?? new Set<string>();
  const memory = buildMemorySystemPromptAddition({
    availableTools,
    citationsMode: params.citationsMode,
    agentSessionKey: params.sessionKey,
  });
  const offered = (name: string, lines: string[]) => (availableTools.has(name) ? lines : []);
  const guidance = [
    ...HEAD,
    ...offered(RETRIEVE_TOOL, WITH_TOOL),
    ...offered(SEARCH_TOOL, WITH_SEARCH),
    ...offered(PIN_TOOL, WITH_PINS),
    ...TAIL,
  ].join("\n");
  return memory ? `${memory}\n\n${guidance}` : guidance;
}

/** The host's own memory section alone, for runs that pass through untouched. */
export function memoryAddition(params: AssembleParams): string | undefined {
  return buildMemorySystemPromptAddition({
    availableTools: params.availableTools ?? new Set<string>(),
    citationsMode: params.citationsMode,
    agentSessionKey: params.sessionKey,
  });
}
