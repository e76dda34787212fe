// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// The pages that show what was computed before: advice, and jobs. They have no core.
import { AdviceData, AdvicePage } from "./advice_page";
import { prepareColours } from "./colours";
import type { JobData } from "./job_data";
import { JobPage } from "./job_page";
import { Dictionaries, setDictionaries, setLanguage } from "./words";

function start(): void {
  const read = (id: string): unknown => JSON.parse(document.getElementById(id)?.textContent ?? "");
  const data = read("data") as AdviceData | JobData;
  setDictionaries(read("words") as Dictionaries);
  setLanguage(navigator.language.startsWith("de") ? "de" : "en");
  prepareColours(data.colours);
  const root = document.getElementById("page");
  if (root === null) return;
  root.replaceChildren();
  const page = data.mode === "advice" ? new AdvicePage(data, root) : new JobPage(data, root);
  Object.assign(window, { pipewright: page });
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

try {
  start();
} catch (problem: unknown) {
  document.getElementById("page")?.replaceChildren(`This page cannot be shown: ${String(problem)}`);
}
