// The token estimate by class of code point, as the sidecar has it.

import type { HostMessage } from "./host.js";

const ASCII = /^[\0-\x7f]*$/;
const IMAGE_TOKENS = 1_600;
const MESSAGE_OVERHEAD_TOKENS = 4;

/** Tokens of a text: ASCII and other letters 0.25, CJK 1.5, astral plane 2 a code point. */
export function estimateTokens(text: string): number {
  if (ASCII.test(text)) return Math.ceil(text.length / 4);
  let quarters = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isLead(unit) && isTrail(text.charCodeAt(at + 1))) {
      quarters += 8;
      at++;
    } else quarters += isCjk(unit) ? 6 : 1;
  }
  return Math.ceil(quarters / 4);
}

/** Tokens of all that a model sees of a message. */
export function estimateMessage(message: HostMessage): number {
  const { content } = message;
  let tokens = MESSAGE_OVERHEAD_TOKENS;
  if (typeof content === "string") tokens += estimateTokens(content);
  if (typeof message["summary"] === "string") tokens += estimateTokens(message["summary"]);
  if (Array.isArray(content)) for (const block of content) tokens += estimateBlock(block);
  return tokens;
}

export function estimateMessages(messages: readonly HostMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}

function estimateBlock(block: Record<string, unknown> | null): number {
  if (block === null || typeof block !== "object") return 0;
  if (block["type"] === "image") return IMAGE_TOKENS;
  if (typeof block["text"] === "string") return estimateTokens(block["text"]);
  if (typeof block["thinking"] === "string") return estimateTokens(block["thinking"]);
  return estimateTokens(JSON.stringify(block) ?? "");
}

function isLead(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function isCjk(unit: number): boolean {
  return (
    (unit >= 0x3000 && unit <= 0x30ff) ||
    (unit >= 0x3400 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7af) ||
    (unit >= 0xff00 && unit <= 0xffef)
  );
}
