// Calls of the host's model: as whom, with what, and what becomes of each way they end.

import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it, vi } from "vitest";
import type { LlmReply, LlmRequest, PluginApi } from "../../plugin-shim/src/host.js";
import { LlmJobs } from "../../plugin-shim/src/llm.js";
import { noteScope } from "../../plugin-shim/src/scopes.js";
import type { LlmJob, LlmResult, ShimFrame } from "../../plugin-shim/src/v1/flowctx.js";

const JOB: LlmJob = {
  id: 7,
  session: { key: "agent:b:main", id: "", agent: "b", parentKey: "", sandboxed: false },
  system: "write a note",
  user: "of this",
  maxTokens: 0,
  purpose: "flowctx handoff note (leaf)",
  model: "",
};
const REPLY: LlmReply = {
  text: "## Goal",
  provider: "p",
  model: "m",
  stopReason: "stop",
  usage: { inputTokens: 10, outputTokens: 3, cacheReadTokens: 2, costUsd: 0.5 },
};

type Complete = (request: LlmRequest) => Promise<LlmReply>;

/** What a host with this model and configuration answers to a job. */
async function run(complete: Complete, job = JOB, agents = {}): Promise<[LlmResult, LlmRequest[]]> {
  const asked: LlmRequest[] = [];
  const llm = {
    complete: (request: LlmRequest) => {
      asked.push(request);
      return complete(request);
    },
  };
  const jobs = LlmJobs.create({ runtime: { llm }, config: { agents } } as unknown as PluginApi);
  const frames: ShimFrame["frame"][] = [];
  await jobs?.run(job, (frame) => frames.push(frame));
  const [frame] = frames;
  if (frame?.$case !== "llmResult") throw new Error("no result was sent");
  return [frame.value, asked];
}

class Refused extends Error {
  code = "LLM_COMPLETION_NOT_AUTHORIZED";
}

describe("a call for a note", () => {
  it("runs as the session's agent on that agent's own model", async () => {
    const [result, [asked]] = await run(async () => REPLY);
    expect(asked?.agentId).toBe("b");
    expect(asked && "model" in asked).toBe(false);
    expect(asked && "maxTokens" in asked).toBe(false);
    expect(asked?.messages).toEqual([{ role: "user", content: "of this" }]);
    expect(result).toMatchObject({ id: 7, text: "## Goal", stopReason: "stop", error: "" });
    expect(result).toMatchObject({ inputTokens: 10, outputTokens: 3, costUsd: 0.5, model: "m" });
  });

  it("names no agent where the host would take the same one, for that needs no right", async () => {
    const session = { key: "agent:main:main", id: "", agent: "main", parentKey: "" };
    const main = { ...JOB, session: { ...session, sandboxed: false } };
    const [, [asked]] = await run(async () => REPLY, main);
    expect(asked && "agentId" in asked).toBe(false);
    const explicit = { ownership: "explicit", defaults: { systemAgent: { agentId: "b" } } };
    const [, [own]] = await run(async () => REPLY, JOB, explicit);
    expect(own && "agentId" in own).toBe(false);
    const [, [other]] = await run(async () => REPLY, main, explicit);
    expect(other?.agentId).toBe("main");
  });

  it("takes the model and the cap that the user set", async () => {
    const [, [asked]] = await run(async () => REPLY, { ...JOB, model: "p/small", maxTokens: 900 });
    expect(asked).toMatchObject({ model: "p/small", maxTokens: 900 });
  });
});

describe("a call that the host refuses", () => {
  it("says what to allow where the host refuses", async () => {
    const refuse = () => Promise.reject(new Refused("cannot override"));
    const [agent] = await run(refuse);
    expect(agent).toMatchObject({ errorKind: "auth", text: "" });
    expect(agent.error).toContain("llm.allowAgentIdOverride");
    const [model] = await run(refuse, { ...JOB, model: "p/small" });
    expect(model.error).toContain("llm.allowModelOverride");
  });

  it.each([
    ["401 Incorrect API key provided", "auth"],
    ["503 overloaded", "failed"],
    ["fetch failed", "failed"],
  ])("tells a refusal from a failure: %s", async (message, kind) => {
    const [result] = await run(() => Promise.reject(new Error(message)));
    expect(result).toMatchObject({ errorKind: kind, error: message });
  });
});

describe("a call at an odd time", () => {
  it("tries again while the host says that its inventory has retired", async () => {
    vi.useFakeTimers();
    try {
      let left = 3;
      const retired = new Error("Plugin inventory has retired; begin a new plugin operation.");
      const running = run(() => (left-- > 0 ? Promise.reject(retired) : Promise.resolve(REPLY)));
      await vi.runAllTimersAsync();
      const [result, asked] = await running;
      expect(result.text).toBe("## Goal");
      expect(asked.length).toBeGreaterThanOrEqual(4);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is called off: the host resolves without a text, and so it is told", async () => {
    noteScope();
    const jobs = new LlmJobs(
      (_job, signal) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => resolve({ text: "", stopReason: "aborted" })),
        ),
    );
    const frames: ShimFrame["frame"][] = [];
    const running = jobs.run(JOB, (frame) => frames.push(frame));
    jobs.cancel(99);
    jobs.cancel(7);
    await running;
    expect(frames[0]).toMatchObject({ value: { id: 7, errorKind: "cancelled" } });
  });
});

describe("a host that cannot call models", () => {
  it("has no jobs", () => {
    expect(LlmJobs.create({ runtime: {} } as PluginApi)).toBeUndefined();
  });
});

describe("a call after a reload", () => {
  it("is made in a scope that still stands, after a reload too", async () => {
    const operation = new AsyncLocalStorage<string>();
    const complete = async () => {
      if (operation.getStore() === "start") return REPLY;
      throw new Error("Plugin inventory has retired; begin a new plugin operation.");
    };
    const results = [];
    for (const name of ["start", ...Array(20).fill("reload")]) {
      results.push((await operation.run(name, () => run(complete)))[0]);
    }
    expect(results.map(({ text, error }) => text || error)).toEqual(Array(21).fill("## Goal"));
  });
});
