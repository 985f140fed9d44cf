// The engine never throws and never waits past its deadline, whatever the sidecar does.

import { describe, expect, it } from "vitest";
import { ASSEMBLE_MS, RETRIEVE_TOOL } from "../../plugin-shim/src/constants.js";
import { createEngine, type EngineParts } from "../../plugin-shim/src/engine.js";
import type { ContextEngine, HostMessage } from "../../plugin-shim/src/host.js";
import { readEndpoint } from "../../plugin-shim/src/sidecar.js";
import { Sessions } from "../../plugin-shim/src/sessions.js";
import { retrieveTool } from "../../plugin-shim/src/tools/retrieve.js";
import { estimateMessages } from "../../plugin-shim/src/tokens.js";
import { turns } from "./support/messages.js";
import {
  afterwards,
  announce,
  impostor,
  kill,
  link,
  logger,
  PATIENCE_MS,
  program,
  stateDir,
  until,
  useProgram,
} from "./support/places.js";

const SESSION = { sessionId: "1", sessionKey: "agent:main:main" };
const TOOLS = { availableTools: new Set([RETRIEVE_TOOL]) };
/** What a loaded machine may take longer than a deadline. */
const SLACK_MS = 1_500;

function parts(dir: string, isOn = true): EngineParts {
  return { link: link(dir), sessions: new Sessions(), logger: logger(), isOn };
}

const TROUBLE: Record<string, (dir: string) => unknown> = {
  "no program": (dir) => useProgram(`${dir}/missing`),
  "a program that gives up before it is ready": (dir) =>
    useProgram(program(dir, "#!/bin/sh\nexec sleep 3\n")),
  "a program that prints garbage": (dir) =>
    useProgram(program(dir, "#!/bin/sh\nhead -c 9999 /dev/urandom; echo 'READY {\"a\":'\n")),
  "an address where nobody listens": (dir) => {
    announce(dir, "127.0.0.1:9");
    useProgram(`${dir}/missing`);
  },
  "a server that never answers": async (dir) => {
    await impostor(dir, () => {});
    useProgram(`${dir}/missing`);
  },
  "a server that answers garbage": async (dir) => {
    await impostor(dir, (socket) => socket.on("data", () => socket.write(Buffer.alloc(99, 7))));
    useProgram(`${dir}/missing`);
  },
  "a server that hangs up": async (dir) => {
    await impostor(dir, (socket) => socket.end());
    useProgram(`${dir}/missing`);
  },
};

async function timed<Result>(work: Promise<Result>): Promise<[Result, number]> {
  const started = Date.now();
  return [await work, Date.now() - started];
}

async function useAll(engine: ContextEngine, messages: HostMessage[]): Promise<void> {
  expect(await engine.bootstrap(SESSION)).toEqual({ bootstrapped: true });
  for (const message of messages) await engine.ingest({ ...SESSION, message });
  for (let round = 0; round < 3; round++) {
    const [view, waited] = await timed(engine.assemble({ ...SESSION, ...TOOLS, messages }));
    expect(view.messages).toEqual(messages);
    expect(waited).toBeLessThan(ASSEMBLE_MS + SLACK_MS);
  }
  const commit = engine.commitTurn({ ...SESSION, advancementKey: "k", messages });
  expect(await commit).toEqual({ status: "committed" });
  expect(await engine.maintain(SESSION)).toMatchObject({ changed: false });
  const child = { parentSessionKey: SESSION.sessionKey, childSessionKey: "agent:main:subagent:1" };
  (await engine.prepareSubagentSpawn(child)).rollback();
  await engine.onSubagentEnded(child);
  await engine.dispose();
}

describe.each(Object.entries(TROUBLE))("with %s", (_name, prepare) => {
  it("every method answers, and messages pass through", async () => {
    const dir = stateDir();
    await prepare(dir);
    const used = parts(dir);
    await useAll(createEngine(used), turns(3, "short"));
    const tool = retrieveTool(used, SESSION);
    const said = await tool.execute("1", { hash: "0".repeat(24) });
    expect(said.content[0]?.text).toMatch(/cannot be reached|could not be read/);
  });
});

describe("with odd messages", () => {
  const loop: Record<string, unknown> = { role: "user" };
  loop["content"] = [loop];
  const odd = [
    null,
    7,
    { role: "user", content: 12n },
    loop,
    { role: "toolResult", content: [null, 7] },
    { content: undefined },
  ] as unknown as HostMessage[];

  it("no method throws", async () => {
    const dir = stateDir();
    useProgram(`${dir}/missing`);
    await useAll(createEngine(parts(dir)), odd);
    const engine = createEngine(parts(dir));
    await engine.assemble({ ...SESSION, messages: odd, tokenBudget: 1 });
    for (const isOn of [true, false]) {
      const none = { messages: undefined as unknown as HostMessage[], sessionId: "1" };
      await createEngine(parts(dir, isOn)).assemble(none);
    }
  });

  it("nor with a sidecar that cannot be told of them", async () => {
    const used = parts(stateDir());
    await used.link.ready(PATIENCE_MS);
    await useAll(createEngine(used), odd.slice(0, 4));
  });
});

async function warm(dir: string): Promise<{ engine: ContextEngine; used: EngineParts }> {
  const used = parts(dir);
  await used.link.ready(PATIENCE_MS);
  return { engine: createEngine(used), used };
}

