// The part of OpenClaw's plugin API that the shim uses, as it behaves from
// 2026.8.1 on. Everything the host hands over is only ever read.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A host message. Unknown fields matter (images, signatures): never rebuild one. */
export interface HostMessage {
  role?: string;
  content?: unknown;
  timestamp?: number;
  [key: string]: unknown;
}

export interface SessionParams {
  sessionId: string;
  sessionKey?: string;
}

export interface AssembleParams extends SessionParams {
  messages: HostMessage[];
  tokenBudget?: number;
  availableTools?: Set<string>;
  citationsMode?: unknown;
  model?: string;
  prompt?: string;
}

export interface AssembleResult {
  messages: HostMessage[];
  estimatedTokens: number;
  systemPromptAddition?: string;
}

export interface CommitTurnParams extends SessionParams {
  advancementKey: string;
  messages: HostMessage[];
  isHeartbeat?: boolean;
  runtimeContext?: { modelContextWindow?: number };
}

export interface MaintainParams extends SessionParams {
  runtimeContext?: {
    allowDeferredCompactionExecution?: boolean;
    trigger?: unknown;
    tokenBudget?: number;
    modelContextWindow?: number;
  };
}

export interface MaintainResult {
  changed: boolean;
  bytesFreed: number;
  rewrittenEntries: number;
}

export interface CompactParams extends SessionParams {
  abortSignal?: AbortSignal;
  /** "manual", "budget" or "overflow". */
  trigger?: string;
  runtimeContext?: { trigger?: string };
  tokenBudget?: number;
  customInstructions?: string;
  [key: string]: unknown;
}

export interface CompactResult {
  ok: boolean;
  compacted: boolean;
  reason?: string;
  result?: unknown;
}

export interface SubagentSpawnParams {
  parentSessionKey: string;
  childSessionKey: string;
}

export interface EngineInfo {
  id: string;
  name: string;
  version: string;
  ownsCompaction: false;
  turnMaintenanceMode: "background";
  acceptedHostParams: string[];
  transcriptSemantics: {
    currentTurnFence: "before-current-turn-entry-v1";
    turnAdvancementIdempotency: "atomic-idempotent-v1";
  };
}

/**
 * What the host calls, once per logical turn and object.
 *
 * No method throws or waits past its deadline: a throwing maintain() starts
 * model runs in the user's session, a failing commitTurn() moves whole turns to
 * the host's own engine, and compact() is the only one whose errors users see.
 */
export interface ContextEngine {
  readonly info: EngineInfo;
  bootstrap(params: SessionParams): Promise<{ bootstrapped: boolean }>;
  ingest(params: SessionParams & { message: HostMessage }): Promise<{ ingested: boolean }>;
  assemble(params: AssembleParams): Promise<AssembleResult>;
  commitTurn(params: CommitTurnParams): Promise<{ status: "committed" | "duplicate" }>;
  maintain(params: MaintainParams): Promise<MaintainResult>;
  compact(params: CompactParams): Promise<CompactResult>;
  prepareSubagentSpawn(params: SubagentSpawnParams): Promise<{ rollback: () => void }>;
  onSubagentEnded(params: { childSessionKey: string }): Promise<void>;
  dispose(): Promise<void>;
}

export interface Logger {
  debug?(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface ToolContext {
  sessionKey?: string;
  sessionId?: string;
  agentId?: string;
  sandboxed?: boolean;
}

/** The part of the host's configuration that the shim looks at. */
export interface HostConfig {
  plugins?: { slots?: { contextEngine?: string } };
  session?: { mainKey?: string };
  agents?: {
    ownership?: string;
    defaults?: { sandbox?: { mode?: string }; systemAgent?: { agentId?: string } };
    entries?: Record<string, { sandbox?: { mode?: string } } | undefined>;
  };
}

export interface ToolResult {
  content: { type: "text"; text: string }[];
  details?: Json;
}

export interface Tool {
  name: string;
  label: string;
  description: string;
  catalogMode: "direct-only";
  parameters: Json;
  execute(id: string, params: unknown, signal?: AbortSignal): Promise<ToolResult>;
}

/** Commander's command, as far as the shim uses it. */
export interface CliCommand {
  command(name: string): CliCommand;
  description(text: string): CliCommand;
  argument(spec: string, description?: string): CliCommand;
  allowUnknownOption(allow: boolean): CliCommand;
  helpOption(flag: false): CliCommand;
  action(run: (args: string[]) => Promise<void>): CliCommand;
}

export interface HookContext {
  agentId?: string;
  sessionKey?: string;
  sessionId?: string;
}

export interface LlmRequest {
  messages: { role: "user"; content: string }[];
  systemPrompt: string;
  purpose: string;
  signal: AbortSignal;
  agentId?: string;
  maxTokens?: number;
  model?: string;
}

/** A reply of the host's model; an aborted call resolves, too, with stopReason "aborted". */
export interface LlmReply {
  text: string;
  provider?: string;
  model?: string;
  stopReason?: string;
  usage?: {
    inputTokens?: number;
    outputTokens?: number;
    cacheReadTokens?: number;
    cacheWriteTokens?: number;
    costUsd?: number;
  };
}

export interface CommandContext extends ToolContext {
  args?: string;
}

export interface PluginApi {
  registrationMode: string;
  config?: HostConfig;
  pluginConfig?: Record<string, unknown>;
  rootDir?: string;
  runtime: {
    version?: string;
    state?: { resolveStateDir?: () => string };
    llm?: { complete(request: LlmRequest): Promise<LlmReply> };
  };
  logger: Logger;
  registerContextEngine(id: string, factory: () => ContextEngine): void;
  registerTool(
    factory: (context: ToolContext) => Tool | null,
    options: { name: string; optional?: boolean },
  ): void;
  registerService(service: {
    id: string;
    start(context: { stateDir?: string }): void;
    stop(): Promise<void>;
  }): void;
  registerCli(
    registrar: (context: { program: CliCommand }) => void,
    options: { descriptors: { name: string; description: string; hasSubcommands: boolean }[] },
  ): void;
  registerCommand(command: {
    name: string;
    description: string;
    acceptsArgs: boolean;
    handler: (context: CommandContext) => Promise<{ text: string }>;
  }): void;
  on?(hook: string, handler: (event: never, context: HookContext) => void): void;
}
