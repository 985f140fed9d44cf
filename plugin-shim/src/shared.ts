// What all registrations in one process share.
//
// The host registers the plugin several times and makes engines from any of
// these; a reload even loads the module anew. One link and one memory of
// sessions must serve them all, or every registration would hand whole
// histories over again.

import { VERSION } from "./constants.js";
import { type LinkOptions, SidecarLink } from "./link.js";
import { Sessions } from "./sessions.js";

export interface Shared {
  link: SidecarLink;
  sessions: Sessions;
}

// Another version of the plugin gets another: it may not fit what this one holds.
const KEY = Symbol.for(`flowctx ${VERSION}`);

/** The link and sessions of a state directory, told the newest options. */
export function openShared(options: LinkOptions): Shared {
  const holder = globalThis as { [KEY]?: Map<string, Shared> };
  const all = (holder[KEY] ??= new Map());
  const found = all.get(options.stateDir);
  if (found) {
    found.link.configure(options);
    return found;
  }
  const made = { link: new SidecarLink(options), sessions: new Sessions() };
  all.set(options.stateDir, made);
  return made;
}
