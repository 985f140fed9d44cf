// Where things are: the host's state directory, the sidecar's files, its program.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** The host's state directory when the host does not say it. */
export function defaultStateDir(env: NodeJS.ProcessEnv = process.env): string {
  return env["OPENCLAW_STATE_DIR"] || join(env["HOME"] || homedir(), ".openclaw");
}

export function runDir(stateDir: string): string {
  return join(stateDir, "flowctx", "run");
}

/** The choice of the sidecar's program, apart from starting it. */
export type SidecarProgram =
  | { kind: "found"; command: string; from: "environment" | "checkout" | "path" }
  | { kind: "missing"; tried: string[] };

const BIN = process.platform === "win32" ? join("Scripts", "flowctx.exe") : join("bin", "flowctx");

/**
 * Choose the `flowctx` program:
 * 1. `$FLOWCTX_BIN`, 2. the virtual environment of the checkout that the plugin
 * lies in, 3. `flowctx` on the path.
 *
 * @param pluginDir the plugin's own folder as the host knows it; the module runs
 *   from a copy that the host made elsewhere, so its own URL says nothing.
 */
export function resolveProgram(
  pluginDir: string,
  env: NodeJS.ProcessEnv = process.env,
): SidecarProgram {
  const named = env["FLOWCTX_BIN"];
  if (named) {
    return existsSync(named)
      ? { kind: "found", command: named, from: "environment" }
      : { kind: "missing", tried: [named] };
  }
  const checkout = join(pluginDir, "..", ".venv", BIN);
  if (existsSync(checkout)) return { kind: "found", command: checkout, from: "checkout" };
  const name = process.platform === "win32" ? "flowctx.exe" : "flowctx";
  const onPath = (env["PATH"] ?? "").split(delimiter).map((dir) => join(dir, name));
  const found = onPath.find((path) => existsSync(path));
  if (found) return { kind: "found", command: found, from: "path" };
  return { kind: "missing", tried: [checkout, `${name} on the path`] };
}
