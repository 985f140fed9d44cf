// Working memory: a text that the model keeps for itself.

import { SCRATCH_TOOLS, TOOL_MS } from "../constants.js";
import type { EngineParts } from "../engine.js";
import type { Json, Tool, ToolContext } from "../host.js";
import { askSidecar, paramsOf, say, word } from "./answer.js";

const TEXT: Json = { type: "string", description: "what to write" };
const OLD: Json = { type: "string", description: "what it takes the place of, word for word" };

const EDITS = {
  append: {
    description: "Add to your working memory, which stays in view as <working_memory>.",
    properties: { text: TEXT } as { [name: string]: Json },
    required: ["text"],
  },
  replace: {
    description: "Replace a part of your working memory.",
    properties: { old: OLD, text: TEXT },
    required: ["old", "text"],
  },
  rethink: {
    description: "Write your working memory anew.",
    properties: { text: TEXT },
    required: ["text"],
  },
};

export type Edit = keyof typeof EDITS;
export const EDITS_OF_SCRATCHPAD = Object.keys(EDITS) as Edit[];

export function scratchTool(parts: EngineParts, context: ToolContext, action: Edit): Tool {
  const session = parts.sessions.ref(context, context.agentId);
  const { description, properties, required } = EDITS[action];
  return {
    name: SCRATCH_TOOLS[action],
    label: `Working memory: ${action}`,
    description,
    catalogMode: "direct-only",
    parameters: { type: "object", properties, required, additionalProperties: false },
    execute: (_id, params) =>
      askSidecar(parts, "The working memory", async (client) => {
        const { text, old } = paramsOf(params);
        const asked = { session, action, text: word(text), oldText: word(old) };
        return say((await client.call(client.rpc.scratchpad, asked, TOOL_MS)).text);
      }),
  };
}
