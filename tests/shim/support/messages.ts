// Host messages for tests: turns of a working session, and a seeded source of chance.

import type { HostMessage } from "../../../plugin-shim/src/host.js";

const START_MS = 1_796_000_000_000;

/** A result long enough to be reduced. */
export const BIG = Array.from(
  { length: 400 },
  (_, n) => `2026-11-30T10:00:${String(n % 60).padStart(2, "0")} worker ${n} done in ${n * 7} ms`,
).join("\n");

export function call(id: string, command: string): HostMessage {
  const block = { type: "toolCall", id, name: "exec", arguments: { command } };
  return { role: "assistant", content: [block] };
}

export function result(id: string, text: string): HostMessage {
  const content = [{ type: "text", text }];
  return { role: "toolResult", toolCallId: id, toolName: "exec", content, isError: false };
}

/** One user turn: an ask, a call, its result, an answer. */
export function turn(number: number, text = BIG): HostMessage[] {
  const at = START_MS + number * 60_000;
  return [
    { role: "user", content: `do ${number}`, timestamp: at },
    { ...call(`call_${number}`, `run ${number}`), timestamp: at + 1 },
    { ...result(`call_${number}`, `${text}\nend of ${number}`), timestamp: at + 2 },
    { role: "assistant", content: [{ type: "text", text: `done ${number}` }], timestamp: at + 3 },
  ];
}

export function turns(count: number, text = BIG): HostMessage[] {
  return Array.from({ length: count }, (_, number) => turn(number, text)).flat();
}

/** Whole numbers below a bound, the same ones for the same seed (mulberry32). */
export function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Results whose call does not stand in the assistant message before them and their siblings. */
export function orphans(messages: readonly HostMessage[]): number {
  let open = new Set<unknown>();
  let found = 0;
  for (const message of messages) {
    if (message.role === "toolResult") found += open.delete(message["toolCallId"]) ? 0 : 1;
    else if (message.role === "assistant") open = new Set(callIds(message));
    else if (message.role === "user") open = new Set();
  }
  return found;
}

function callIds({ content }: HostMessage): unknown[] {
  if (!Array.isArray(content)) return [];
  const blocks = content as { type: string; id?: string }[];
  return blocks.filter((block) => block.type === "toolCall").map((block) => block.id);
}
