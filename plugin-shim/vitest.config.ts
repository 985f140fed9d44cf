// The tests lie with all others, outside this folder, and find vitest from here.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: { alias: { vitest: here("node_modules/vitest/dist/index.js") } },
  test: { root: here(".."), include: ["tests/shim/**/*.test.ts"] },
});
