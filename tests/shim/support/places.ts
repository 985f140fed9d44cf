// State directories, programs and servers for tests, all taken away after each.

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect } from "vitest";
import { VERSION } from "../../../plugin-shim/src/constants.js";
import type { Logger } from "../../../plugin-shim/src/host.js";
import { type LinkOptions, SidecarLink } from "../../../plugin-shim/src/link.js";
import { runDir } from "../../../plugin-shim/src/paths.js";
import { readEndpoint } from "../../../plugin-shim/src/sidecar.js";

export const PLUGIN_DIR = fileURLToPath(new URL("../../../plugin-shim", import.meta.url));
export const PYTHON = join(PLUGIN_DIR, "..", ".venv", "bin", "python");
/** How long anything may take on a machine under load. */
export const PATIENCE_MS = 30_000;

const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Something to be taken back after the test; the last one first. */
export function afterwards(step: () => unknown): void {
  undo.push(step);
}

/** A new state directory; the sidecar that was announced in it last is ended. */
export function stateDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "fxs-"));
  afterwards(() => {
    const endpoint = readEndpoint(dir);
    if (endpoint && endpoint.pid !== process.pid) kill(endpoint.pid, "SIGKILL");
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  return dir;
}

/** Let the shim find this program for the rest of the test. */
export function useProgram(path: string): void {
  const before = process.env["FLOWCTX_BIN"];
  process.env["FLOWCTX_BIN"] = path;
  afterwards(() => {
    if (before === undefined) delete process.env["FLOWCTX_BIN"];
    else process.env["FLOWCTX_BIN"] = before;
  });
}

/** A program that the shim may start in the sidecar's place. */
export function program(dir: string, lines: string): string {
  const path = join(dir, "program");
  writeFileSync(path, lines);
  chmodSync(path, 0o700);
  return path;
}

/** The real sidecar under another version; `more` changes it further. */
export function sidecarOfVersion(dir: string, version: string, more = ""): string {
  const code = [
    `#!${PYTHON}`,
    "import flowctx",
    `flowctx.__version__ = "${version}"`,
    more,
    "from flowctx.cli.main import main",
    "main()",
  ];
  return program(dir, code.join("\n"));
}

/** Run a program as the sidecar of a state directory until it is announced. */
export async function startBy(path: string, dir: string): Promise<number> {
  const child = spawn(path, ["serve", "--state-dir", dir], { stdio: "ignore" });
  afterwards(() => kill(child.pid ?? 0, "SIGKILL"));
  await until(() => readEndpoint(dir)?.pid === child.pid);
  return child.pid ?? 0;
}

/** A server at a port that does with its callers as it likes; announced like a sidecar. */
export async function impostor(dir: string, answer: (socket: Socket) => void): Promise<Server> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterwards(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  announce(dir, `127.0.0.1:${port}`);
  return server;
}

export function announce(dir: string, address: string): void {
  mkdirSync(runDir(dir), { recursive: true });
  const endpoint = { address, pid: process.pid, version: VERSION, instance: "impostor" };
  writeFileSync(join(runDir(dir), "endpoint.json"), JSON.stringify(endpoint));
  writeFileSync(join(runDir(dir), "token"), "none");
}

/** Keeps what is logged. */
export function logger(): Logger & { lines: string[] } {
  const lines: string[] = [];
  const add = (line: string): void => void lines.push(line);
  return { lines, info: add, warn: add, error: add };
}

/** A link to a state directory's sidecar, let go after the test. */
export function link(dir: string, options: Partial<LinkOptions> = {}): SidecarLink {
  const made = new SidecarLink({
    stateDir: dir,
    pluginDir: PLUGIN_DIR,
    logger: logger(),
    settings: {},
    hostVersion: "test",
    debug: false,
    ...options,
  });
  afterwards(() => made.stop());
  return made;
}

export async function until(holds: () => unknown): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20)) {
    if (holds()) return;
  }
  expect(holds()).toBeTruthy();
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It had gone already.
  }
}
