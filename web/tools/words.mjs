// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// The words of a page in other languages, made of the studio's translations: of the core's sentences those that the engine or
// sources of the core hold, of the page's own texts those that stand in tr("…"). What the studio does not say is in
// web/german.tsv.
//
//   node words.mjs TRANSLATIONS.ts ENGINE.wasm|SOURCE.cpp,… GERMAN.tsv SOURCES.ts... > words.json
import { readFileSync } from "node:fs";

const [translations, core, more, ...sources] = process.argv.slice(2);
const plain = text => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&apos;/g, "'").replace(/&amp;/g, "&");

const sentences = {}, known = {};
// Literals of a source may go on in the next line.
const said = core.split(",").map(file => file.endsWith(".wasm") ? readFileSync(file).toString("latin1") : readFileSync(file, "latin1").replace(/"\s*\n\s*"/g, "").replace(/"/g, "\0")).join("");
const held = pattern => said.includes(Buffer.from(`${pattern}\0`, "utf8").toString("latin1"));
for (const [, context] of readFileSync(translations, "utf8").matchAll(/<context>(.*?)<\/context>/gs)) {
  const name = /<name>(.*?)<\/name>/.exec(context)[1];
  for (const [, source, , translation] of context.matchAll(/<source>(.*?)<\/source>(.*?)<translation>(.*?)<\/translation>/gs)) {
    const english = plain(source);
    if (name === "Sentences" && held(english)) sentences[english] = plain(translation);
    else if (name !== "Sentences") known[english] ??= plain(translation);
  }
}
for (const line of readFileSync(more, "utf8").split("\n")) {
  if (line === "" || line.startsWith("#")) continue;
  const [english, german] = line.split("\t");
  known[english] = german;
}
const words = {}, missing = [];
for (const file of sources)
  for (const [, literal] of readFileSync(file, "utf8").matchAll(/\btr\("((?:[^"\\]|\\.)*)"/g)) {
    const english = JSON.parse(`"${literal}"`);
    if (known[english] === undefined) missing.push(english);
    else words[english] = known[english];
  }
if (missing.length > 0) {
  console.error(`web/german.tsv misses\n${[...new Set(missing)].map(english => `${english}\t`).join("\n")}`);
  process.exit(1);
}
console.log(JSON.stringify({ de: { words, sentences } }));
