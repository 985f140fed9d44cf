// What stands in the system prompt must not change from turn to turn.

import { describe, expect, it } from "vitest";
import { RETRIEVE_TOOL } from "../../plugin-shim/src/constants.js";
import { systemPromptAddition } from "../../plugin-shim/src/guidance.js";
import { turns } from "./support/messages.js";

const asked = (tools: string[], count = 1) => ({
  sessionId: `id ${count}`,
  sessionKey: `agent:main:explicit:${count}`,
  messages: turns(count),
  availableTools: new Set(tools),
});

describe("the guidance", () => {
  it("is the same for every session and turn with the same tools", () => {
    const one = systemPromptAddition(asked([RETRIEVE_TOOL, "exec"]));
    expect(systemPromptAddition(asked(["read", RETRIEVE_TOOL], 9))).toBe(one);
    expect(one).not.toMatch(/\d{4}-\d\d-\d\d|agent:main|\/tmp|\/home/);
  });

  it("names the tool only to a model that has it", () => {
    expect(systemPromptAddition(asked([RETRIEVE_TOOL]))).toContain(RETRIEVE_TOOL);
    const without = systemPromptAddition(asked(["exec"]));
    expect(without).not.toContain(RETRIEVE_TOOL);
    expect(without).not.toContain("call ");
    expect(systemPromptAddition({ sessionId: "1", messages: [] })).toBe(without);
  });
});
