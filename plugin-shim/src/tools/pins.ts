// Rules and facts that stay in view word for word.

import { PIN_TOOL, PINS_TOOL, TOOL_MS, UNPIN_TOOL } from "../constants.js";
import type { EngineParts } from "../engine.js";
import type { Json, Tool, ToolContext, ToolResult } from "../host.js";
import type { SessionRef } from "../v1/flowctx.js";
import { askSidecar, type Params, paramsOf, say, word } from "./answer.js";

type Action = "pin" | "unpin" | "list";

export function pinTool(parts: EngineParts, context: ToolContext): Tool {
  return {
    name: PIN_TOOL,
    label: "Pin",
    description:
      "Keep a rule or fact in view word for word, however long the session gets. Pin what the " +
      "user wants kept; ask first when they did not say so.",
    catalogMode: "direct-only",
    parameters: schema(
      {
        text: { type: "string", description: "the rule or fact, as it was said" },
        scope: {
          type: "string",
          enum: ["session", "agent"],
          description: "session: until it is reset; agent: in all sessions with this person",
        },
      },
      ["text"],
    ),
    execute: (_id, params) => callPins(parts, caller(parts, context), "pin", paramsOf(params)),
  };
}

export function unpinTool(parts: EngineParts, context: ToolContext): Tool {
  return {
    name: UNPIN_TOOL,
    label: "Unpin",
    description: "Remove a pin.",
    catalogMode: "direct-only",
    parameters: schema({ id: { type: "string", description: "its id" } }, ["id"]),
    execute: (_id, params) => callPins(parts, caller(parts, context), "unpin", paramsOf(params)),
  };
}

export function pinsTool(parts: EngineParts, context: ToolContext): Tool {
  return {
    name: PINS_TOOL,
    label: "List pins",
    description: "List the pins with their ids, and what the user forbade that is not pinned.",
    catalogMode: "direct-only",
    parameters: schema({}, []),
    execute: () => callPins(parts, caller(parts, context), "list", {}),
  };
}

/** Set, remove or list pins; what fails becomes a sentence. */
export function callPins(
  parts: EngineParts,
  session: SessionRef,
  action: Action,
  params: Params,
): Promise<ToolResult> {
  return askSidecar(parts, "The pins", async (client) => {
    const { text, scope, id } = params;
    const asked = { session, action, text: word(text), scope: word(scope), id: word(id) };
    return say((await client.call(client.rpc.pins, asked, TOOL_MS)).text);
  });
}

function caller(parts: EngineParts, context: ToolContext): SessionRef {
  return parts.sessions.ref(context, context.agentId);
}

function schema(properties: { [name: string]: Json }, required: string[]): Json {
  return { type: "object", properties, required, additionalProperties: false };
}
