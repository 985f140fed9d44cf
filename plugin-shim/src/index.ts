// The plugin: what registers with OpenClaw, and in which of its load modes.
//
// register() runs several times a process and must touch neither sockets nor
// processes; the sidecar is reached from the service, or from a turn where no
// service runs (`openclaw agent --local`).

import { type Places, registerChatCommand, registerCli } from "./cli.js";
import { PLUGIN_ID } from "./constants.js";
import { createEngine, type EngineParts, observe, tell } from "./engine.js";
import type { HookContext, HostMessage, PluginApi } from "./host.js";
import { defaultStateDir } from "./paths.js";
import { openShared } from "./shared.js";
import { registerTools } from "./tools/register.js";

const plugin = {
  id: PLUGIN_ID,
  name: "flowctx",
  description: "Memory for long sessions that fades with distance",
  register(api: PluginApi): void {
    const places = { stateDir: () => resolveStateDir(api), pluginDir: api.rootDir ?? "" };
    registerCli(api, places);
    if (api.registrationMode === "cli-metadata") return;
    const parts = assembleParts(api, places);
    api.registerContextEngine(PLUGIN_ID, () => createEngine(parts));
    registerChatCommand(api, places, parts);
    if (!parts.isOn || !isSelected(api)) return;
    registerTools(api, parts);
    registerService(api, parts);
    registerHooks(api, parts);
    if (api.registrationMode === "full") api.logger.info("[flowctx] registered");
  },
};

export default plugin;

function assembleParts(api: PluginApi, { stateDir, pluginDir }: Places): EngineParts {
  const settings = api.pluginConfig ?? {};
  const shared = openShared({
    stateDir: stateDir(),
    pluginDir,
    logger: api.logger,
    settings,
    hostVersion: api.runtime.version ?? "",
    debug: settings["debug"] === true,
  });
  return { ...shared, logger: api.logger, isOn: settings["shortTermMemory"] !== false };
}

function registerService(api: PluginApi, { link }: EngineParts): void {
  api.registerService({
    id: "flowctx-sidecar",
    start: () => link.start(),
    stop: async () => link.stop(),
  });
}

function registerHooks(api: PluginApi, parts: EngineParts): void {
  api.on?.("before_message_write", (event: { message: HostMessage }, context) => {
    if (context.sessionKey) observe(parts, sessionOf(context), event.message);
  });
  // A sidecar that ends from here on is not to be started again.
  api.on?.("gateway_stop", () => parts.link.stop());
  api.on?.("before_reset", (_event, context) => {
    if (context.sessionKey) tell(parts, sessionOf(context), "reset");
  });
  api.on?.("session_end", (event: { reason?: string }, context) => {
    if (context.sessionKey && event.reason === "deleted") {
      tell(parts, sessionOf(context), "deleted");
    }
  });
}

function sessionOf(context: HookContext): { sessionKey: string; sessionId: string } {
  return { sessionKey: context.sessionKey ?? "", sessionId: context.sessionId ?? "" };
}

/** False when the host is told to use another engine: then nothing is stored. */
function isSelected(api: PluginApi): boolean {
  const slot = api.config?.plugins?.slots?.contextEngine;
  return slot === undefined || slot === PLUGIN_ID;
}

function resolveStateDir(api: PluginApi): string {
  try {
    return api.runtime.state?.resolveStateDir?.() ?? defaultStateDir();
  } catch {
    return defaultStateDir();
  }
}
