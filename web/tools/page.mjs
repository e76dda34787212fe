// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// One file of the engine, the script, its words and the frame; the mark of the data stays, for the program to fill.
//
// The program leaves in it what a page needs: engine and script of pages that compute, or the script of those that tell.
//
//   node page.mjs OUT VERSION FRAME STYLE ENGINE.js WORDS.json SCRIPT.js TOLD-WORDS.json TOLD-SCRIPT.js
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [out, version, frame, style, glue, words, script, toldWords, toldScript] = process.argv.slice(2);
const read = file => readFileSync(file, "utf8").trim();
// Inside a script nothing may look like its end.
const inScript = text => text.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--");
const parts = {
  VERSION: version,
  STYLE: read(style).replace(/\/\*.*?\*\//gs, "").replace(/\s*\n\s*/g, "\n"),
  WORDS: read(words).replace(/</g, "\\u003c"),
  ENGINE: gzipSync(readFileSync(glue.replace(/js$/, "wasm")), { level: 9 }).toString("base64"),
  GLUE: inScript(read(glue)),
  SCRIPT: inScript(read(script)),
  TOLD_WORDS: read(toldWords).replace(/</g, "\\u003c"),
  TOLD_SCRIPT: inScript(read(toldScript)),
};
// A script is small: each kind of page has its own.
const mostScript = 60 * 1024;
for (const file of [script, toldScript])
  if (statSync(file).size > mostScript) throw new Error(`${file} has ${statSync(file).size} bytes; ${mostScript} are the most`);
const page = read(frame).replace(/@PW_(\w+)@/g, (mark, name) => parts[name] ?? mark);
if (page.split("@PW_DATA@").length !== 2) throw new Error("the mark of the data has to be there once");
writeFileSync(out, `${page}\n`);
