// The two functions the shim takes from OpenClaw at run time; declared here so
// that a build needs no copy of the host.
declare module "openclaw/plugin-sdk/core" {
  export function buildMemorySystemPromptAddition(params: {
    availableTools: Set<string>;
    citationsMode?: unknown;
    agentSessionKey?: string | undefined;
  }): string | undefined;

  export function delegateCompactionToRuntime(
    params: import("../src/host.js").CompactParams,
  ): Promise<import("../src/host.js").CompactResult>;
}
