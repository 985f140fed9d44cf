// Which sessions are told to be sandboxed, by the host's configuration and by the host itself.

import { describe, expect, it } from "vitest";
import { isSandboxed } from "../../plugin-shim/src/sandbox.js";
import { Sessions } from "../../plugin-shim/src/sessions.js";

const MAIN = "agent:main:main";
const GROUP = "agent:main:telegram:group:1";

describe("isSandboxed", () => {
  it.each([
    [undefined, MAIN, false],
    [{}, GROUP, false],
    [{ agents: { defaults: { sandbox: { mode: "off" } } } }, GROUP, false],
    [{ agents: { defaults: { sandbox: { mode: "all" } } } }, MAIN, true],
    [{ agents: { defaults: { sandbox: { mode: "non-main" } } } }, MAIN, false],
    [{ agents: { defaults: { sandbox: { mode: "non-main" } } } }, GROUP, true],
  ])("reads the default mode: %j, %s", (config, key, expected) => {
    expect(isSandboxed(config, key)).toBe(expected);
  });

  it("prefers what an agent says for itself", () => {
    const agents = {
      defaults: { sandbox: { mode: "all" } },
      entries: { main: { sandbox: { mode: "off" } }, work: {} },
    };
    expect(isSandboxed({ agents }, GROUP)).toBe(false);
    expect(isSandboxed({ agents }, "agent:work:main")).toBe(true);
  });

  it("knows a main session of another name", () => {
    const config = {
      session: { mainKey: "home" },
      agents: { defaults: { sandbox: { mode: "non-main" } } },
    };
    expect(isSandboxed(config, "agent:main:home")).toBe(false);
    expect(isSandboxed(config, MAIN)).toBe(true);
  });
});

describe("a session's reference", () => {
  it("says so from the moment the host did, and for that session alone", () => {
    const sessions = new Sessions();
    expect(sessions.ref({ sessionKey: GROUP }).sandboxed).toBe(false);
    sessions.wallOff(GROUP);
    expect(sessions.ref({ sessionKey: GROUP }).sandboxed).toBe(true);
    expect(sessions.ref({ sessionKey: MAIN }).sandboxed).toBe(false);
  });

  it("follows the newest configuration", () => {
    const sessions = new Sessions();
    sessions.config = { agents: { defaults: { sandbox: { mode: "all" } } } };
    expect(sessions.ref({ sessionKey: MAIN }).sandboxed).toBe(true);
  });
});
