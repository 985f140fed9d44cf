// What the shim holds of each session, for the life of the process: which
// messages the sidecar has, and the ops of the last view.

import { KEPT_PARENTS, KEPT_SESSIONS } from "./constants.js";
import type { HostConfig, SessionParams } from "./host.js";
import { isSandboxed } from "./sandbox.js";
import type { Op, SessionRef } from "./v1/flowctx.js";

/** The last view of a session, and the list it was made of. Replaced as a whole. */
export interface HeldView {
  readonly prints: Float64Array;
  readonly count: number;
  /** Summaries of the host at the head, and messages gone behind them; ops count these, too. */
  readonly lead: number;
  readonly gone: number;
  readonly token: Buffer;
  readonly viewToken: Buffer;
  readonly ops: readonly Op[];
}

export const NOTHING_HELD: HeldView = {
  prints: new Float64Array(0),
  count: 0,
  lead: 0,
  gone: 0,
  token: Buffer.alloc(0),
  viewToken: Buffer.alloc(0),
  ops: [],
};

export interface Session {
  held: HeldView;
  /** Window of the model that reads the session, tokens; 0 until the host tells it. */
  contextWindow: number;
  /** A long history is being handed over in chunks right now. */
  isFeeding: boolean;
}

export class Sessions {
  private readonly sessions = new Map<string, Session>();
  private readonly parents = new Map<string, string>();
  private readonly walledOff = new Map<string, true>();
  /** The host's, as of the newest registration. */
  config: HostConfig | undefined;

  /** A session's record; the ones idle longest are dropped when there are too many. */
  open(key: string): Session {
    const found = this.sessions.get(key) ?? {
      held: NOTHING_HELD,
      contextWindow: 0,
      isFeeding: false,
    };
    this.sessions.delete(key);
    this.sessions.set(key, found);
    trim(this.sessions, KEPT_SESSIONS);
    return found;
  }

  /** Remember which session spawned a sub-agent: it speaks for the same person. */
  adopt(childKey: string, parentKey: string): void {
    this.parents.set(childKey, parentKey);
    trim(this.parents, KEPT_PARENTS);
  }

  /** Remember that the host runs a session in a sandbox, whatever the configuration says. */
  wallOff(key: string): void {
    this.walledOff.set(key, true);
    trim(this.walledOff, KEPT_PARENTS);
  }

  ref({ sessionId, sessionKey }: Partial<SessionParams>, agent = ""): SessionRef {
    const key = sessionKey ?? "";
    const sandboxed = this.walledOff.has(key) || isSandboxed(this.config, key);
    return { key, id: sessionId ?? "", agent, parentKey: this.parents.get(key) ?? "", sandboxed };
  }
}

/**
 * True for sessions that pass through untouched and leave nothing behind: the
 * host's own hidden runs, and incognito ones, which are promised to leave no trace.
 */
export function isPrivate(sessionKey: string | undefined): boolean {
  const segments = (sessionKey ?? "").split(":");
  return segments.some(
    (segment) => segment === "internal-session-effects" || segment.startsWith("incognito-"),
  );
}

function trim(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
