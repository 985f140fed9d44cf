// What flowctx adds to a reply: the real engine against a real sidecar, timed
// around the calls that the host waits for. Prints one JSON document.
//
// usage: latency STATE_DIR PLUGIN_DIR SIZE…

import { createEngine } from "../../plugin-shim/src/engine.js";
import type { ContextEngine, HostMessage } from "../../plugin-shim/src/host.js";
import { SidecarLink } from "../../plugin-shim/src/link.js";
import { Sessions } from "../../plugin-shim/src/sessions.js";

const [stateDir = "", pluginDir = "", ...sizes] = process.argv.slice(2);
const TURNS = 15;
const BUDGET = 171_500;
const quiet = { info() {}, warn() {}, error() {} };

interface Timing {
  size: number;
  first_ms: number;
  caught_up_after_turns: number;
  assemble_ms: number[];
  commit_ms: number[];
  observe_ms: number[];
  view_messages: number;
}

function turn(number: number): HostMessage[] {
  const time = 1_796_000_000_000 + number * 60_000;
  const id = `call_${number}`;
  const rows = Array.from({ length: 8 }, (_, n) => `${number}.${n} worker ${n * 7} done, ok`);
  const big = number % 5 === 0 ? Array.from({ length: 120 }, (_, n) => `row ${n} of ${number}`) : [];
  return [
    { role: "user", content: `Please look at item ${number} and tell me.`, timestamp: time },
    {
      role: "assistant",
      content: [{ type: "toolCall", id, name: "exec", arguments: { command: `show ${number}` } }],
      timestamp: time + 1,
      usage: { input: 1000, output: 10 },
    },
    {
      role: "toolResult",
      toolCallId: id,
      toolName: "exec",
      content: [{ type: "text", text: [...rows, ...big].join("\n") }],
      isError: false,
      timestamp: time + 2,
    },
    {
      role: "assistant",
      content: [{ type: "text", text: `Item ${number} is fine, ${"as before ".repeat(20)}` }],
      timestamp: time + 3,
      usage: { input: 1000, output: 60 },
    },
  ];
}

/** The host makes new objects for every turn. */
function copy(messages: HostMessage[]): HostMessage[] {
  return structuredClone(messages);
}

async function timed<T>(times: number[], run: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await run();
  times.push(performance.now() - start);
  return result;
}

async function measure(engine: ContextEngine, size: number): Promise<Timing> {
  const key = `agent:main:explicit:bench-${size}`;
  const session = { sessionId: key, sessionKey: key };
  const messages = Array.from({ length: size / 4 }, (_, n) => turn(n)).flat();
  const first: number[] = [];
  const timing: Timing = {
    size,
    first_ms: 0,
    caught_up_after_turns: 0,
    assemble_ms: [],
    commit_ms: [],
    observe_ms: [],
    view_messages: 0,
  };
  const tools = new Set(["exec", "flowctx_retrieve"]);
  const ask = (list: HostMessage[]) =>
    engine.assemble({ ...session, messages: list, tokenBudget: BUDGET, availableTools: tools });
  await timed(first, () => ask(copy(messages)));
  timing.first_ms = first[0] ?? 0;
  await new Promise((resolve) => setTimeout(resolve, 1_000 + size / 5));
  for (let n = 0; n < TURNS; n++) {
    const bodies = turn(size / 4 + n);
    const list = copy(messages);
    const view = await timed(timing.assemble_ms, () => ask(list));
    timing.view_messages = view.messages.length;
    for (const message of bodies) {
      await timed(timing.observe_ms, () => engine.ingest({ ...session, message }));
    }
    await timed(timing.commit_ms, () =>
      engine.commitTurn({ ...session, advancementKey: `${key}-${n}`, messages: copy(bodies) }),
    );
    messages.push(...bodies);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return timing;
}

const link = new SidecarLink({
  stateDir,
  pluginDir,
  logger: quiet,
  settings: {},
  hostVersion: "bench",
  debug: false,
});
link.start();
if (!(await link.ready(10_000))) throw new Error(link.trouble);
const engine = createEngine({ link, sessions: new Sessions(), logger: quiet, isOn: true });
const results: Timing[] = [];
for (const size of sizes) results.push(await measure(engine, Number(size)));
console.log(JSON.stringify(results));
link.stop();
