// Calls of the host's model that the sidecar asks for, behind the replies.
//
// The call runs as the session's agent and on that agent's own model, unless the
// user named one. A reply counts only as it came: judging it is the sidecar's.

import { LLM_RETIRED_TRIES, LLM_RETRY_MS } from "./constants.js";
import type { LlmReply, LlmRequest, PluginApi } from "./host.js";
import { keep, noteScope, scopes } from "./scopes.js";
import type { LlmJob, LlmResult, ShimFrame } from "./v1/flowctx.js";

type Send = (frame: ShimFrame["frame"]) => void;
type Complete = (job: LlmJob, signal: AbortSignal) => Promise<LlmReply>;

export class LlmJobs {
  private readonly running = new Map<number, AbortController>();

  /** Made in the service's start: work begun in a turn's scope would end with the turn. */
  static create(api: PluginApi): LlmJobs | undefined {
    const { llm } = api.runtime;
    if (!llm) return undefined;
    const own = systemAgent(api);
    const complete: Complete = (job, signal) => llm.complete(request(job, signal, own));
    noteScope();
    return new LlmJobs(complete);
  }

  constructor(private readonly complete: Complete) {}

  /** Run a job; its result is sent, whatever becomes of it. */
  async run(job: LlmJob, send: Send): Promise<void> {
    const controller = new AbortController();
    this.running.set(job.id, controller);
    const result = await this.result(job, controller.signal);
    this.running.delete(job.id);
    send({ $case: "llmResult", value: result });
  }

  /** Give up a job; the host then resolves it without a text. */
  cancel(id: number): void {
    this.running.get(id)?.abort();
  }

  cancelAll(): void {
    for (const controller of this.running.values()) controller.abort();
  }

  private async result(job: LlmJob, signal: AbortSignal): Promise<LlmResult> {
    try {
      const reply = await this.attempt(job, signal, LLM_RETIRED_TRIES);
      if (signal.aborted) return failed(job.id, "cancelled", "cancelled");
      return told(job.id, reply);
    } catch (error) {
      const kind = signal.aborted ? "cancelled" : kindOf(error);
      return failed(job.id, kind, wording(error, job));
    }
  }

  /** After a reload the host refuses calls from scopes that ended, from all of them for a while. */
  private async attempt(job: LlmJob, signal: AbortSignal, tries: number): Promise<LlmReply> {
    let refusal: unknown;
    for (const inScope of scopes()) {
      try {
        const reply = await inScope(() => this.complete(job, signal));
        keep(inScope);
        return reply;
      } catch (error) {
        if (signal.aborted || !isRetired(error)) throw error;
        refusal = error;
      }
    }
    if (tries <= 1) throw refusal;
    await pause(LLM_RETRY_MS);
    return this.attempt(job, signal, tries - 1);
  }
}

/** The agent as which the host runs a call that names none. */
function systemAgent({ config }: PluginApi): string {
  const { ownership, defaults } = config?.agents ?? {};
  const named = defaults?.systemAgent?.agentId;
  return named ?? (ownership === "explicit" ? "" : "main");
}

function request(job: LlmJob, signal: AbortSignal, own: string): LlmRequest {
  // To name any agent takes a right; for the host's own it is not needed.
  const agentId = job.session?.agent === own ? "" : job.session?.agent;
  return {
    messages: [{ role: "user", content: job.user }],
    systemPrompt: job.system,
    purpose: job.purpose,
    signal,
    ...(agentId ? { agentId } : {}),
    ...(job.maxTokens ? { maxTokens: job.maxTokens } : {}),
    ...(job.model ? { model: job.model } : {}),
  };
}

function told(id: number, reply: LlmReply): LlmResult {
  const usage = reply.usage ?? {};
  return {
    ...failed(id, "", ""),
    text: reply.text.toWellFormed(),
    stopReason: reply.stopReason ?? "",
    provider: reply.provider ?? "",
    model: reply.model ?? "",
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    cacheReadTokens: usage.cacheReadTokens ?? 0,
    cacheWriteTokens: usage.cacheWriteTokens ?? 0,
    costUsd: usage.costUsd ?? 0,
  };
}

function failed(id: number, errorKind: string, error: string): LlmResult {
  return {
    id,
    text: "",
    stopReason: "",
    provider: "",
    model: "",
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costUsd: 0,
    error,
    errorKind,
  };
}

/** True where the host no longer knows the scope of a call: that says nothing of the model. */
function isRetired(error: unknown): boolean {
  return /has retired/.test(messageOf(error));
}

function kindOf(error: unknown): "auth" | "failed" | "link" {
  if (isRetired(error)) return "link";
  const refused = /\b40[13]\b|unauthori[sz]ed|forbidden|api key|authentication/i;
  return codeOf(error) === NOT_AUTHORIZED || refused.test(messageOf(error)) ? "auth" : "failed";
}

const NOT_AUTHORIZED = "LLM_COMPLETION_NOT_AUTHORIZED";

/** What to do where the host refuses because nobody allowed it. */
function wording(error: unknown, job: LlmJob): string {
  const said = messageOf(error).slice(0, 500);
  if (codeOf(error) !== NOT_AUTHORIZED) return said;
  const key = job.model ? "allowModelOverride" : "allowAgentIdOverride";
  return `${said}: set plugins.entries.flowctx.llm.${key} to true`;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
