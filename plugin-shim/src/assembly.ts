// One assemble call: hand over what is new, get the view's delta, apply it.

import type { SidecarClient } from "./client.js";
import { CHUNK_BYTES, INLINE_MAX_BYTES, INLINE_MAX_MESSAGES } from "./constants.js";
import { fitBudget } from "./fallback.js";
import { fingerprints, sharedPrefix } from "./fingerprint.js";
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
  return { ref, params, session, tools, prints: fingerprints(params.messages) };
}

/** Ask the sidecar for the view; rejects on any failure and past the deadline. */
export async function askView(
  task: Task,
  client: SidecarClient,
  deadline: number,
): Promise<Assembled> {
  const { held } = task.session;
  const shared = sharedPrefix(held.prints, task.prints, held.count);
  const view =
    (await ask(task, client, held, shared, deadline)) ??
    (await ask(task, client, NOTHING_HELD, 0, deadline));
  if (!view) throw new Error("the sidecar asked for all messages twice");
  const ops = [...held.ops.slice(0, view.keptOps), ...view.ops];
  task.session.held = holdView(task, view, ops);
  return { messages: applyOps(task.params.messages, ops), estimatedTokens: view.estimatedTokens };
}

/** The view without a sidecar: the last known one, extended by what is new, cut to fit. */
export function lastKnownView(task: Task): Assembled {
  const { held } = task.session;
  const { messages, tokenBudget } = task.params;
  const isExtended = sharedPrefix(held.prints, task.prints, held.count) === held.count;
  const known =
    isExtended && held.viewToken.length > 0
      ? applyOps(messages, [...held.ops, keep(held.count, messages.length)])
      : messages;
  const view = fitBudget(known, tokenBudget);
  return { messages: view, estimatedTokens: estimateMessages(view) };
}

/** Hand a long history over in chunks, behind the reply. */
export async function feed(task: Task, client: SidecarClient, withinMs: number): Promise<void> {
  if (task.session.isFeeding) return;
  task.session.isFeeding = true;
  try {
    let known = NOTHING_HELD;
    for (const chunk of chunks(task.params.messages)) {
      const view = await send(client, request(task, known, chunk, true), withinMs);
      if (!view?.base) throw new Error("the sidecar lost track of a long history");
      known = { ...NOTHING_HELD, prints: task.prints, ...view.base };
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
  shared: number,
  deadline: number,
): Promise<View | undefined> {
  const bodies = encode(task.params.messages.slice(shared));
  const known = shared > 0 ? { ...held, count: shared } : { ...held, ...EMPTY_BASE };
  return send(client, request(task, known, bodies, false), deadline - Date.now());
}

const EMPTY_BASE = { count: 0, token: Buffer.alloc(0) };

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
    base: known.count > 0 ? { count: known.count, token: known.token } : undefined,
    bodies,
    viewToken: known.viewToken,
    tools: task.tools,
    extendOnly,
    contextWindow: 0,
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
  const { count, token } = view.base ?? EMPTY_BASE;
  return { prints: task.prints, count, token, viewToken: view.token, ops };
}
