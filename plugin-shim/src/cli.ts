// `openclaw flowctx …` and `/flowctx …`: the sidecar's own command line does the work.

import { spawn } from "node:child_process";
import type { EngineParts } from "./engine.js";
import type { CliCommand, CommandContext, PluginApi } from "./host.js";
import { resolveProgram } from "./paths.js";
import { isPrivate } from "./sessions.js";
import { callPins } from "./tools/pins.js";

const COMMANDS = {
  status: "Is flowctx really in use? What was last offered, stored and used",
  stats: "What was stored, and what it took off the prompts",
  doctor: "Check the installation, the settings and the store",
  sessions: "List the sessions that are stored",
  explain: "Why each message of a session is raw, reduced or digested",
  retrieve: "Print an original, byte for byte, or a part of it",
  search: "Search what was said and returned by tools",
  pins: "List what is pinned",
  pin: "Keep a rule or fact in view word for word",
  unpin: "Remove a pin",
  preview: "What the next round would do to a session",
  sliding: "What sessions leave for one another: stats, list, clear",
} as const;
const SLIDING = {
  stats: "Count the cards that sessions left, and the blocks of them",
  list: "List cards, newest first",
  clear: "Delete cards, and the injected blocks that show them",
} as const;
const CHAT_MS = 20_000;
const CHAT_COMMANDS = ["status", "stats", "doctor", "sessions"];
const PIN_COMMANDS = ["pin", "unpin", "pins"];

/** Where the command line finds its program and the state it looks at. */
export interface Places {
  stateDir: () => string;
  pluginDir: string;
}

export const CLI_DESCRIPTOR = {
  name: "flowctx",
  description: "Show what flowctx keeps, sends and saves",
  hasSubcommands: true,
};

/** `openclaw sc …` is `openclaw flowctx sliding …`. */
export const SLIDING_DESCRIPTOR = {
  name: "sc",
  description: "What sessions leave for one another: stats, list, clear",
  hasSubcommands: true,
};

export function registerCli(api: PluginApi, places: Places): void {
  api.registerCli(
    ({ program }) => {
      const root = program.command("flowctx").description(CLI_DESCRIPTOR.description);
      for (const [name, text] of Object.entries(COMMANDS)) addCommand(root, name, text, places);
      const sliding = program.command("sc").description(SLIDING_DESCRIPTOR.description);
      for (const [name, text] of Object.entries(SLIDING)) {
        addCommand(sliding, name, text, places, ["sliding", name]);
      }
    },
    { descriptors: [CLI_DESCRIPTOR, SLIDING_DESCRIPTOR] },
  );
}

export function registerChatCommand(api: PluginApi, places: Places, parts: EngineParts): void {
  api.registerCommand({
    name: "flowctx",
    description: "flowctx: status, stats, doctor, sessions, pin, unpin, pins",
    acceptsArgs: true,
    handler: async (context) => {
      const said = (context.args ?? "").trim();
      const [name = "status", ...rest] = said.split(/\s+/).filter(Boolean);
      if (PIN_COMMANDS.includes(name)) return { text: await pinByChat(parts, context, said) };
      if (!CHAT_COMMANDS.includes(name)) {
        return { text: `Use /flowctx with one of: ${[...CHAT_COMMANDS, ...PIN_COMMANDS].join(", ")}.` };
      }
      return { text: await capture(places, [name, ...rest]) };
    },
  });
}

/** `/flowctx pin [--scope session|agent] TEXT`, `/flowctx unpin ID`, `/flowctx pins`. */
async function pinByChat(parts: EngineParts, context: CommandContext, said: string) {
  if (!parts.isOn || !context.sessionKey || isPrivate(context.sessionKey)) {
    return "Nothing can be pinned here.";
  }
  const [, name = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(said) ?? [];
  const action = name === "pin" || name === "unpin" ? name : "list";
  const params = { ...pinWords(rest), id: rest.trim() };
  const answer = await callPins(parts, parts.sessions.ref(context, context.agentId), action, params);
  return answer.content.map((block) => block.text).join("\n");
}

/** What is to be pinned, and for how long; `--agent` is short for `--scope agent`. */
export function pinWords(rest: string): { text: string; scope: string } {
  const [option = "", scope = "agent"] = /^(?:--agent|--scope[\s=]+(\S+))(?:\s+|$)/.exec(rest) ?? [];
  return { text: rest.slice(option.length), scope: option ? scope : "session" };
}

function addCommand(
  root: CliCommand,
  name: string,
  text: string,
  places: Places,
  words: string[] = [name],
): void {
  root
    .command(name)
    .description(text)
    .argument("[args...]", `passed to \`flowctx ${words.join(" ")}\`; --json prints a document`)
    .allowUnknownOption(true)
    .helpOption(false)
    .action(async (args) => {
      process.exitCode = await run(places, [...words, ...args]);
    });
}

function run(places: Places, args: string[]): Promise<number> {
  const program = resolveProgram(places.pluginDir);
  if (program.kind === "missing") {
    console.error(`flowctx: the program was not found (tried ${program.tried.join(", ")})`);
    return Promise.resolve(1);
  }
  return new Promise((resolve) => {
    const child = spawn(program.command, withState(places, args), { stdio: "inherit" });
    child.on("error", (error) => {
      console.error(`flowctx: ${error.message}`);
      resolve(1);
    });
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

function capture(places: Places, args: string[]): Promise<string> {
  const program = resolveProgram(places.pluginDir);
  if (program.kind === "missing") {
    return Promise.resolve(`The flowctx program was not found (tried ${program.tried.join(", ")}).`);
  }
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: "1", COLUMNS: "80" };
    const child = spawn(program.command, withState(places, args), { env, timeout: CHAT_MS });
    let said = "";
    child.stdout.on("data", (data: Buffer) => (said += data.toString()));
    child.stderr.on("data", (data: Buffer) => (said += data.toString()));
    child.on("error", (error) => resolve(error.message));
    child.on("close", () => resolve(said.trim() || "No answer in time."));
  });
}

function withState({ stateDir }: Places, args: string[]): string[] {
  return [...args, "--state-dir", stateDir()];
}
