// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// The engine for tests in node.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** @returns a function that calls the engine by name and gives its answer, {ok} or {refused}. */
export async function loadEngine(script) {
  const module = await createRequire(import.meta.url)(script)({
    wasmBinary: readFileSync(script.replace(/js$/, "wasm")),
  });
  return (name, argument = {}) => JSON.parse(module.ccall("pwCall", "string", ["string", "string"], [name, JSON.stringify(argument)]));
}

/** A sentence in English: its pattern with what stands at its places. */
export function english(sentence) {
  if (typeof sentence === "string") return sentence;
  return sentence[0].replace(/%([1-9])/g, (_, place) => english(sentence[+place]));
}

/** Runs a test; a failure is its message, and not the source of what threw it. */
export async function main(test) {
  try {
    await test();
  } catch (problem) {
    console.error(problem.stack ?? String(problem));
    process.exit(1);
  }
}
