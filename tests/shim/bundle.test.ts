// The bundle is what OpenClaw loads: one file that needs nothing beside it.

import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { describe, expect, it } from "vitest";

const SHIM = new URL("../../plugin-shim/", import.meta.url);
const bundle = readFileSync(new URL("dist/index.js", SHIM), "utf8");
const manifest = JSON.parse(readFileSync(new URL("openclaw.plugin.json", SHIM), "utf8")) as {
  id: string;
  version: string;
};

describe("the bundle", () => {
  it("imports only the host and Node itself, for linked plugins get no packages", () => {
    const imported = [...bundle.matchAll(/^import\b[^;]*?\bfrom "([^"]+)"/gm)].map(([, name]) => name);
    expect(imported.length).toBeGreaterThan(5);
    const foreign = imported.filter(
      (name = "") => !name.startsWith("openclaw/") && !isNodes(name.replace("node:", "")),
    );
    expect(foreign).toEqual([]);
  });

  it("registers under the manifest's id and version", () => {
    expect(bundle).toContain(`PLUGIN_ID = "${manifest.id}"`);
    expect(bundle).toContain(`VERSION = "${manifest.version}"`);
  });
});

function isNodes(name: string): boolean {
  return builtinModules.includes(name);
}
