// The link to the sidecar: found or started by whoever needs it first, kept for
// the whole process, mended when it breaks. Nothing here throws to its callers.

import { isDeepStrictEqual } from "node:util";
import { SidecarClient } from "./client.js";
import { DRAIN_MS, HELLO_MS, RETRY_MS, VERSION } from "./constants.js";
import type { Logger } from "./host.js";
import type { LlmJobs } from "./llm.js";
import { resolveProgram } from "./paths.js";
import {
  type Endpoint,
  isAlive,
  isNewer,
  readEndpoint,
  readToken,
  startSidecar,
  waitForExit,
} from "./sidecar.js";
import type { Notice, ShimFrame, SidecarFrame } from "./v1/flowctx.js";

export interface LinkOptions {
  stateDir: string;
  /** The plugin's own folder. */
  pluginDir: string;
  logger: Logger;
  settings: Record<string, unknown>;
  hostVersion: string;
  /** Detail lines in the log. */
  debug: boolean;
}

/** Frames kept while there is no stream, newest last. */
const KEPT_FRAMES = 500;

export class SidecarLink {
  private client: SidecarClient | undefined;
  private connecting: Promise<void> | undefined;
  private waiting: ShimFrame["frame"][] = [];
  private failures = 0;
  private nextTry = 0;
  private retry: NodeJS.Timeout | undefined;
  private keepsUp = false;
  private jobs: LlmJobs | undefined;
  /** How often it was let go; a connection that was begun before is not taken. */
  private stops = 0;
  private readonly told = new Set<string>();

  constructor(private options: LinkOptions) {}

  /** Take over what a later registration says; changed settings are told at once. */
  configure(options: LinkOptions): void {
    const isChanged = !isDeepStrictEqual(options.settings, this.options.settings);
    this.options = options;
    const { client } = this;
    if (isChanged && client) {
      this.greet(client).catch((error: Error) => this.debug(`settings not told: ${error.message}`));
    }
  }

  /** Why there is no sidecar; empty while there is one. */
  trouble = "not connected yet";

  /** Connect now, and again whenever the link breaks, until `stop`; run the sidecar's jobs. */
  start(jobs?: LlmJobs): void {
    this.keepsUp = true;
    this.jobs = jobs;
    if (this.client) this.offer(this.client);
    else void this.connect();
  }

  /** Let go of the sidecar; it goes on, and leaves by itself when idle. */
  stop(): void {
    this.keepsUp = false;
    this.jobs?.cancelAll();
    this.jobs = undefined;
    this.stops += 1;
    clearTimeout(this.retry);
    this.client?.close();
    this.client = undefined;
    this.trouble = "the gateway stopped";
  }

  /** The client, waiting for a connection under way for so long; undefined if there is none. */
  async ready(withinMs: number): Promise<SidecarClient | undefined> {
    if (this.client) return this.client;
    if (Date.now() < this.nextTry) return undefined;
    const attempt = this.connect();
    // Where the last attempt failed, this one is not worth anybody's time.
    if (this.failures === 0) await Promise.race([attempt, pause(withinMs)]);
    return this.client;
  }

  /** Send a frame ahead; kept for a while when there is no stream right now. */
  send(frame: ShimFrame["frame"]): void {
    if (this.client?.send(frame)) return;
    this.waiting.push(frame);
    if (this.waiting.length > KEPT_FRAMES) this.waiting.shift();
  }

  private connect(): Promise<void> {
    if (this.client) return Promise.resolve();
    this.connecting ??= this.establish()
      .catch((error: Error) => this.noteFailure(error))
      .finally(() => (this.connecting = undefined));
    return this.connecting;
  }

  private async establish(): Promise<void> {
    const { stops } = this;
    const client = (await this.reach()) ?? (await this.begin());
    if (stops !== this.stops) {
      client.close();
      return;
    }
    client.attach(
      (frame) => this.take(frame),
      (reason) => this.noteEnd(client, reason),
    );
    this.client = client;
    this.offer(client);
    this.failures = 0;
    this.trouble = "";
    this.waiting = this.waiting.filter((frame) => !client.send(frame));
  }

