// A sidecar that answers but cannot open its store: nothing is made up in its place.

import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RETRIEVE_TOOL } from "../../plugin-shim/src/constants.js";
import { createEngine, type EngineParts } from "../../plugin-shim/src/engine.js";
import type { ContextEngine, HostMessage } from "../../plugin-shim/src/host.js";
import { readEndpoint } from "../../plugin-shim/src/sidecar.js";
import { Sessions } from "../../plugin-shim/src/sessions.js";
import { pinTool } from "../../plugin-shim/src/tools/pins.js";
import { turns } from "./support/messages.js";
import { kill, link, logger, PATIENCE_MS, stateDir, until } from "./support/places.js";

const SESSION = { sessionId: "1", sessionKey: "agent:main:main" };
const TOOLS = { availableTools: new Set([RETRIEVE_TOOL]) };

async function connected(dir: string): Promise<EngineParts> {
  const parts = { link: link(dir), sessions: new Sessions(), logger: logger(), isOn: true };
  await parts.link.ready(PATIENCE_MS);
  return parts;
}

async function viewOf(engine: ContextEngine, count: number): Promise<HostMessage[]> {
  return (await engine.assemble({ ...SESSION, ...TOOLS, messages: turns(count) })).messages;
}

/** The same gateway with a new sidecar, in whose way a folder lies. */
async function loseStore(dir: string, { link }: EngineParts): Promise<void> {
  kill(readEndpoint(dir)?.pid ?? 0, "SIGKILL");
  await until(() => link.trouble !== "");
  const store = join(dir, "flowctx", "flowctx.sqlite");
  renameSync(store, `${store}.kept`);
  mkdirSync(store);
  await link.ready(PATIENCE_MS);
  expect(link.trouble).toBe("");
}

describe("with a store that cannot be opened", () => {
  it("goes on with the last known view, in the same bytes", async () => {
    const dir = stateDir();
    const parts = await connected(dir);
    const engine = createEngine(parts);
    let before: HostMessage[] = [];
    const isReduced = () => before.some((each) => JSON.stringify(each).includes("[flowctx "));
    for (let n = 0; n < 50 && !isReduced(); n++) before = await viewOf(engine, 8);
    expect(before).not.toEqual(turns(8));
    await loseStore(dir, parts);
    for (const count of [9, 10]) {
      expect(await viewOf(engine, count)).toEqual([...before, ...turns(count).slice(32)]);
    }
  });

  it("refuses a pin in one plain sentence", async () => {
    const dir = stateDir();
    const parts = await connected(dir);
    await viewOf(createEngine(parts), 8);
    await loseStore(dir, parts);
    const said = await pinTool(parts, SESSION).execute("1", { text: "never touch prod" });
    expect(said.content[0]?.text).toMatch(/^The pins could not be used now: .*nothing can be kept/);
    expect(said.content[0]?.text).not.toMatch(/FAILED_PRECONDITION|\.\.$/);
  });
});
