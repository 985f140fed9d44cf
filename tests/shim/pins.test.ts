// What `/flowctx pin …` in a chat pins, and for how long.

import { describe, expect, it } from "vitest";
import { pinWords } from "../../plugin-shim/src/cli.js";

describe("a pin set by a chat command", () => {
  it.each([
    ["Never touch valve nine", "Never touch valve nine", "session"],
    ["--agent Use metric units", "Use metric units", "agent"],
    ["--scope agent Use metric units", "Use metric units", "agent"],
    ["--scope=session Use metric units", "Use metric units", "session"],
    ["--scope forever X", "X", "forever"],
    ["say --scope agent aloud", "say --scope agent aloud", "session"],
    ["--scope agent", "", "agent"],
  ])("reads %j", (said, text, scope) => {
    expect(pinWords(said)).toEqual({ text, scope });
  });
});
