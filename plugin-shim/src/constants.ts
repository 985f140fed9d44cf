// Names and limits, each with its unit and where it comes from.

export const PLUGIN_ID = "flowctx";
/** Of this package; the sidecar must have the same. */
export const VERSION = "0.1.0";

export const RETRIEVE_TOOL = "flowctx_retrieve";
export const SEARCH_TOOL = "flowctx_search";
export const PIN_TOOL = "flowctx_pin";
export const UNPIN_TOOL = "flowctx_unpin";
export const PINS_TOOL = "flowctx_pins";
export const SCRATCH_TOOLS = {
  append: "flowctx_scratch_append",
  replace: "flowctx_scratch_replace",
  rethink: "flowctx_scratch_rethink",
} as const;

/** The host waits for no engine; these are what a reply may be kept by flowctx. */
export const ASSEMBLE_MS = 800;
export const COMMIT_MS = 200;
export const MAINTAIN_MS = 1_000;
/** What a call may wait while the sidecar is known to hang. */
export const STALLED_MS = 100;
/** What a tool of the model may take. */
export const TOOL_MS = 10_000;

/** Nobody waits for these: they run behind the reply. */
export const HELLO_MS = 3_000;
export const START_MS = 10_000;
/** How long a sidecar of another version gets to leave. */
export const DRAIN_MS = 5_000;
/** Pauses between attempts to reach a sidecar that cannot be had. */
export const RETRY_MS = [1_000, 5_000, 15_000, 60_000] as const;

export const PING_MS = 500;
/** A sidecar that answers no ping for so long hangs. */
export const STALL_MS = 1_000;

/** Set on both ends: a long session handed over whole exceeds gRPC's 4 MB. */
export const MESSAGE_MAX_BYTES = 64 * 1024 * 1024;
/** More than this is not handed over on the reply's time, but behind it, in chunks. */
export const INLINE_MAX_BYTES = 2 * 1024 * 1024;
export const INLINE_MAX_MESSAGES = 2_000;
export const CHUNK_BYTES = 2 * 1024 * 1024;
/** Messages sent ahead that may wait for the sidecar. */
export const QUEUE_MAX_BYTES = 8 * 1024 * 1024;

export const KEPT_SESSIONS = 64;
export const KEPT_PARENTS = 1_000;
