// The link against the real sidecar: started, shared, lost, hanging, of another version.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { SidecarClient } from "../../plugin-shim/src/client.js";
import { VERSION } from "../../plugin-shim/src/constants.js";
import type { SidecarLink } from "../../plugin-shim/src/link.js";
import { readEndpoint } from "../../plugin-shim/src/sidecar.js";
import {
  afterwards,
  kill,
  link,
  logger,
  PATIENCE_MS,
  program,
  sidecarOfVersion,
  startBy,
  stateDir,
  until,
  useProgram,
} from "./support/places.js";

// Waits that a test would only sit out.
vi.mock("../../plugin-shim/src/constants.js", async (original) => ({
  ...(await original<typeof import("../../plugin-shim/src/constants.js")>()),
  DRAIN_MS: 500,
}));

async function client(from: SidecarLink): Promise<SidecarClient> {
  let found: SidecarClient | undefined;
  for (const end = Date.now() + PATIENCE_MS; !found && Date.now() < end; await sleep(20)) {
    found = await from.ready(PATIENCE_MS);
  }
  expect(from.trouble).toBe("");
  return found as SidecarClient;
}

const isReady = async (from: SidecarLink): Promise<boolean> =>
  (await from.ready(PATIENCE_MS)) !== undefined;

const pidOf = async (from: SidecarLink): Promise<number> => {
  const to = await client(from);
  const told = await to.call(
    to.rpc.hello,
    {
      version: VERSION,
      client: "test",
      hostVersion: "",
      nodeVersion: "",
      settingsJson: Buffer.from("{}"),
    },
    PATIENCE_MS,
  );
  return told.pid;
};

async function storedMessages(from: SidecarLink): Promise<number> {
  const to = await client(from);
  const { json } = await to.call(to.rpc.stats, { sessionKey: "" }, PATIENCE_MS);
  const found = /"messages":(\d+)/.exec(Buffer.from(json).toString());
  return Number(found?.[1] ?? 0);
}

const observe = (text: string) => ({
  $case: "observe" as const,
  value: {
    session: { key: "agent:main:main", id: "1", agent: "", parentKey: "", sandboxed: false },
    body: Buffer.from(JSON.stringify({ role: "user", content: text })),
  },
});

describe("the link", () => {
  it("starts a sidecar, and hands over what was sent before there was one", async () => {
    const log = logger();
    const one = link(stateDir(), { logger: log });
    one.send(observe("a"));
    one.send(observe("b"));
    one.start();
    await client(one);
    await vi.waitFor(async () => expect(await storedMessages(one)).toBe(2), PATIENCE_MS);
    expect(log.lines).toEqual([expect.stringContaining(`sidecar ${VERSION}, process `)]);
  });

  it("of two at once shares one sidecar, without a failure on either side", async () => {
    const dir = stateDir();
    const log = logger();
    const both = [link(dir, { logger: log }), link(dir, { logger: log })];
    const pids = await Promise.all(both.map(pidOf));
    expect(pids[0]).toBe(pids[1]);
    expect(log.lines.filter((line) => line.includes("no sidecar"))).toEqual([]);
  });
});

describe("a link that breaks", () => {
  it("comes back by itself when the sidecar is killed", async () => {
    const one = link(stateDir());
    one.start();
    const before = await pidOf(one);
    kill(before, "SIGKILL");
    await until(() => one.trouble !== "");
    one.send(observe("in between"));
    expect(await pidOf(one)).not.toBe(before);
    await vi.waitFor(async () => expect(await storedMessages(one)).toBe(1), PATIENCE_MS);
  });

  it("comes back, too, where a sidecar was announced whose token is gone", async () => {
    const dir = stateDir();
    await pidOf(link(dir));
    kill(readEndpoint(dir)?.pid ?? 0, "SIGKILL");
    rmSync(join(dir, "flowctx", "run", "token"));
    expect(await isReady(link(dir))).toBe(true);
  });

  it("sees that a sidecar hangs, and that it goes on", async () => {
    const one = link(stateDir());
    const pid = await pidOf(one);
    const to = await client(one);
    kill(pid, "SIGSTOP");
    afterwards(() => kill(pid, "SIGCONT"));
    await until(() => to.isStalled);
    kill(pid, "SIGCONT");
    await until(() => !to.isStalled);
    expect(await pidOf(one)).toBe(pid);
  });
});

