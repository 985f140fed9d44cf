// Bundles the shim into one file: OpenClaw never installs a linked plugin's packages.
import { build } from "esbuild";

await build({
  entryPoints: ["src/index.ts"],
  outfile: "dist/index.js",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node24",
  external: ["openclaw/*"],
  // grpc-js is CommonJS and asks for Node's own modules by require.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  legalComments: "none",
  logLevel: "warning",
});
