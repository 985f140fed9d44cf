// The host's scopes in which its model may be called.
//
// A call belongs to the operation of the host in whose scope it is made. The start
// of the gateway stays; a reload, for changed settings, starts the plugin's service
// in a scope of its own that ends with it, and calls from there are refused.

import { AsyncLocalStorage } from "node:async_hooks";

export type Scope = <Result>(work: () => Result) => Result;

/** Each holds what its operation held; more than these were never needed. */
const KEPT = 8;
// A reload may load this module anew.
const KEY = Symbol.for("flowctx scopes");

/** Add the scope that this is called in. */
export function noteScope(): void {
  keep(AsyncLocalStorage.snapshot());
}

/** Those that are kept: what worked or came last is first. */
export function scopes(): readonly Scope[] {
  return (globalThis as { [KEY]?: Scope[] })[KEY] ?? [];
}

/** Have a scope tried first, because it works. */
export function keep(scope: Scope): void {
  const others = scopes().filter((each) => each !== scope);
  (globalThis as { [KEY]?: Scope[] })[KEY] = [scope, ...others].slice(0, KEPT);
}
