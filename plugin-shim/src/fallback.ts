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

/** Summaries the host made stand for what is nowhere else; they may take this share. */
const SUMMARY_SHARE = 0.5;
const SUMMARY_ROLES = new Set(["compactionSummary", "branchSummary"]);

/**
 * Cut a list so that its estimate fits a budget; the newest turn stays.
 *
 * Whole turns go first, oldest first, so that no call loses its results. When
 * the newest turn alone is too large, its tool results are shortened.
 */
export function fitBudget(messages: HostMessage[], budget: number | undefined): HostMessage[] {
  if (!budget || estimateMessages(messages) <= budget) return messages;
  const all = Math.floor(budget * FILL) - estimateMessage(NOTICE);
  const head = summaries(messages, all * SUMMARY_SHARE);
  const room = all - estimateMessages(head);
  const rest = messages.slice(head.length);
  const start = firstTurnThatFits(rest, room);
  const kept = start > 0 ? withoutOrphans(rest.slice(start)) : rest;
  const fitted = estimateMessages(kept) <= room ? kept : shortenResults(kept, room);
  return start > 0 ? [...head, NOTICE, ...fitted] : [...head, ...fitted];
}

/** The host's own summaries at the head, unless they leave no room for anything else. */
function summaries(messages: readonly HostMessage[], room: number): HostMessage[] {
  const end = messages.findIndex(({ role }) => !SUMMARY_ROLES.has(role ?? ""));
  const head = messages.slice(0, Math.max(end, 0));
  return estimateMessages(head) <= room ? head : [];
}

/** Drop results that came so late that the turn with their call was cut. */
function withoutOrphans(messages: readonly HostMessage[]): HostMessage[] {
  const called = new Set<string>();
  return messages.filter((message) => {
    for (const id of callIds(message)) called.add(id);
    return message.role !== "toolResult" || called.has(plainId(message["toolCallId"]));
  });
}

function callIds({ role, content }: HostMessage): string[] {
  if (role !== "assistant" || !Array.isArray(content)) return [];
  const blocks = content as ({ type?: string; id?: unknown } | null)[];
  return blocks.flatMap((block) => (block?.type === "toolCall" ? [plainId(block.id)] : []));
}

/** Providers compare ids without what some of them do not allow. */
function plainId(id: unknown): string {
  return typeof id === "string" ? id.replace(/[^a-zA-Z0-9]/g, "") : "";
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
  const blocks = message.content as ({ type?: string; text?: string } | null)[];
  return blocks.flatMap((block) => (block?.type === "text" ? [block.text ?? ""] : [])).join("\n");
}

function wholeLines(text: string, side: "start" | "end"): string {
  const at = side === "end" ? text.lastIndexOf("\n") : text.indexOf("\n");
  if (at < 0) return text;
  return side === "end" ? text.slice(0, at) : text.slice(at + 1);
}
