// Applying a view's ops to the host's own messages.

import type { HostMessage } from "./host.js";
import type { Op } from "./v1/flowctx.js";

type Block = Record<string, unknown>;

/** The list of messages that ops make of the host's; kept ones are the host's objects. */
export function applyOps(messages: readonly HostMessage[], ops: readonly Op[]): HostMessage[] {
  const view: HostMessage[] = [];
  for (const { op } of ops) {
    switch (op?.$case) {
      case "keep":
        for (let at = op.value.from; at < op.value.to; at++) push(view, messages[at]);
        break;
      case "replace": {
        const message = messages[op.value.index];
        if (message) view.push(withText(message, op.value.text));
        break;
      }
      case "insert":
        view.push(JSON.parse(new TextDecoder().decode(op.value.json)) as HostMessage);
        break;
    }
  }
  return view;
}

/** The same message with its text blocks replaced by one; images and all else stay. */
export function withText(message: HostMessage, text: string): HostMessage {
  if (!Array.isArray(message.content)) return { ...message, content: text };
  const blocks = message.content as Block[];
  const first = blocks.findIndex((block) => block["type"] === "text");
  const content = blocks
    .map((block, at) => (at === first ? { ...block, text } : block))
    .filter((block, at) => at === first || block["type"] !== "text");
  return { ...message, content };
}

/** One op that hands messages [from, to) through. */
export function keep(from: number, to: number): Op {
  return { op: { $case: "keep", value: { from, to } } };
}

function push(view: HostMessage[], message: HostMessage | undefined): void {
  if (message !== undefined) view.push(message);
}
