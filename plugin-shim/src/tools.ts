// The tools the model may call. Who calls is told by the host, never by the model.

import { RETRIEVE_MS, RETRIEVE_TOOL } from "./constants.js";
import type { EngineParts } from "./engine.js";
import type { Tool, ToolContext, ToolResult } from "./host.js";
import { NOTE_PARAMETERS, retrieveNote } from "./tools/note.js";
import type { RetrieveResponse } from "./v1/flowctx.js";

export function retrieveTool({ link, sessions }: EngineParts, context: ToolContext): Tool {
  const caller = sessions.ref(context, context.agentId);
  return {
    name: RETRIEVE_TOOL,
    label: "Retrieve original",
    description:
      "Get back the full original of a tool result that was shortened. Pass the 24 hex digits " +
      "from its `[flowctx …]` line as hash. The original comes back exactly as it was. " +
      "With node of a handoff note and expand, what that note stands for comes back.",
    // Hidden behind tool search, no marker could be followed.
    catalogMode: "direct-only",
    parameters: {
      type: "object",
      properties: {
        hash: { type: "string", description: "24 hex digits from a [flowctx …] line" },
        ...NOTE_PARAMETERS,
      },
      additionalProperties: false,
    },
    async execute(_id, params) {
      const { hash, ...others } = (params ?? {}) as { hash?: unknown };
      const client = await link.ready(RETRIEVE_MS);
      if (!client) return say(`The store of originals cannot be reached now: ${link.trouble}.`);
      try {
        const note = await retrieveNote(client, caller, others);
        if (note !== undefined) return say(note);
        const asked = { session: caller, hash: String(hash ?? "") };
        return answer(await client.call(client.rpc.retrieve, asked, RETRIEVE_MS));
      } catch (error) {
        return say(`The original could not be read now: ${(error as Error).message}.`);
      }
    },
  };
}

function answer(response: RetrieveResponse): ToolResult {
  if (response.answer?.$case !== "original") {
    return say(response.answer?.value.message ?? "No original was found.");
  }
  const { text, hash, tool, sessionKey, timeMs } = response.answer.value;
  return {
    content: [{ type: "text", text: new TextDecoder().decode(text) }],
    details: { hash, tool, session: sessionKey, timeMs },
  };
}

function say(text: string): ToolResult {
  return { content: [{ type: "text", text }] };
}

