// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
import { kept } from "./dom";
import { Engine, medalsOf, Standing } from "./engine";

interface Solved {
  solved: boolean;
  time: boolean;
  memory: boolean;
  messages: boolean;
}

interface Answered {
  chosen: number;
  right: boolean;
}

/** Answers as they were kept; what is damaged counts as not answered. */
function answersIn(text: string): Record<string, Answered> {
  try {
    const all = Object.entries(JSON.parse(text) as Record<string, Partial<Answered> | null>);
    return Object.fromEntries(all.filter((one): one is [string, Answered] => typeof one[1]?.chosen === "number" && typeof one[1].right === "boolean"));
  } catch {
    return {};
  }
}

/** What a person has done, in this browser alone: the results file of the engine, the solutions, the lessons that are open. */
export class Progress {
  private levels = new Map<string, Solved>();
  private reached: Set<string>;
  private answers: Record<string, Answered>;
  readonly seed: number; ///< of the order of answers; another one for everybody

  constructor(private readonly engine: Engine) {
    this.reached = new Set((kept.read("reached") ?? "").split(" "));
    this.answers = answersIn(kept.read("answers") ?? "");
    const text = kept.read("results");
    if (text !== null) engine.call("load_results", { text });
    const seed = Number(kept.read("seed") ?? NaN);
    this.seed = Number.isInteger(seed) ? seed : Math.floor(Math.random() * 2 ** 31);
    kept.write("seed", String(this.seed));
    this.read();
  }

  private read(): void {
    const told = this.engine.call("results", { who: "" }).ok;
    if (told === undefined) return;
    kept.write("results", told.text);
    const results = JSON.parse(told.text) as { levels: (Solved & { lesson: string; level: number })[] };
    this.levels = new Map(results.levels.map(one => [`${one.lesson} ${one.level - 1}`, one]));
  }

  of(lesson: string, level: number): Solved | undefined {
    return this.levels.get(`${lesson} ${level}`);
  }
  /** Keeps that the level is solved, and its order where none with more medals is kept. */
  note(lesson: string, level: number, tries: number, hints: number, standing: Standing): void {
    this.engine.call("note", { level, tries, hints });
    this.read();
    const saved = this.engine.call("save", {}).ok;
    if (saved === undefined || standing.medals < Number(this.best(lesson, level)[0] ?? 0)) return;
    kept.write(`solution ${lesson} ${level}`, saved.project);
    kept.write(`best ${lesson} ${level}`, [standing.medals, ...medalsOf(standing).map(one => one?.now)].join("|"));
  }
  /** Of the order that is kept: its medals, then its time, memory and messages; empty: none is kept. */
  best(lesson: string, level: number): string[] {
    return kept.read(`best ${lesson} ${level}`)?.split("|") ?? [];
  }
  /** Keeps tries and hints of a level that no solution came of: a teacher sees where a class is stuck. */
  leave(level: number, tries: number, hints: number): void {
    this.engine.call("note", { level, tries, hints, left: true });
    this.read();
  }
  solution(lesson: string, level: number): string | null {
    return kept.read(`solution ${lesson} ${level}`);
  }
  isReached(lesson: string): boolean {
    return this.reached.has(lesson);
  }
  reach(lesson: string): void {
    this.reached.add(lesson);
    kept.write("reached", [...this.reached].join(" "));
  }
  file(who: string): string {
    const text = this.engine.call("results", { who }).ok?.text;
    if (text === undefined) return "";
    const answers = Object.entries(this.answers).map(([place, one]) => {
      const [lesson, step, question] = place.split(" ");
      return { lesson, step: Number(step) + 1, question: Number(question) + 1, chosen: one.chosen + 1, right: one.right };
    });
    return `${JSON.stringify({ ...(JSON.parse(text) as object), answers }, null, 1)}\n`;
  }
  /** What a person has predicted for a question; the first answer counts. */
  answerOf(question: string): number | undefined {
    return this.answers[question]?.chosen;
  }
  answer(question: string, chosen: number, right: boolean): void {
    this.answers[question] ??= { chosen, right };
    kept.write("answers", JSON.stringify(this.answers));
  }
  predictions(): { right: number; of: number } {
    const all = Object.values(this.answers);
    return { right: all.filter(one => one.right).length, of: all.length };
  }
  totals(): { solved: number; medals: number } {
    const all = [...this.levels.values()];
    return { solved: all.filter(one => one.solved).length, medals: all.reduce((sum, one) => sum + Number(one.time) + Number(one.memory) + Number(one.messages), 0) };
  }
}

/** The numbers 0 … count−1 in an order that follows from the seed and a text alone. */
export function shuffled(count: number, seed: number, text: string): number[] {
  let state = seed | 0;
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; --i) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}
