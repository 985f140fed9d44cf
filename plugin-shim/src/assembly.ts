// One assemble call: hand over what is new, get the view's delta, apply it.

import type { SidecarClient } from "./client.js";
import { CHUNK_BYTES, INLINE_MAX_BYTES, INLINE_MAX_MESSAGES } from "./constants.js";
import { fitBudget } from "./fallback.js";
import { fingerprints, type Overlap, overlap } from "./fingerprint.js";
import type { AssembleParams, HostMessage } from "./host.js";
import { type HeldView, NOTHING_HELD, type Session } from "./sessions.js";
import { estimateMessages } from "./tokens.js";
import type { AssembleRequest, Op, SessionRef, View } from "./v1/flowctx.js";
import { applyOps, keep } from "./view.js";

export interface Assembled {
  messages: HostMessage[];
  estimatedTokens: number;
}

/** Thrown when the history is too long for the reply's time; it is handed over behind it. */
export class TooMuchAtOnce extends Error {}

export interface Task {
  readonly ref: SessionRef;
  readonly params: AssembleParams;
  /** The host's messages, without what it put in front of them for this run alone. */
  readonly messages: HostMessage[];
  readonly session: Session;
  readonly tools: string[];
  readonly prints: Float64Array;
}

export function begin(
  ref: SessionRef,
  params: AssembleParams,
  session: Session,
  tools: string[],
): Task {
  const messages = withoutStandIn(params.messages);
  return { ref, params, messages, session, tools, prints: fingerprints(messages) };
}

/** Ask the sidecar for the view; rejects on any failure and past the deadline. */
export async function askView(
  task: Task,
  client: SidecarClient,
  deadline: number,
): Promise<Assembled> {
  const { held } = task.session;
  const shared = overlap(held.prints.subarray(0, held.count), task.prints, held.lead);
  const view =
    (await ask(task, client, held, shared, deadline)) ??
    (await ask(task, client, NOTHING_HELD, NOTHING_SHARED, deadline));
  if (!view) throw new Error("the sidecar asked for all messages twice");
  const ops = [...held.ops.slice(0, view.keptOps), ...view.ops];
  task.session.held = holdView(task, view, ops);
  return { messages: applyOps(task.messages, ops, view), estimatedTokens: view.estimatedTokens };
}

/** The view without a sidecar: the last known one, extended by what is new, cut to fit. */
export function lastKnownView(task: Task): Assembled {
  const view = fitBudget(extendedView(task), task.params.tokenBudget);
  return { messages: view, estimatedTokens: estimateMessages(view) };
}

function extendedView({ session: { held }, messages, prints }: Task): HostMessage[] {
  const { lead, skip, count } = overlap(held.prints.subarray(0, held.count), prints, held.lead);
  if (count !== held.count || held.viewToken.length === 0) return messages;
  const gone = held.gone + skip;
  const ops = [...held.ops, keep(held.count + held.gone, messages.length + gone)];
  return applyOps(messages, ops, { lead: Math.max(lead, held.lead), gone });
}

/** Hand a long history over in chunks, behind the reply. */
export async function feed(task: Task, client: SidecarClient, withinMs: number): Promise<void> {
  if (task.session.isFeeding) return;
  task.session.isFeeding = true;
  try {
    let known = NOTHING_HELD;
    for (const chunk of chunks(task.messages)) {
      const view = await send(client, request(task, known, chunk, true), withinMs);
      if (!view?.base) throw new Error("the sidecar lost track of a long history");
      const { count, token } = view.base;
      known = { ...NOTHING_HELD, prints: task.prints, count, token, lead: view.lead };
      task.session.held = known;
    }
  } finally {
    task.session.isFeeding = false;
  }
}

async function ask(
  task: Task,
  client: SidecarClient,
  held: HeldView,
  shared: Overlap,
  deadline: number,
): Promise<View | undefined> {
  const bodies = encode(task.messages.slice(shared.count - shared.skip));
  const asked = { ...request(task, held, bodies, false), base: { ...shared, token: held.token } };
  return send(client, asked, deadline - Date.now());
}

const NOTHING_SHARED: Overlap = { lead: 0, skip: 0, count: 0 };

async function send(
  client: SidecarClient,
  asked: AssembleRequest,
  withinMs: number,
): Promise<View | undefined> {
  const { answer } = await client.call(client.rpc.assemble, asked, withinMs);
  return answer?.$case === "view" ? answer.value : undefined;
}

function request(
  task: Task,
  known: HeldView,
  bodies: Buffer[],
  extendOnly: boolean,
): AssembleRequest {
  const { tokenBudget, model, prompt } = task.params;
  return {
    session: task.ref,
    tokenBudget: tokenBudget ?? 0,
    model: model ?? "",
    prompt: prompt?.toWellFormed() ?? "",
    base: { count: known.count, token: known.token, lead: 0, skip: 0 },
    bodies,
    viewToken: known.viewToken,
    tools: task.tools,
    extendOnly,
    contextWindow: task.session.contextWindow,
  };
}

function encode(messages: HostMessage[]): Buffer[] {
  const tooMuch = (): TooMuchAtOnce =>
    new TooMuchAtOnce(`${messages.length} messages are being taken in first`);
  if (messages.length > INLINE_MAX_MESSAGES) throw tooMuch();
  const bodies: Buffer[] = [];
  let bytes = 0;
  for (const message of messages) {
    const body = Buffer.from(JSON.stringify(message));
    bytes += body.length;
    if (bytes > INLINE_MAX_BYTES) throw tooMuch();
    bodies.push(body);
  }
  return bodies;
}

function* chunks(messages: HostMessage[]): Generator<Buffer[]> {
  let chunk: Buffer[] = [];
  let bytes = 0;
  for (const message of messages) {
    const body = Buffer.from(JSON.stringify(message));
    if (bytes + body.length > CHUNK_BYTES && chunk.length > 0) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(body);
    bytes += body.length;
  }
  if (chunk.length > 0) yield chunk;
}

function holdView(task: Task, view: View, ops: Op[]): HeldView {
  const { count, token } = view.base ?? { count: 0, token: Buffer.alloc(0) };
  const { lead, gone, token: viewToken } = view;
  return { prints: task.prints, count, token, lead, gone, viewToken, ops };
}

/**
 * Where its window begins with an answer, the host puts a message of its own in
 * front, with the time of the run: no part of the session, and new every time.
 */
function withoutStandIn(messages: HostMessage[]): HostMessage[] {
  return messages[0]?.content === "(session bootstrap)" ? messages.slice(1) : messages;
}
