// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Words in the language of the page. Other languages are made of the studio's translations when the page is built
// (web/tools/words.mjs), so a word is translated once.
import type { Sentence } from "./engine";

/** By language: English pattern to the pattern of the language; `words` of the page, `sentences` of the core. */
export interface Dictionaries {
  [language: string]: { words: Record<string, string>; sentences: Record<string, string> };
}

let dictionaries: Dictionaries = {};
let language = "en";

export function setDictionaries(all: Dictionaries): void {
  dictionaries = all;
}

export function setLanguage(code: string): void {
  language = code;
  document.documentElement.lang = code;
}

export const currentLanguage = (): string => language;

function filled(pattern: string, given: readonly string[]): string {
  return pattern.replace(/%([1-9])/g, (all, place: string) => given[+place - 1] ?? all);
}

/** A text of the page; %1 to %9 are the arguments. */
export function tr(english: string, ...given: (string | number)[]): string {
  return filled(dictionaries[language]?.words[english] ?? english, given.map(String));
}

/** What the core says. Half a sentence in another language is worse than all of it in one. */
export function sentence(said: Sentence): string {
  if (typeof said === "string") return said;
  const [english, ...given] = said;
  const known = dictionaries[language]?.sentences[english];
  const joins = !/\p{L}/u.test(english.replace(/%[1-9]/g, ""));
  return known !== undefined || joins ? filled(known ?? english, given.map(sentence)) : inEnglish(said);
}

function inEnglish(said: Sentence): string {
  if (typeof said === "string") return said;
  const [english, ...given] = said;
  return filled(english, given.map(inEnglish));
}

/** A text of a lesson in the language, else in its first one. */
export type LessonText = string | Record<string, string>;
export function lessonText(text: LessonText | undefined): string {
  if (text === undefined) return "";
  return withoutMarks(typeof text === "string" ? text : (text[language] ?? text[Object.keys(text)[0] ?? ""] ?? ""));
}

/** Numbers say what they are, as {9 ms|par.time}; only what stands in front of the line is read. */
function withoutMarks(text: string): string {
  return text.replace(/\{([^{}|]*)\|[^{}]*\}/g, (_, shown: string) => shown.trim());
}

/** "21 ms", "0.25 ms": four digits. */
export function timeText(ns: number): string {
  const ms = ns / 1e6;
  return `${plain(ms)} ms`;
}

export function plain(value: number, digits = 4): string {
  if (value === 0) return "0";
  const before = Math.floor(Math.log10(Math.abs(value)) + 1e-12) + 1;
  return String(Number(value.toFixed(Math.min(12, Math.max(0, digits - before)))));
}

export function percent(rate: number): string {
  return `${plain(rate * 100, 3)} %`;
}