  /** The sidecar that runs, if it answers and has our version; an older one is drained. */
  private async reach(): Promise<SidecarClient | undefined> {
    const endpoint = readEndpoint(this.options.stateDir);
    if (!endpoint) return undefined;
    const { pid: holder, version: theirs } = endpoint;
    // Two gateways of different versions would drain each other's for ever. Not even a call
    // is made: without one, a newer sidecar that nobody needs any more leaves when idle.
    if (isNewer(theirs, VERSION) && isAlive(holder)) {
      throw new Error(`sidecar ${theirs} is newer than this plugin (${VERSION}); update the plugin`);
    }
    let client: SidecarClient | undefined;
    try {
      client = this.open(endpoint);
      const { version, pid } = await this.greet(client);
      if (version === VERSION) return client;
      this.options.logger.info(`[flowctx] replacing sidecar ${version} by ${VERSION}`);
      await client.call(client.rpc.drain, {}, HELLO_MS);
      await waitForExit(pid, DRAIN_MS);
    } catch (error) {
      this.debug(`no sidecar at ${endpoint.address}: ${(error as Error).message}`);
    }
    client?.close();
    return undefined;
  }

  private async begin(): Promise<SidecarClient> {
    const program = resolveProgram(this.options.pluginDir);
    const endpoint = await startSidecar(program, this.options.stateDir);
    const client = this.open(endpoint);
    try {
      const { version } = await this.greet(client);
      if (version !== VERSION) throw new Error(`sidecar ${version} does not leave for ${VERSION}`);
    } catch (error) {
      client.close();
      throw error;
    }
    this.options.logger.info(`[flowctx] sidecar ${endpoint.version}, process ${endpoint.pid}`);
    return client;
  }

  private open(endpoint: Endpoint): SidecarClient {
    return new SidecarClient(endpoint.address, readToken(this.options.stateDir));
  }

  private async greet(client: SidecarClient): Promise<{ version: string; pid: number }> {
    const answer = await client.call(
      client.rpc.hello,
      {
        version: VERSION,
        client: this.keepsUp ? "gateway" : "local",
        hostVersion: this.options.hostVersion,
        nodeVersion: process.versions.node,
        settingsJson: Buffer.from(JSON.stringify(this.options.settings)),
      },
      HELLO_MS,
    );
    for (const { key, message } of answer.settingProblems) {
      this.once(`[flowctx] setting ${key}: ${message}`);
    }
    if (answer.store?.state !== "ok") {
      this.once(`[flowctx] store ${answer.store?.state}: ${answer.store?.reason}`);
    }
    return answer;
  }

  private noteFailure(error: Error): void {
    this.trouble = error.message;
    const wait = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)] ?? 60_000;
    this.failures += 1;
    this.nextTry = Date.now() + wait;
    this.once(`[flowctx] no sidecar, replies go on without it: ${error.message}`);
    this.tryLater(wait);
  }

  private noteEnd(client: SidecarClient, reason: string): void {
    if (this.client !== client) return;
    this.jobs?.cancelAll();
    client.close();
    this.client = undefined;
    this.trouble = `the link broke (${reason})`;
    this.debug(this.trouble);
    this.nextTry = 0;
    this.tryLater(0);
  }

  private tryLater(waitMs: number): void {
    clearTimeout(this.retry);
    if (!this.keepsUp) return;
    this.retry = setTimeout(() => void this.connect(), waitMs);
    this.retry.unref();
  }

  /** Say that this process can call models. */
  private offer(client: SidecarClient): void {
    if (this.jobs) client.send({ $case: "attached", value: { canComplete: true } });
  }

  private take(frame: SidecarFrame["frame"]): void {
    if (frame?.$case === "notice") this.log(frame.value);
    if (frame?.$case === "llmCancel") this.jobs?.cancel(frame.value.id);
    if (frame?.$case !== "llmJob") return;
    // A result belongs to the sidecar that asked: a later one has begun anew.
    const { client } = this;
    void this.jobs?.run(frame.value, (result) => client?.send(result));
  }

  private log({ kind, text }: Notice): void {
    if (kind === "trouble") this.options.logger.warn(`[flowctx] ${text}`);
    else if (kind === "trigger") this.options.logger.info(`[flowctx:trigger] ${text}`);
    else this.debug(text);
  }

  private debug(text: string): void {
    if (this.options.debug) this.options.logger.info(`[flowctx:engine] ${text}`);
  }

  private once(line: string): void {
    if (this.told.has(line)) return;
    this.told.add(line);
    this.options.logger.warn(line);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

