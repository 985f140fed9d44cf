// Telling which messages are the ones already handed over, without keeping them.
//
// The host makes new objects for every turn, so identity says nothing, and
// holding last turn's copies would double what a long session costs in memory.
// A fingerprint covers role, time, ids, the kinds and lengths of all texts, and
// a sample of their characters: what the host changes in old messages (merged
// rows, trimmed results, removed images, its own summaries) changes one of these.

import type { HostMessage } from "./host.js";

const SAMPLES = 16;
/** Odd multipliers with bits spread well: that of FNV-1a, and that of MurmurHash3's end. */
const A = 0x01000193;
const B = 0x85ebca6b | 0;

/** A number that stands for a message; equal for equal content. */
export function fingerprint(message: HostMessage): number {
  const mix = new Mixer();
  mix.text(message.role);
  mix.number(message.timestamp);
  mix.text(message["toolCallId"]);
  mix.text(message["responseId"]);
  mix.text(message["summary"]);
  const content = message.content;
  if (typeof content === "string") {
    mix.text(content);
  } else if (Array.isArray(content)) {
    mix.number(content.length);
    for (const block of content) mixBlock(mix, block as Record<string, unknown> | null);
  }
  return mix.value();
}

export function fingerprints(messages: readonly HostMessage[]): Float64Array {
  const prints = new Float64Array(messages.length);
  for (let at = 0; at < messages.length; at++) prints[at] = fingerprint(messages[at] ?? {});
  return prints;
}

/** How many entries two lists share from the start, at most `limit`. */
export function sharedPrefix(a: Float64Array, b: Float64Array, limit: number): number {
  const end = Math.min(a.length, b.length, limit);
  let at = 0;
  while (at < end && a[at] === b[at]) at++;
  return at;
}

/** Where a known list and a new one run alike. */
export interface Overlap {
  /** The first so many entries are the same. */
  lead: number;
  /** So many of the known list behind them are gone from the new one. */
  skip: number;
  /** What both share ends here, in the known list. */
  count: number;
}

/**
 * What of a known list a new one begins with, when the oldest entries behind
 * the first `lead` may have gone. The host drops them once a session outgrows
 * its window.
 */
export function overlap(known: Float64Array, fresh: Float64Array, lead: number): Overlap {
  const shared = sharedPrefix(known, fresh, known.length);
  const none = { lead: 0, skip: 0, count: shared };
  if (shared !== lead || shared === known.length || shared === fresh.length) return none;
  let best = none;
  for (let at = lead + 1; at < known.length; at++) {
    if (known[at] !== fresh[lead]) continue;
    const run = sharedPrefix(known.subarray(at), fresh.subarray(lead), known.length);
    if (at + run > best.count) best = { lead, skip: at - lead, count: at + run };
  }
  return best;
}

function mixBlock(mix: Mixer, block: Record<string, unknown> | null): void {
  if (block === null || typeof block !== "object") return;
  mix.text(block["type"]);
  mix.text(block["text"]);
  mix.text(block["thinking"]);
  mix.text(block["id"]);
  mix.text(block["name"]);
  mix.text(block["data"]);
  const args = block["arguments"];
  if (args !== null && typeof args === "object") {
    for (const key in args) {
      mix.text(key);
      mix.any((args as Record<string, unknown>)[key]);
    }
  }
}

/** Two 32-bit FNV-like hashes side by side, put together to 53 bits. */
class Mixer {
  // Whole numbers of 32 bits, which the engine keeps without boxes.
  private a = 0x811c9dc5 | 0;
  private b = 0x9e3779b9 | 0;

  number(value: unknown): void {
    const number = typeof value === "number" ? value : -1;
    this.add(number | 0);
    this.add((number / 0x1_0000_0000) | 0);
  }

  text(value: unknown): void {
    if (typeof value !== "string") {
      this.add(-2);
      return;
    }
    this.add(value.length);
    const isShort = value.length <= SAMPLES;
    const count = isShort ? value.length : SAMPLES;
    const step = isShort ? 1 : (value.length - 1) / (SAMPLES - 1);
    let { a, b } = this;
    for (let n = 0; n < count; n++) {
      const code = value.charCodeAt((n * step + 0.5) | 0);
      a = Math.imul(a ^ code, A);
      b = Math.imul(b ^ code, B) ^ (b >>> 13);
    }
    this.a = a;
    this.b = b;
  }

  any(value: unknown): void {
    if (typeof value === "string") this.text(value);
    else if (typeof value === "number") this.number(value);
    else this.text(JSON.stringify(value));
  }

  value(): number {
    return (this.a >>> 0) * 0x20_0000 + ((this.b >>> 0) & 0x1f_ffff);
  }

  private add(value: number): void {
    this.a = Math.imul(this.a ^ value, A);
    this.b = Math.imul(this.b ^ value, B) ^ (this.b >>> 13);
  }
}
