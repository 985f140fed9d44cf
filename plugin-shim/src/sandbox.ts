// Which sessions the host runs walled off from the machine. They share no
// memory with others, so every call about one says so.

import type { HostConfig } from "./host.js";

/** True when the configuration puts a session into a sandbox. */
export function isSandboxed(config: HostConfig | undefined, sessionKey: string): boolean {
  const [head, agent = "", ...rest] = sessionKey.toLowerCase().split(":");
  const agents = config?.agents;
  const own = head === "agent" ? agents?.entries?.[agent]?.sandbox?.mode : undefined;
  const mode = own ?? agents?.defaults?.sandbox?.mode ?? "off";
  if (mode === "all") return true;
  return mode === "non-main" && rest.join(":") !== (config?.session?.mainKey ?? "main");
}