async function reducedView(engine: ContextEngine, messages: HostMessage[]) {
  let view = await engine.assemble({ ...SESSION, ...TOOLS, messages });
  const raw = estimateMessages(messages);
  for (let n = 0; n < 50 && view.estimatedTokens > raw / 2; n++) {
    view = await engine.assemble({ ...SESSION, ...TOOLS, messages });
  }
  expect(view.estimatedTokens).toBeLessThan(raw / 2);
  return view;
}

describe("with the real sidecar", () => {
  it("reduces old results, and says how to have them back", async () => {
    const { engine, used } = await warm(stateDir());
    const messages = turns(8);
    const view = await reducedView(engine, messages);
    expect(view.messages).toHaveLength(32);
    expect(view.messages.at(-1)).toBe(messages.at(-1));
    expect(view.systemPromptAddition).toContain(RETRIEVE_TOOL);
    const [hash] = /[0-9a-f]{24}/.exec(JSON.stringify(view.messages[2])) ?? [];
    const original = await retrieveTool(used, SESSION).execute("1", { hash, maxTokens: 100_000 });
    expect(original.content).toEqual(messages[2]?.content);
  });

  it("goes on with the last known view, in the same bytes, when the sidecar is gone", async () => {
    const dir = stateDir();
    const { engine, used } = await warm(dir);
    const before = await reducedView(engine, turns(8));
    useProgram(`${dir}/missing`);
    kill(readEndpoint(dir)?.pid ?? 0, "SIGKILL");
    await until(() => used.link.trouble !== "");
    const messages = turns(9);
    const after = await engine.assemble({ ...SESSION, ...TOOLS, messages });
    expect(after.messages.slice(0, 32)).toEqual(before.messages);
    expect(after.messages.slice(32)).toEqual(messages.slice(32));
    const small = await engine.assemble({ ...SESSION, ...TOOLS, messages, tokenBudget: 9_000 });
    expect(estimateMessages(small.messages)).toBeLessThanOrEqual(9_000);
  });
});

describe("with a sidecar that hangs", () => {
  it("waits little for a sidecar that hangs, and uses it again when it goes on", async () => {
    const dir = stateDir();
    const { engine } = await warm(dir);
    await reducedView(engine, turns(8));
    const pid = readEndpoint(dir)?.pid ?? 0;
    kill(pid, "SIGSTOP");
    afterwards(() => kill(pid, "SIGCONT"));
    const ask = () => timed(engine.assemble({ ...SESSION, ...TOOLS, messages: turns(9) }));
    const [, first] = await ask();
    expect(first).toBeLessThan(ASSEMBLE_MS + SLACK_MS);
    let rest = 0;
    for (let n = 0; n < 5; n++) rest += (await ask())[1];
    expect(rest).toBeLessThan(5 * ASSEMBLE_MS);
    const commit = await timed(engine.commitTurn({ ...SESSION, advancementKey: "k", messages: [] }));
    expect(commit[1]).toBeLessThan(ASSEMBLE_MS);
    kill(pid, "SIGCONT");
    await reducedView(engine, turns(9));
  });
});

describe("what goes over to the real sidecar", () => {
  it("tells a turn that was committed before", async () => {
    const { engine } = await warm(stateDir());
    const turn = { ...SESSION, advancementKey: "once", messages: turns(1) };
    expect(await engine.commitTurn(turn)).toEqual({ status: "committed" });
    expect(await engine.commitTurn(turn)).toEqual({ status: "duplicate" });
  });

  it("hands a long history over behind the reply", async () => {
    const { engine } = await warm(stateDir());
    const messages = turns(700, "short");
    const view = await engine.assemble({ ...SESSION, ...TOOLS, messages });
    expect(view.messages).toHaveLength(2_800);
    const more = [...messages, { role: "user", content: "and now?" }];
    expect((await engine.assemble({ ...SESSION, ...TOOLS, messages: more })).messages).toHaveLength(
      2_801,
    );
  });

  it("keeps private sessions and a switched-off engine to itself", async () => {
    const { engine, used } = await warm(stateDir());
    const hidden = { sessionId: "1", sessionKey: "agent:main:explicit:incognito-1" };
    const messages = turns(8);
    expect((await engine.assemble({ ...hidden, messages })).messages).toBe(messages);
    expect(await engine.ingest({ ...hidden, message: messages[0] ?? {} })).toEqual({
      ingested: false,
    });
    const off = createEngine({ ...used, isOn: false });
    expect((await off.assemble({ ...SESSION, messages })).messages).toBe(messages);
  });
});

const TOLD: Record<string, (engine: ContextEngine) => Promise<unknown>> = {
  "an accepted turn": (engine) =>
    engine.commitTurn({
      ...SESSION,
      advancementKey: "k",
      messages: [],
      runtimeContext: { modelContextWindow: 32_000 },
    }),
  "maintenance before a turn": (engine) =>
    engine.maintain({ ...SESSION, runtimeContext: { tokenBudget: 32_000 } }),
  "maintenance after a turn": (engine) =>
    engine.maintain({
      ...SESSION,
      runtimeContext: {
        allowDeferredCompactionExecution: true,
        tokenBudget: 20_000,
        modelContextWindow: 32_000,
      },
    }),
};

describe("the window of the model", () => {
  it.each(Object.entries(TOLD))("is known from %s, for the views that follow", async (_, tell) => {
    const dir = stateDir();
    useProgram(`${dir}/missing`);
    const made = parts(dir);
    const engine = createEngine(made);
    expect(made.sessions.open(SESSION.sessionKey).contextWindow).toBe(0);
    await tell(engine);
    await engine.commitTurn({ ...SESSION, advancementKey: "l", messages: [] });
    expect(made.sessions.open(SESSION.sessionKey).contextWindow).toBe(32_000);
  });
});
