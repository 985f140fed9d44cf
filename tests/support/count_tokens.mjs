// Counts the tokens of texts with a real vocabulary: JSON list of texts in, list of counts out.
// Run in a folder whose node_modules holds js-tiktoken; it needs no network.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/`);
const { getEncoding } = require("js-tiktoken");
const vocabulary = getEncoding(process.argv[2]);
const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => vocabulary.encode(text, "all", []).length)));
