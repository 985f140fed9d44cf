// Compaction: the host wants a smaller view. flowctx folds what it can at once;
// where that is not enough, the host summarises its transcript as it always did.
//
// Tried on OpenClaw 2026.9.6: a result with tokensBefore and tokensAfter but without
// a summary is taken for what it is, by /compact, at the threshold and after an
// overflow; the transcript stays whole, and the turn goes on with the folded view.

import { delegateCompactionToRuntime } from "openclaw/plugin-sdk/core";
import { COMPACT_MS } from "./constants.js";
import type { EngineParts } from "./engine.js";
import type { CompactParams, CompactResult } from "./host.js";
import { isPrivate } from "./sessions.js";
import type { CompactResponse } from "./v1/flowctx.js";

/** What a view may keep of itself where the host names no size. */
const SMALLER_SHARE = 0.7;
/** Of the window; below it the host sees no need, either. */
const ENOUGH_SHARE = 0.6;

export async function compact(parts: EngineParts, params: CompactParams): Promise<CompactResult> {
  if (!parts.isOn || isPrivate(params.sessionKey)) return delegateCompactionToRuntime(params);
  const target = targetOf(parts, params);
  const folded = await fold(parts, params, target);
  if (!folded || folded.folded === 0) return delegateCompactionToRuntime(params);
  const { tokensBefore, tokensAfter } = folded;
  const wanted = target || tokensBefore * SMALLER_SHARE;
  if (tokensAfter < tokensBefore && tokensAfter <= wanted) {
    return { ok: true, compacted: true, result: { tokensBefore, tokensAfter } };
  }
  // The host counts the last request; what was folded since shows in the next one.
  if (target && tokensBefore <= target && params.trigger !== "overflow") {
    return { ok: true, compacted: false, reason: "already compacted: the view is below threshold" };
  }
  return delegateCompactionToRuntime(params);
}

async function fold(
  { link, sessions, logger }: EngineParts,
  params: CompactParams,
  targetTokens: number,
): Promise<CompactResponse | undefined> {
  try {
    const client = await link.ready(COMPACT_MS);
    const asked = {
      session: sessions.ref(params),
      targetTokens,
      customInstructions: params.customInstructions?.toWellFormed() ?? "",
    };
    return await client?.call(client.rpc.compact, asked, COMPACT_MS);
  } catch (error) {
    logger.warn(`[flowctx] not compacted, the host does it: ${(error as Error).message}`);
    return undefined;
  }
}

/** The size the view has to come under; 0 where a user asks for a smaller one. */
function targetOf({ sessions }: EngineParts, params: CompactParams): number {
  const trigger = params.trigger ?? params.runtimeContext?.trigger;
  if (trigger === "manual") return 0;
  const window = params.tokenBudget ?? sessions.open(params.sessionKey ?? params.sessionId).contextWindow;
  return Math.floor(window * ENOUGH_SHARE);
}
