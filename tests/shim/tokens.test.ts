// The shim's estimate is the sidecar's: both are held to one file.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { estimateMessage, estimateTokens } from "../../plugin-shim/src/tokens.js";

const FIXTURE = new URL("../fixtures/token_estimates.json", import.meta.url);
const EXPECTED = JSON.parse(readFileSync(FIXTURE, "utf8")) as { text: string; tokens: number }[];

describe("the estimate", () => {
  it("is the sidecar's for every text", () => {
    expect(EXPECTED.length).toBeGreaterThan(30);
    const wrong = EXPECTED.filter(({ text, tokens }) => estimateTokens(text) !== tokens);
    expect(wrong).toEqual([]);
  });

  it("counts all that a model sees of a message", () => {
    const text = "eight ch";
    expect(estimateMessage({ role: "user", content: text })).toBe(6);
    expect(estimateMessage({ role: "compactionSummary", summary: text })).toBe(6);
    const image = { type: "image", data: "A".repeat(900_000) };
    expect(estimateMessage({ role: "user", content: [image] })).toBe(1_604);
    const thinking = { type: "thinking", thinking: text, thinkingSignature: "s".repeat(999) };
    expect(estimateMessage({ role: "assistant", content: [thinking] })).toBe(6);
  });

  it("takes whatever stands in a message", () => {
    const odd = [null, 7, "text", undefined, []];
    for (const content of [null, 7, {}, odd]) {
      expect(estimateMessage({ role: "user", content })).toBeGreaterThanOrEqual(4);
    }
  });
});
