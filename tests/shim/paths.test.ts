// Which program is the sidecar's, and where the host keeps its state.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { defaultStateDir, resolveProgram } from "../../plugin-shim/src/paths.js";

const root = mkdtempSync(join(tmpdir(), "fxp-"));
afterAll(() => rmSync(root, { recursive: true }));

function touch(...path: string[]): string {
  const file = join(root, ...path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  return file;
}

describe("the program", () => {
  const named = touch("named", "flowctx");
  const checkout = touch("checkout", ".venv", "bin", "flowctx");
  const onPath = touch("later", "flowctx");
  const inCheckout = join(root, "checkout", "plugin-shim");
  const elsewhere = join(root, "elsewhere", "plugin-shim");
  const PATH = ["/nowhere", dirname(onPath)].join(delimiter);

  it("is the named one, else the checkout's, else the first on the path", () => {
    const env = { FLOWCTX_BIN: named, PATH };
    expect(resolveProgram(inCheckout, env)).toMatchObject({ command: named, from: "environment" });
    expect(resolveProgram(inCheckout, { PATH })).toMatchObject({ command: checkout });
    expect(resolveProgram(elsewhere, { PATH })).toMatchObject({ command: onPath, from: "path" });
  });

  it("is never another than the one that was named", () => {
    const missing = join(root, "not there");
    expect(resolveProgram(inCheckout, { FLOWCTX_BIN: missing, PATH })).toEqual({
      kind: "missing",
      tried: [missing],
    });
  });

  it("is missing with the places that were tried", () => {
    const found = resolveProgram(elsewhere, {});
    expect(found.kind).toBe("missing");
    expect(found).toMatchObject({ tried: [expect.stringContaining("elsewhere"), expect.anything()] });
  });
});

describe("the state directory", () => {
  it("is the named one, else the host's usual one", () => {
    expect(defaultStateDir({ OPENCLAW_STATE_DIR: "/there", HOME: "/h" })).toBe("/there");
    expect(defaultStateDir({ HOME: "/h" })).toBe("/h/.openclaw");
    expect(defaultStateDir({ OPENCLAW_STATE_DIR: "", HOME: "/h" })).toBe("/h/.openclaw");
  });
});
