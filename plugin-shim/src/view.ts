// Applying a view's ops to the host's own messages.

import type { HostMessage } from "./host.js";
import type { Op } from "./v1/flowctx.js";

type Block = Record<string, unknown> | null;

/** How indices in ops count: `gone` messages behind the first `lead` are not in the list. */
export interface Numbering {
  lead: number;
  gone: number;
}

/** The list of messages that ops make of the host's; kept ones are the host's objects. */
export function applyOps(
  messages: readonly HostMessage[],
  ops: readonly Op[],
  { lead, gone }: Numbering,
): HostMessage[] {
  const at = (index: number): HostMessage | undefined =>
    index < lead ? messages[index] : index < lead + gone ? undefined : messages[index - gone];
  const view: HostMessage[] = [];
  for (const { op } of ops) {
    switch (op?.$case) {
      case "keep":
        for (let index = op.value.from; index < op.value.to; index++) push(view, at(index));
        break;
      case "replace": {
        const message = at(op.value.index);
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
  const first = blocks.findIndex(isText);
  const content = blocks
    .map((block, at) => (at === first ? { ...block, text } : block))
    .filter((block, at) => at === first || !isText(block));
  return { ...message, content };
}

/** One op that hands messages [from, to) through. */
export function keep(from: number, to: number): Op {
  return { op: { $case: "keep", value: { from, to } } };
}

function isText(block: Block): boolean {
  return block?.["type"] === "text";
}

function push(view: HostMessage[], message: HostMessage | undefined): void {
  if (message !== undefined) view.push(message);
}
