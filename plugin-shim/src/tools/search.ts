// Full-text search over what the caller's agent and person may see.

import { SEARCH_TOOL, TOOL_MS } from "../constants.js";
import type { EngineParts } from "../engine.js";
import type { Tool, ToolContext } from "../host.js";
import { askSidecar, count, paramsOf, say, word } from "./answer.js";

export function searchTool(parts: EngineParts, context: ToolContext): Tool {
  const session = parts.sessions.ref(context, context.agentId);
  return {
    name: SEARCH_TOOL,
    label: "Search memory",
    description:
      "Search everything said or returned by tools earlier, in this session and then in the " +
      "others of the same person, with cards of what those did. Ask in words, in any language. " +
      "Each hit has the hash of its original.",
    catalogMode: "direct-only",
    parameters: {
      type: "object",
      properties: {
        query: {
          type: "string",
          description:
            'words; "quoted phrases" must be there; filters: tool:exec file:src/app.py ' +
            "role:user role:card after:2026-11-30 session:all",
        },
        limit: { type: "integer", description: "hits, 8 if not given" },
      },
      required: ["query"],
      additionalProperties: false,
    },
    execute: (_id, params) =>
      askSidecar(parts, "The index", async (client) => {
        const { query, limit } = paramsOf(params);
        const asked = { session, query: word(query), limit: count(limit) };
        return say((await client.call(client.rpc.search, asked, TOOL_MS)).text);
      }),
  };
}
