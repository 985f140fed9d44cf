// The sidecar as a process: where it listens, starting it, waiting until it has left.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { START_MS } from "./constants.js";
import { runDir, type SidecarProgram } from "./paths.js";

export interface Endpoint {
  /** "unix:/path" or "127.0.0.1:port", as gRPC takes it. */
  address: string;
  pid: number;
  version: string;
  instance: string;
}

/** The sidecar that last announced itself; it may have gone. */
export function readEndpoint(stateDir: string): Endpoint | undefined {
  try {
    return JSON.parse(readFileSync(join(runDir(stateDir), "endpoint.json"), "utf8")) as Endpoint;
  } catch {
    return undefined;
  }
}

export function readToken(stateDir: string): string {
  return readFileSync(join(runDir(stateDir), "token"), "utf8").trim();
}

/**
 * Start the sidecar and wait for its READY line.
 *
 * It is detached: it outlives the gateway, and leaves by itself when idle. When
 * another one runs already, the new process says RUNNING and where, and ends.
 */
export async function startSidecar(program: SidecarProgram, stateDir: string): Promise<Endpoint> {
  if (program.kind === "missing") {
    throw new Error(`the flowctx program was not found (tried ${program.tried.join(", ")})`);
  }
  const child = spawn(program.command, ["serve", "--state-dir", stateDir], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  let said = "";
  try {
    return await new Promise<Endpoint>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("not ready in time")), START_MS);
      child.on("error", reject);
      child.stderr.on("data", (data: Buffer) => (said += data.toString()));
      // "exit" may come before the line that it said last.
      child.on("close", (code) => reject(new Error(`it ended with code ${code}`)));
      readLine(child.stdout, (line) => {
        const endpoint = parseReady(line);
        if (endpoint) resolve(endpoint);
      });
      timer.unref();
    });
  } catch (error) {
    child.kill();
    const tail = said.trim().split("\n").at(-1) ?? "";
    throw new Error(`${(error as Error).message}${tail ? `: ${tail}` : ""}`);
  } finally {
    child.removeAllListeners();
    child.on("error", () => {});
    child.stdout.destroy();
    child.stderr.destroy();
    child.unref();
  }
}

/** Wait until a process has ended; false when it has not in time. */
export async function waitForExit(pid: number, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(50)) {
    if (!isAlive(pid)) return true;
  }
  return !isAlive(pid);
}

/** True while a process is there, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** True when a version is above another one, by its numbers. */
export function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) > 0;
}

function parseReady(line: string): Endpoint | undefined {
  const [, json] = /^(?:READY|RUNNING) (\{.*\})$/.exec(line) ?? [];
  return json ? (JSON.parse(json) as Endpoint) : undefined;
}

function readLine(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let held = "";
  stream.on("data", (data: Buffer) => {
    const lines = (held + data.toString()).split("\n");
    held = lines.pop() ?? "";
    lines.forEach(take);
  });
}
