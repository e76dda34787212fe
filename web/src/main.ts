// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
import { prepareColours } from "./colours";
import { CourseData, CoursePage } from "./course_page";
import { Engine } from "./engine";
import { ScheduleData, SchedulePage } from "./schedule_page";
import { Dictionaries, setDictionaries, setLanguage } from "./words";

interface Module {
  ccall(name: string, returned: string, types: string[], given: string[]): string;
}
// TypeScript 4.8 does not know it yet.
declare const DecompressionStream: new (format: "gzip") => GenericTransformStream;
declare const pwEngine: (settings: { wasmBinary: Uint8Array }) => Promise<Module>;

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

/** The engine's bytes: packed, in base 64, inside the page, since one that is opened from a disk may load nothing. */
async function unpacked(): Promise<Uint8Array> {
  const text = atob(textOf("engine").trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function start(): Promise<void> {
  const data = JSON.parse(textOf("data")) as ScheduleData | CourseData;
  setDictionaries(JSON.parse(textOf("words")) as Dictionaries);
  const module = await pwEngine({ wasmBinary: await unpacked() });
  const engine = new Engine((name, argument) => module.ccall("pwCall", "string", ["string", "string"], [name, argument]));
  prepareColours(engine.call("colours", {}).ok);
  const root = document.getElementById("page");
  if (root === null) return;
  root.replaceChildren();
  const preferred = navigator.language.slice(0, 2);
  if (data.mode === "schedule") {
    setLanguage(preferred === "de" ? "de" : "en");
    const page = new SchedulePage(engine, data, root);
    Object.assign(window, { pipewright: page });
  } else {
    const page = new CoursePage(engine, data, root, preferred);
    Object.assign(window, { pipewright: page });
  }
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

start().catch((problem: unknown) => {
  const root = document.getElementById("page");
  const able = typeof WebAssembly !== "undefined" && typeof DecompressionStream !== "undefined";
  const why = able ? "This page cannot be shown" : "This page needs a browser with WebAssembly and DecompressionStream (Chromium 97, Firefox 113, Safari 16.4 or later)";
  root?.replaceChildren(`${why}: ${String(problem)}`);
});
