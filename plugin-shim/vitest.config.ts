// The tests lie with all others, outside this folder, and find vitest from here.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      vitest: here("node_modules/vitest/dist/index.js"),
      // The host's own functions are there only inside of the host.
      "openclaw/plugin-sdk/core": here("../tests/bench/sdk_standin.ts"),
    },
  },
  test: { root: here(".."), include: ["tests/shim/**/*.test.ts"], testTimeout: 60_000 },
});
