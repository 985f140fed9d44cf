// Which tools there are: each only where it can work.

import {
  PIN_TOOL,
  PINS_TOOL,
  RETRIEVE_TOOL,
  SCRATCH_TOOLS,
  SEARCH_TOOL,
  UNPIN_TOOL,
} from "../constants.js";
import type { EngineParts } from "../engine.js";
import type { PluginApi, Tool, ToolContext } from "../host.js";
import { isPrivate } from "../sessions.js";
import { pinsTool, pinTool, unpinTool } from "./pins.js";
import { retrieveTool } from "./retrieve.js";
import { EDITS_OF_SCRATCHPAD, scratchTool } from "./scratchpad.js";
import { searchTool } from "./search.js";

type Make = (parts: EngineParts, context: ToolContext) => Tool;

const TOOLS: readonly (readonly [string, Make])[] = [
  [RETRIEVE_TOOL, retrieveTool],
  [SEARCH_TOOL, searchTool],
  [PIN_TOOL, pinTool],
  [UNPIN_TOOL, unpinTool],
  [PINS_TOOL, pinsTool],
];

export function registerTools(api: PluginApi, parts: EngineParts): void {
  const register = (name: string, make: Make): void =>
    // A session that leaves nothing behind has nothing to be got back.
    api.registerTool((context) => (isPrivate(context.sessionKey) ? null : make(parts, context)), {
      name,
    });
  for (const [name, make] of TOOLS) register(name, make);
  if (api.pluginConfig?.["scratchpad"] !== true) return;
  for (const edit of EDITS_OF_SCRATCHPAD) {
    register(SCRATCH_TOOLS[edit], (given, context) => scratchTool(given, context, edit));
  }
}
