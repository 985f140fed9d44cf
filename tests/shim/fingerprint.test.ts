// Fingerprints tell the host's changes to old messages; overlaps find what both sides know.

import { describe, expect, it } from "vitest";
import {
  fingerprint,
  fingerprints,
  overlap,
} from "../../plugin-shim/src/fingerprint.js";
import type { HostMessage } from "../../plugin-shim/src/host.js";
import { chance, turns } from "./support/messages.js";

const MESSAGE: HostMessage = {
  role: "assistant",
  timestamp: 1_796_000_000_123,
  responseId: "resp_1",
  content: [
    { type: "text", text: "x".repeat(500) },
    { type: "thinking", thinking: "plan", thinkingSignature: "c2ln" },
    { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
    { type: "toolCall", id: "call_1", name: "exec", arguments: { command: "ls", deep: { a: [1] } } },
  ],
};

/** The message with its content blocks changed. */
function blocks(change: (content: Record<string, unknown>[]) => unknown): HostMessage {
  const copy = structuredClone(MESSAGE) as { content: Record<string, unknown>[] } & HostMessage;
  change(copy.content);
  return copy;
}

const CHANGED: Record<string, HostMessage> = {
  role: { ...MESSAGE, role: "user" },
  time: { ...MESSAGE, timestamp: 1_796_000_000_124 },
  "time by 2^32": { ...MESSAGE, timestamp: 1_796_000_000_123 + 2 ** 32 },
  "no time": { role: "assistant", content: MESSAGE.content },
  "response id": { ...MESSAGE, responseId: "resp_2" },
  "tool call id": { ...MESSAGE, toolCallId: "call_1" },
  summary: { ...MESSAGE, summary: "earlier" },
  "text longer": blocks((content) => (content[0]!["text"] = "x".repeat(501))),
  "text begins otherwise": blocks((content) => (content[0]!["text"] = `y${"x".repeat(499)}`)),
  "text ends otherwise": blocks((content) => (content[0]!["text"] = `${"x".repeat(499)}y`)),
  "thinking removed": blocks((content) => content.splice(1, 1)),
  "image replaced by text": blocks((content) => (content[2] = { type: "text", text: "[image]" })),
  "image data": blocks((content) => (content[2]!["data"] = "aGVsbG9=")),
  "call id": blocks((content) => (content[3]!["id"] = "call_2")),
  "tool name": blocks((content) => (content[3]!["name"] = "read")),
  argument: blocks((content) => (content[3]!["arguments"] = { command: "pwd", deep: { a: [1] } })),
  "deep argument": blocks((content) => (content[3]!["arguments"] = { command: "ls", deep: { a: [2] } })),
  "argument's name": blocks((content) => (content[3]!["arguments"] = { cmd: "ls", deep: { a: [1] } })),
  "blocks in another order": blocks((content) => content.reverse()),
  "content as text": { ...MESSAGE, content: "x".repeat(500) },
  "no content": { ...MESSAGE, content: undefined },
};

describe("a fingerprint", () => {
  it("is the same for equal content in new objects", () => {
    expect(fingerprint(structuredClone(MESSAGE))).toBe(fingerprint(MESSAGE));
  });

  it.each(Object.entries(CHANGED))("shows a change of %s", (_name, changed) => {
    expect(fingerprint(changed)).not.toBe(fingerprint(MESSAGE));
  });

  it("tells all changed messages from each other", () => {
    const all = Object.values(CHANGED).map(fingerprint);
    expect(new Set(all).size).toBe(all.length);
  });

  it("does not meet another among a hundred thousand messages", () => {
    const prints = new Set<number>();
    for (let n = 0; n < 100_000; n++) prints.add(fingerprint({ role: "user", content: `ask ${n}` }));
    expect(prints.size).toBe(100_000);
  });

  it("is a number for whatever stands in a list", () => {
    const odd = [null, 7, "text", [], { content: [null, 7, "text"] }, { content: { a: 1 } }];
    const prints = fingerprints(odd as HostMessage[]);
    expect([...prints].every(Number.isSafeInteger)).toBe(true);
  });
});

describe("an overlap", () => {
  const known = fingerprints(turns(10));
  const none = { lead: 0, skip: 0 };

  it("of a list that goes on is the whole known list", () => {
    expect(overlap(known, fingerprints(turns(12)), 0)).toEqual({ ...none, count: 40 });
  });

  it("of a list that was cut or changed ends before the change", () => {
    expect(overlap(known, known.subarray(0, 13), 0)).toEqual({ ...none, count: 13 });
    const changed = fingerprints(turns(10).with(17, { role: "user", content: "other" }));
    expect(overlap(known, changed, 0)).toEqual({ ...none, count: 17 });
  });

  it("finds the window that moved, with and without summaries before it", () => {
    const moved = fingerprints(turns(12).slice(8));
    expect(overlap(known, moved, 0)).toEqual({ lead: 0, skip: 8, count: 40 });
    const summary = { role: "compactionSummary", summary: "earlier" };
    const behind = fingerprints([summary, ...turns(10)]);
    const later = fingerprints([summary, ...turns(12).slice(8)]);
    expect(overlap(behind, later, 1)).toEqual({ lead: 1, skip: 8, count: 41 });
  });

  it("never claims an entry that is not shared", () => {
    const pick = chance(7);
    for (let round = 0; round < 2_000; round++) {
      const letters = (count: number): Float64Array =>
        Float64Array.from({ length: count }, () => pick(3));
      const [a, b] = [letters(pick(12)), letters(pick(12))];
      const { lead, skip, count } = overlap(a, b, pick(4));
      const left = [...a.subarray(0, lead), ...a.subarray(lead + skip, count)];
      expect(left).toEqual([...b.subarray(0, count - skip)]);
    }
  });
});
