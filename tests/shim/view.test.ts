// Ops make the view of the host's own messages, which are only ever read.

import { describe, expect, it } from "vitest";
import type { HostMessage } from "../../plugin-shim/src/host.js";
import type { Op } from "../../plugin-shim/src/v1/flowctx.js";
import { applyOps, keep, withText } from "../../plugin-shim/src/view.js";
import { turns } from "./support/messages.js";

const WHOLE = { lead: 0, gone: 0 };
const replace = (index: number, text: string): Op => ({
  op: { $case: "replace", value: { index, text } },
});
const insert = (message: HostMessage): Op => ({
  op: { $case: "insert", value: { json: Buffer.from(JSON.stringify(message)) } },
});

function freeze<Value>(value: Value): Value {
  if (value !== null && typeof value === "object") {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}

describe("ops", () => {
  it("hand kept messages through as the host's own objects", () => {
    const messages = turns(3);
    const view = applyOps(messages, [keep(0, 12)], WHOLE);
    expect(view.every((message, at) => message === messages[at])).toBe(true);
  });

  it("leave the host's messages as they are", () => {
    const messages = freeze(turns(2));
    const view = applyOps(messages, [keep(0, 2), replace(2, "short"), keep(3, 8)], WHOLE);
    expect(view).toHaveLength(8);
    expect(view[2]?.content).toEqual([{ type: "text", text: "short" }]);
  });

  it("count messages that are gone, and show none of them", () => {
    const messages = turns(2);
    const view = applyOps(messages, [keep(0, 12), replace(7, "short")], { lead: 1, gone: 4 });
    expect(view.slice(0, 8)).toEqual(messages);
    expect(view[8]).toEqual({ ...messages[3], content: [{ type: "text", text: "short" }] });
  });

  it("pass over indices that no message has", () => {
    const messages = turns(1);
    expect(applyOps(messages, [keep(2, 99), replace(50, "x")], WHOLE)).toEqual(messages.slice(2));
    expect(applyOps(messages, [{ op: undefined }, keep(3, 1)], WHOLE)).toEqual([]);
  });

  it("insert what the engine made, with every character", () => {
    const note = { role: "custom", content: "漢字 😀 \u0000 \ud800" };
    expect(applyOps([], [insert(note)], WHOLE)).toEqual([note]);
  });
});

describe("a new text", () => {
  it("takes the place of all text blocks and leaves the others", () => {
    const image = { type: "image", data: "eA==", mimeType: "image/png" };
    const message = {
      role: "toolResult",
      toolCallId: "a",
      details: { exit: 0 },
      content: [image, { type: "text", text: "one", extra: 1 }, { type: "text", text: "two" }],
    };
    expect(withText(message, "new")).toEqual({
      ...message,
      content: [image, { type: "text", text: "new", extra: 1 }],
    });
  });

  it("takes the place of a plain text", () => {
    expect(withText({ role: "user", content: "old" }, "new").content).toBe("new");
  });
});
