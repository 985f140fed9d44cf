// What every tool does alike: reach the sidecar, and answer in words whatever happens.

import type { SidecarClient } from "../client.js";
import { TOOL_MS } from "../constants.js";
import type { EngineParts } from "../engine.js";
import type { Json, ToolResult } from "../host.js";

export type Params = Record<string, unknown>;

/** An argument of this length is no question any more; the rest is left out. */
const MOST_CHARS = 20_000;

/** Ask the sidecar; what fails becomes a sentence, never an error. */
export async function askSidecar(
  { link }: EngineParts,
  what: string,
  ask: (client: SidecarClient) => Promise<ToolResult>,
): Promise<ToolResult> {
  const client = await link.ready(TOOL_MS);
  if (!client) return say(`${what} cannot be reached now: ${link.trouble}.`);
  try {
    return await ask(client);
  } catch (error) {
    return say(`${what} could not be used now: ${(error as Error).message}.`);
  }
}

export function say(text: string, details?: Json): ToolResult {
  const content = [{ type: "text" as const, text }];
  return details === undefined ? { content } : { content, details };
}

/** An argument as text, whatever a model passed for it. */
export function word(value: unknown): string {
  if (Array.isArray(value)) return value.map(word).filter(Boolean).join(", ").slice(0, MOST_CHARS);
  const kinds = ["string", "number", "boolean"];
  return kinds.includes(typeof value) ? String(value).toWellFormed().slice(0, MOST_CHARS) : "";
}

/** An argument as a whole number from 0 on; 0 for anything else. */
export function count(value: unknown): number {
  const number = Math.trunc(Number(word(value)));
  return number > 0 ? Math.min(number, 1_000_000) : 0;
}

export function paramsOf(params: unknown): Params {
  return typeof params === "object" && params !== null ? (params as Params) : {};
}