describe("a link that is let go", () => {
  it("lets go at the end, starts nothing by itself, and can begin again", async () => {
    const dir = stateDir();
    const one = link(dir);
    one.start();
    const pid = await pidOf(one);
    one.stop();
    kill(pid, "SIGKILL");
    await sleep(300);
    expect(one.trouble).toBe("the gateway stopped");
    expect(readEndpoint(dir)?.pid).toBe(pid);
    one.start();
    expect(await pidOf(one)).not.toBe(pid);
  });

  it("stays let go while it connects", async () => {
    const one = link(stateDir());
    one.start();
    const connecting = isReady(one);
    one.stop();
    expect(await connecting).toBe(false);
    expect(one.trouble).toBe("the gateway stopped");
  });
});

describe("a sidecar of another version", () => {
  it("is drained and replaced", async () => {
    const dir = stateDir();
    const old = await startBy(sidecarOfVersion(dir, "0.0.1"), dir);
    const log = logger();
    const one = link(dir, { logger: log });
    expect(await pidOf(one)).not.toBe(old);
    expect(readEndpoint(dir)?.version).toBe(VERSION);
    expect(log.lines[0]).toContain(`replacing sidecar 0.0.1 by ${VERSION}`);
  });

  it("stays when it is newer: said once, and replies go on without it", async () => {
    const dir = stateDir();
    const newer = await startBy(sidecarOfVersion(dir, "0.10.0"), dir);
    const log = logger();
    const one = link(dir, { logger: log });
    for (let n = 0; n < 3; n++) expect(await isReady(one)).toBe(false);
    expect(one.trouble).toContain("sidecar 0.10.0 is newer");
    expect(log.lines).toHaveLength(1);
    expect(readEndpoint(dir)?.pid).toBe(newer);
    kill(newer, "SIGKILL");
    expect(await pidOf(one)).not.toBe(newer);
  });

  it("is not used where it does not leave", async () => {
    const dir = stateDir();
    const stays = "import flowctx.rpc.servicer as s; s.Servicer.Drain = s.Servicer.Hello";
    await startBy(sidecarOfVersion(dir, "0.0.1", stays), dir);
    const one = link(dir);
    expect(await isReady(one)).toBe(false);
    expect(one.trouble).toContain("0.0.1");
  });
});

describe("without a program", () => {
  it("says once what is missing, and keeps nobody waiting again", async () => {
    const dir = stateDir();
    const log = logger();
    useProgram(join(dir, "not there"));
    const one = link(dir, { logger: log });
    expect(await isReady(one)).toBe(false);
    expect(one.trouble).toContain(join(dir, "not there"));
    for (let n = 0; n < 50; n++) expect(await isReady(one)).toBe(false);
    expect(log.lines).toHaveLength(1);
  });

  it("tells the last line of one that fails, and tries again later", async () => {
    const dir = stateDir();
    useProgram(program(dir, "#!/bin/sh\necho some >&2\necho 'disk on fire' >&2\nexit 3\n"));
    const one = link(dir);
    one.start();
    await until(() => one.trouble.includes("disk on fire"));
    expect(one.trouble).toContain("code 3");
    useProgram(sidecarOfVersion(dir, VERSION));
    expect(await pidOf(one)).toBeGreaterThan(0);
  });

  it("is content with one that prints other lines first, and one that ends after RUNNING", async () => {
    const dir = stateDir();
    const served = link(dir);
    const pid = await pidOf(served);
    const { address, version, instance } = readEndpoint(dir) ?? {};
    const line = `RUNNING ${JSON.stringify({ address, pid, version, instance })}`;
    rmSync(join(dir, "flowctx", "run", "endpoint.json"));
    for (let round = 0; round < 10; round++) {
      useProgram(program(dir, `#!/bin/sh\necho hello\nprintf '%s\\n' '${line}'\n`));
      expect(await pidOf(link(dir))).toBe(pid);
    }
    kill(pid, "SIGKILL");
  });
});
