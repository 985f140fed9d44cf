// Whom a session belongs to, which ones stay private, and how many are held.

import { describe, expect, it } from "vitest";
import { KEPT_PARENTS, KEPT_SESSIONS } from "../../plugin-shim/src/constants.js";
import { isPrivate, NOTHING_HELD, Sessions } from "../../plugin-shim/src/sessions.js";

describe("private sessions", () => {
  it.each([
    "agent:main:internal-session-effects",
    "agent:main:internal-session-effects:abc",
    "agent:main:explicit:incognito-7",
    "agent:main:incognito-7:thread:9",
    "incognito-",
  ])("%s leaves no trace", (key) => {
    expect(isPrivate(key)).toBe(true);
  });

  it.each([
    undefined,
    "",
    "agent:main:main",
    "agent:main:explicit:not-incognito-at-all",
    "agent:main:explicit:my internal-session-effects",
    "agent:main:telegram:group:incognito",
  ])("%s is stored", (key) => {
    expect(isPrivate(key)).toBe(false);
  });
});

describe("what is held of sessions", () => {
  it("is found again, and dropped for the ones idle longest", () => {
    const sessions = new Sessions();
    const first = sessions.open("0");
    for (let n = 1; n < KEPT_SESSIONS; n++) sessions.open(String(n));
    expect(sessions.open("0")).toBe(first);
    sessions.open("one more");
    expect(sessions.open("0")).toBe(first);
    first.held = { ...NOTHING_HELD, count: 5 };
    for (let n = 0; n < KEPT_SESSIONS; n++) sessions.open(`other ${n}`);
    expect(sessions.open("0").held).toBe(NOTHING_HELD);
  });

  it("names the parent of a sub-agent, for as many as may run", () => {
    const sessions = new Sessions();
    for (let n = 0; n <= KEPT_PARENTS; n++) sessions.adopt(`child ${n}`, `parent ${n}`);
    expect(sessions.ref({ sessionKey: `child ${KEPT_PARENTS}` }).parentKey).toBe("parent 1000");
    expect(sessions.ref({ sessionKey: "child 0" }).parentKey).toBe("");
    expect(sessions.ref({})).toEqual({ key: "", id: "", agent: "", parentKey: "" });
  });
});
