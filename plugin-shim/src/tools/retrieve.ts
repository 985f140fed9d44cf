// Originals, whole or in parts. Who calls is told by the host, never by the model.

import { RETRIEVE_TOOL, TOOL_MS } from "../constants.js";
import type { EngineParts } from "../engine.js";
import type { Tool, ToolContext, ToolResult } from "../host.js";
import type { RetrieveResponse } from "../v1/flowctx.js";
import { askSidecar, count, type Params, paramsOf, say, word } from "./answer.js";

const text = (description: string) => ({ type: "string", description });

export function retrieveTool(parts: EngineParts, context: ToolContext): Tool {
  const caller = parts.sessions.ref(context, context.agentId);
  return {
    name: RETRIEVE_TOOL,
    label: "Retrieve original",
    description:
      "Get back the original of a tool result that was shortened. Pass the 24 hex digits " +
      "from its `[flowctx …]` line as hash. Ask for the part you need with lines, grep, " +
      "jsonPath or rows and columns; without them all of it comes back, as far as it fits.",
    // Hidden behind tool search, no marker could be followed.
    catalogMode: "direct-only",
    parameters: {
      type: "object",
      properties: {
        hash: text("24 hex digits from a [flowctx …] line; several joined by commas"),
        lines: text('line range: "120-180", "120-" or "-50" for the last 50'),
        grep: text("only lines with this text, or /expression/ (RE2, /…/i ignores case)"),
        context: { type: "integer", description: "lines around each match" },
        jsonPath: text("values in JSON: $.orders[0].id, $..id, $.orders[*].total"),
        rows: text('rows of a table: "1-20"'),
        columns: text("columns of a table, by name or number"),
        maxTokens: { type: "integer", description: "room for the answer, 4000 if not given" },
      },
      required: ["hash"],
      additionalProperties: false,
    },
    execute: (_id, params) =>
      askSidecar(parts, "The store of originals", async (client) => {
        const asked = { session: caller, ...request(paramsOf(params)) };
        return answer(await client.call(client.rpc.retrieve, asked, TOOL_MS));
      }),
  };
}

function request(params: Params) {
  return {
    hash: word(params["hash"]),
    lines: word(params["lines"]),
    grep: word(params["grep"]),
    context: count(params["context"]),
    jsonPath: word(params["jsonPath"]),
    rows: word(params["rows"]),
    columns: word(params["columns"]),
    maxTokens: count(params["maxTokens"]),
  };
}

function answer({ answer }: RetrieveResponse): ToolResult {
  switch (answer?.$case) {
    case "original": {
      const { text, hash, tool, sessionKey, timeMs } = answer.value;
      return say(new TextDecoder().decode(text), { hash, tool, session: sessionKey, timeMs });
    }
    case "excerpt":
      return say(answer.value.text);
    case "missing":
      return say(answer.value.message);
    default:
      return say("No original was found.");
  }
}
