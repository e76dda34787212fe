// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// One script of a page. Members of our own classes get short names, where nobody else can mean the same name: no browser's
// interface, no interface of ours (what the engine says, what a page is given), and no test.
//
//   node bundle.mjs ESBUILD TSC TESTS ENTRY.ts OUT.js SOURCES.ts…
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

const [esbuild, tsc, tests, entry, out, ...sources] = process.argv.slice(2);
const text = files => files.map(file => readFileSync(file, "utf8").replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, "")).join("\n");
const within = (folder, matching) => readdirSync(folder).filter(name => matching.test(name)).map(name => join(folder, name));
const words = of => new Set(of.match(/\b[A-Za-z_]\w*/g));

const ours = text(sources);
const interfaces = [...ours.matchAll(/\binterface \w+[^{]*\{(.*?)\n\}/gs)].map(found => found[1]).join("\n");
// Tests ask for members behind a point.
const asked = (text(within(tests, /\.mjs$/)).match(/\.\w+/g) ?? []).join(" ");
const others = [text(within(join(dirname(realpathSync(tsc)), "../lib"), /^lib\..*\.d\.ts$/)), asked, interfaces].map(words);
const members = new Set();
for (const [, body] of ours.matchAll(/\bclass \w+[^{]*\{\n(.*?)\n\}/gs))
  for (const [, name] of body.matchAll(/(?:^ {2}|\b(?:private|readonly) )(?!(?:private|readonly|constructor|get|set)\b)([A-Za-z]\w+)(?=[(:;<?!]| =)/gm)) members.add(name);
const short = [...members].filter(name => !others.some(known => known.has(name)));

const { status } = spawnSync(esbuild, [entry, "--bundle", "--minify", "--target=es2022", "--charset=utf8", `--mangle-props=^(${short.join("|")})$`,
  "--log-level=warning", `--outfile=${out}`], { stdio: "inherit" });
process.exit(status ?? 1);
