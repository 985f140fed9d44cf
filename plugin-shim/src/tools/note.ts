// What flowctx_retrieve gives for a handoff note: its text, or what it was made from.

import type { SidecarClient } from "../client.js";
import { TOOL_MS } from "../constants.js";
import type { SessionRef } from "../v1/flowctx.js";
import { count, type Params } from "./answer.js";

export const NOTE_PARAMETERS = {
  node: { type: "string", description: "node of a <flowctx-handoff-note>, instead of hash" },
  expand: { type: "boolean", description: "with node: the notes or messages it stands for" },
  from: { type: "integer", description: "with expand: the first of them, for the next page" },
};

/** The answer where a node is asked for; undefined where none is. */
export async function retrieveNote(
  client: SidecarClient,
  caller: SessionRef,
  params: Params,
): Promise<string | undefined> {
  const { node, expand, from, maxTokens } = params;
  if (typeof node !== "string" || !node) return undefined;
  const asked = {
    session: caller,
    node,
    expand: expand === true,
    from: count(from),
    maxTokens: count(maxTokens),
  };
  const { text } = await client.call(client.rpc.retrieveNote, asked, TOOL_MS);
  return text;
}
