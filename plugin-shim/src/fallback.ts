// The view when no sidecar answers: the last known one, extended by what is new,
// and cut so that it fits. The raw history may be many windows long.

import type { HostMessage } from "./host.js";
import { estimateMessage, estimateMessages } from "./tokens.js";
import { withText } from "./view.js";

/** Leave this share of the budget free: estimates are rough. */
const FILL = 0.9;
const RESULT_CHARS = [16_000, 4_000, 1_000, 300] as const;
const NOTICE: HostMessage = {
  role: "custom",
  customType: "flowctx.notice",
  content: "[flowctx] Older messages do not fit into the context window and are not shown.",
  display: false,
  timestamp: 0,
};

/**
 * Cut a list so that its estimate fits a budget; the newest turn stays.
 *
 * Whole turns go first, oldest first, so that no call loses its results. When
 * the newest turn alone is too large, its tool results are shortened.
 */
export function fitBudget(messages: HostMessage[], budget: number | undefined): HostMessage[] {
  if (!budget || estimateMessages(messages) <= budget) return messages;
  const room = Math.floor(budget * FILL) - estimateMessage(NOTICE);
  const start = firstTurnThatFits(messages, room);
  const kept = messages.slice(start);
  const fitted = estimateMessages(kept) <= room ? kept : shortenResults(kept, room);
  return start > 0 ? [NOTICE, ...fitted] : fitted;
}

/** Start of the earliest turn from which on everything fits; the newest turn at least. */
function firstTurnThatFits(messages: readonly HostMessage[], room: number): number {
  let start = messages.length;
  let newest = -1;
  let spent = 0;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at] ?? {};
    spent += estimateMessage(message);
    if (message.role !== "user") continue;
    if (newest < 0) newest = at;
    if (spent > room) break;
    start = at;
  }
  return start < messages.length ? start : Math.max(newest, 0);
}

function shortenResults(messages: readonly HostMessage[], room: number): HostMessage[] {
  let shortened = [...messages];
  for (const chars of RESULT_CHARS) {
    shortened = messages.map((message) => shorten(message, chars));
    if (estimateMessages(shortened) <= room) break;
  }
  return shortened;
}

function shorten(message: HostMessage, chars: number): HostMessage {
  const text = message.role === "toolResult" ? textOf(message) : "";
  if (text.length <= chars) return message;
  const head = wholeLines(text.slice(0, Math.floor(chars * 0.6)), "end");
  const tail = wholeLines(text.slice(-Math.floor(chars * 0.3)), "start");
  const omitted = text.length - head.length - tail.length;
  return withText(message, `${head}\n[… ${omitted} characters omitted …]\n${tail}`.toWellFormed());
}

function textOf(message: HostMessage): string {
  if (typeof message.content === "string") return message.content;
  if (!Array.isArray(message.content)) return "";
  const blocks = message.content as { type?: string; text?: string }[];
  return blocks.flatMap((block) => (block.type === "text" ? [block.text ?? ""] : [])).join("\n");
}

function wholeLines(text: string, side: "start" | "end"): string {
  const at = side === "end" ? text.lastIndexOf("\n") : text.indexOf("\n");
  if (at < 0) return text;
  return side === "end" ? text.slice(0, at) : text.slice(at + 1);
}
