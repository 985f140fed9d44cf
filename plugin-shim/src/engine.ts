// The context engine: one object per logical turn, all state at module scope.
//
// No method throws or waits past its deadline (see ContextEngine in host.ts).
// When the sidecar does not answer, the reply goes on with the last known view.

import {
  type Assembled,
  askView,
  begin,
  feed,
  lastKnownView,
  type Task,
  TooMuchAtOnce,
} from "./assembly.js";
import type { SidecarClient } from "./client.js";
import { compact } from "./compaction.js";
import {
  ASSEMBLE_MS,
  COMMIT_MS,
  MAINTAIN_MS,
  PLUGIN_ID,
  RETRIEVE_TOOL,
  STALLED_MS,
  VERSION,
} from "./constants.js";
import { memoryAddition, systemPromptAddition } from "./guidance.js";
import type {
  AssembleParams,
  AssembleResult,
  CommitTurnParams,
  CompactParams,
  ContextEngine,
  HostMessage,
  Logger,
  MaintainParams,
  SessionParams,
} from "./host.js";
import type { SidecarLink } from "./link.js";
import { isPrivate, type Sessions } from "./sessions.js";
import { estimateMessages } from "./tokens.js";

export interface EngineParts {
  link: SidecarLink;
  sessions: Sessions;
  logger: Logger;
  /** False hands every message through untouched. */
  isOn: boolean;
}

const NO_CHANGE = { changed: false, bytesFreed: 0, rewrittenEntries: 0 };
/** A chunk of a long history, behind the reply. */
const FEED_CHUNK_MS = 10_000;

export function createEngine(parts: EngineParts): ContextEngine {
  return {
    info: {
      id: PLUGIN_ID,
      name: "flowctx",
      version: VERSION,
      ownsCompaction: false,
      turnMaintenanceMode: "background",
      acceptedHostParams: [
        "sessionKey",
        "prompt",
        "runtimeSettings",
        "sessionTarget",
        "runtimeContext",
        "abortSignal",
      ],
      transcriptSemantics: {
        currentTurnFence: "before-current-turn-entry-v1",
        turnAdvancementIdempotency: "atomic-idempotent-v1",
      },
    },
    // Runs on every turn and on the reply's time: nothing to do that assemble does not.
    bootstrap: async () => ({ bootstrapped: true }),
    ingest: async (params) => ({ ingested: observe(parts, params, params.message) }),
    assemble: (params) => assemble(parts, params),
    commitTurn: (params) => commitTurn(parts, params),
    maintain: async (params) => maintain(parts, params),
    compact: (params: CompactParams) => compact(parts, params),
    prepareSubagentSpawn: async ({ childSessionKey, parentSessionKey }) => {
      parts.sessions.adopt(childSessionKey, parentSessionKey);
      tell(parts, { sessionKey: childSessionKey }, "subagent-spawned");
      return { rollback: () => {} };
    },
    onSubagentEnded: async ({ childSessionKey }) => {
      tell(parts, { sessionKey: childSessionKey }, "subagent-ended");
    },
    dispose: async () => {},
  };
}

/** Send a message ahead as the host writes it; false when nobody will see it. */
export function observe(
  { link, sessions, isOn }: EngineParts,
  session: Partial<SessionParams>,
  message: HostMessage,
): boolean {
  if (!isOn || isPrivate(session.sessionKey)) return false;
  const body = encode(message);
  if (body) link.send({ $case: "observe", value: { session: sessions.ref(session), body } });
  return body !== undefined;
}

/** A message as JSON; undefined for what JSON cannot hold. */
function encode(message: HostMessage): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(message));
  } catch {
    return undefined;
  }
}

/** Tell the sidecar of an event of a session. */
export function tell(
  { link, sessions, isOn }: EngineParts,
  session: Partial<SessionParams>,
  kind: string,
): void {
  if (!isOn || isPrivate(session.sessionKey)) return;
  link.send({ $case: "event", value: { session: sessions.ref(session), kind } });
}

async function assemble(parts: EngineParts, params: AssembleParams): Promise<AssembleResult> {
  try {
    return await makeView(parts, params);
  } catch (error) {
    // A message that is none must cost the view, not the reply.
    parts.logger.warn(`[flowctx] messages handed through: ${(error as Error).message}`);
    return { messages: params.messages, estimatedTokens: 0 };
  }
}

