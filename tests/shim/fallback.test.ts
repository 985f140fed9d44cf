// Without a sidecar, a history of any length is cut so that a provider takes it.

import { describe, expect, it } from "vitest";
import { fitBudget } from "../../plugin-shim/src/fallback.js";
import type { HostMessage } from "../../plugin-shim/src/host.js";
import { estimateMessages } from "../../plugin-shim/src/tokens.js";
import { call, chance, orphans, result, turns } from "./support/messages.js";

const WORDS = ["plain words of a log line\n", "漢字かな交じり文。\n", "😀😃 smile\n", "x"];

/** A session of random turns: parallel calls, loops, texts in several scripts. */
function session(pick: (below: number) => number): HostMessage[] {
  const messages: HostMessage[] = [];
  const text = (): string => (WORDS[pick(WORDS.length)] ?? "").repeat(1 + pick(1 + pick(400)));
  for (let turn = 0, last = 1 + pick(8); turn < last; turn++) {
    messages.push({ role: "user", content: text() });
    for (let step = pick(4); step > 0; step--) {
      const ids = Array.from({ length: 1 + pick(3) }, (_, n) => `c${turn}-${step}-${n}`);
      const content = ids.flatMap((id) => call(id, text()).content as object[]);
      messages.push({ role: "assistant", content }, ...ids.map((id) => result(id, text())));
    }
    if (pick(4)) messages.push({ role: "assistant", content: [{ type: "text", text: text() }] });
  }
  return messages;
}

const newestAsk = (messages: HostMessage[]): number =>
  messages.findLastIndex((message) => message.role === "user");

/** The same messages, but for texts of results that were shortened. */
function withoutResultTexts(messages: HostMessage[]): unknown[] {
  return messages.map((message) =>
    message.role === "toolResult" ? { ...message, content: [] } : message,
  );
}

describe("fitting a budget", () => {
  it("keeps the newest turn, pairs all results and fits, whatever the session", () => {
    const pick = chance(11);
    for (let round = 0; round < 300; round++) {
      const messages = session(pick);
      const newest = messages.slice(newestAsk(messages));
      const budget = 50 + pick(8_000);
      const view = fitBudget(messages, budget);
      expect(orphans(view)).toBe(0);
      expect(withoutResultTexts(view.slice(-newest.length))).toEqual(withoutResultTexts(newest));
      const least = estimateMessages(fitBudget(newest, 1)) + 100;
      if (least <= budget * 0.9) expect(estimateMessages(view)).toBeLessThanOrEqual(budget);
      expect(JSON.stringify(view).includes("\\ud8")).toBe(false);
    }
  });

  it("changes nothing that fits, and nothing where no budget is told", () => {
    const messages = turns(3);
    expect(fitBudget(messages, estimateMessages(messages))).toBe(messages);
    expect(fitBudget(messages, undefined)).toBe(messages);
    expect(fitBudget(messages, 0)).toBe(messages);
  });

  it("says that older messages are missing, once and in the same bytes", () => {
    const [one, two] = [fitBudget(turns(9), 12_000), fitBudget(turns(10), 12_000)];
    expect(one[0]?.role).toBe("custom");
    expect(one[0]).toEqual(two[0]);
    expect(one.filter((message) => message.role === "custom")).toHaveLength(1);
  });
});

describe("what is kept", () => {
  it("shortens the results of a newest turn that is too large, and says by how much", () => {
    const messages = turns(1, "line of a log\n".repeat(20_000));
    const view = fitBudget(messages, 3_000);
    const [text] = (view[2]?.content as { text: string }[]).map((block) => block.text);
    expect(text).toMatch(/\n\[… \d+ characters omitted …\]\n/);
    expect(estimateMessages(view)).toBeLessThanOrEqual(3_000);
  });

  it("keeps the host's own summary at the head, which stands for what is nowhere else", () => {
    const summary = { role: "compactionSummary", summary: "what was before", tokensBefore: 9 };
    const view = fitBudget([summary, ...turns(9)], 12_000);
    expect(view[0]).toBe(summary);
    expect(estimateMessages(view)).toBeLessThanOrEqual(12_000);
  });

  it("leaves no result of a cut turn behind", () => {
    const messages = [...turns(1), call("late", "sleep"), ...turns(2), result("late", "at last")];
    expect(orphans(fitBudget(messages, 12_000))).toBe(0);
  });

  it("takes a session without any user message, and blocks of anything", () => {
    const loop = [call("a", "x"), result("a", "y".repeat(90_000)), call("b", "x")];
    expect(estimateMessages(fitBudget(loop, 2_000))).toBeLessThanOrEqual(2_000);
    const blocks = [null, 7, "text", { type: "text", text: "y".repeat(9_000) }];
    const odd = [{}, { role: "user" }, { role: "toolResult", content: blocks }];
    expect(fitBudget(odd as HostMessage[], 1)).toHaveLength(2);
  });
});