async function makeView(parts: EngineParts, params: AssembleParams): Promise<AssembleResult> {
  if (!parts.isOn || isPrivate(params.sessionKey)) return passThrough(params);
  const started = Date.now();
  const key = params.sessionKey ?? params.sessionId;
  const tools = params.availableTools?.has(RETRIEVE_TOOL) ? [RETRIEVE_TOOL] : [];
  const task = begin(parts.sessions.ref(params), params, parts.sessions.open(key), tools);
  let view: Assembled;
  let reason = "";
  try {
    view = await ask(parts, task, started + ASSEMBLE_MS);
  } catch (error) {
    reason = (error as Error).message;
    view = lastKnownView(task);
  }
  report(parts, task, reason, Date.now() - started);
  return { ...view, systemPromptAddition: systemPromptAddition(params) };
}

async function ask(parts: EngineParts, task: Task, deadline: number): Promise<Assembled> {
  const client = await parts.link.ready(deadline - Date.now());
  if (!client) throw new Error(parts.link.trouble);
  try {
    const limit = client.isStalled ? Date.now() + STALLED_MS : deadline;
    return await askView(task, client, limit);
  } catch (error) {
    noteTimeout(client, error);
    if (error instanceof TooMuchAtOnce) feedBehind(parts, task, client);
    throw error;
  }
}

function feedBehind(parts: EngineParts, task: Task, client: SidecarClient): void {
  feed(task, client, FEED_CHUNK_MS).catch((error: Error) =>
    parts.logger.warn(`[flowctx] a long history was not handed over: ${error.message}`),
  );
}

async function commitTurn(
  { link, sessions, isOn }: EngineParts,
  params: CommitTurnParams,
): Promise<{ status: "committed" | "duplicate" }> {
  const committed = { status: "committed" } as const;
  if (!isOn || isPrivate(params.sessionKey)) return committed;
  noteWindow(sessions, params, params.runtimeContext?.modelContextWindow);
  const client = await link.ready(0);
  if (!client || client.isStalled) return committed;
  try {
    const request = {
      session: sessions.ref(params),
      advancementKey: params.advancementKey,
      bodies: params.messages.map((message) => Buffer.from(JSON.stringify(message))),
      isHeartbeat: params.isHeartbeat ?? false,
    };
    const { duplicate } = await client.call(client.rpc.commitTurn, request, COMMIT_MS);
    return duplicate ? { status: "duplicate" } : committed;
  } catch (error) {
    // A turn that was not taken in shows up in the messages of the next one.
    noteTimeout(client, error);
    return committed;
  }
}

function maintain(parts: EngineParts, params: MaintainParams): typeof NO_CHANGE {
  const { link, sessions, isOn } = parts;
  if (isOn && !isPrivate(params.sessionKey)) {
    const context = params.runtimeContext;
    const kind = kindOf(context);
    // Before a turn the budget is the whole window, after it the two are told apart.
    const window = kind === "bootstrap" ? context?.tokenBudget : context?.modelContextWindow;
    const contextWindow = noteWindow(sessions, params, window);
    const request = { session: sessions.ref(params), kind, contextWindow };
    // Only wakes the sidecar: the host blocks the user's next message until this returns.
    void link
      .ready(0)
      .then((client) => client?.call(client.rpc.maintain, request, MAINTAIN_MS))
      .catch(() => {});
  }
  return NO_CHANGE;
}

/**
 * Remember the window of the model, which assemble is not told: what does not fit
 * is decided by the budget, but what pays to fold by the window.
 */
function noteWindow(sessions: Sessions, params: SessionParams, told: number | undefined): number {
  const session = sessions.open(params.sessionKey ?? params.sessionId);
  session.contextWindow = told ?? session.contextWindow;
  return session.contextWindow;
}

function kindOf(context: MaintainParams["runtimeContext"]): string {
  if (context?.allowDeferredCompactionExecution === true) return "turn";
  return context?.trigger === undefined ? "bootstrap" : "compaction";
}

function passThrough(params: AssembleParams): AssembleResult {
  const memory = memoryAddition(params);
  const estimatedTokens = estimateMessages(params.messages);
  const view = { messages: params.messages, estimatedTokens };
  return memory ? { ...view, systemPromptAddition: memory } : view;
}

function report(parts: EngineParts, task: Task, reason: string, waitedMs: number): void {
  if (reason) parts.logger.warn(`[flowctx] view not used, last known one sent: ${reason}`);
  parts.link.send({
    $case: "outcome",
    value: { session: task.ref, used: !reason, reason, waitedMs, timeMs: Date.now() },
  });
}

function noteTimeout(client: SidecarClient, error: unknown): void {
  const DEADLINE_EXCEEDED = 4;
  if ((error as { code?: number }).code === DEADLINE_EXCEEDED) client.noteTimeout();
}
