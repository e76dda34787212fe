// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// `pipewright advise --html`: what to change, and the lanes before and after the change that is picked.
import { el } from "./dom";
import type { Colours, Lanes, Sentence } from "./engine";
import { ToldLanes } from "./told_lanes";
import { percent, plain, sentence, timeText, tr } from "./words";

type ToldLanesData = Omit<Lanes, "blocked" | "complete">;

interface Change {
  what: "split" | "order" | "family" | "combined" | "bound";
  title: Sentence;
  step: number;
  gain: number;
  low: number;
  high: number;
  todo: Sentence;
  effort: number;
  assumed: string;
  peak_bytes?: number;
  lanes?: ToldLanesData;
}

export interface AdviceData {
  mode: "advice";
  title: string;
  colours: { light: Colours; dark: Colours };
  step: number;
  computing: number;
  why: Sentence;
  family?: string;
  layers: number[];
  steps: number;
  measured?: number;
  profiled: boolean;
  peak_bytes?: number;
  now: ToldLanesData;
  chosen?: number;
  changes: Change[];
  notes: Sentence[];
  after?: { change?: number; before: number; promised: number; low: number; high: number; after: number; gain: number; held: boolean; comparable: boolean; why: Sentence; where: Sentence };
}

const capitalised = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

/** "−21.4 %", of a step. */
function gainText(gain: number): string {
  const text = percent(Math.abs(gain));
  return text === "0 %" ? "±0 %" : `${gain > 0 ? "−" : "+"}${text}`;
}

export class AdvicePage {
  private at = -1;
  private readonly said = el("p", { class: "said", role: "status", "aria-live": "polite" });
  private readonly about = el("p", "about-change");
  private readonly rows: HTMLTableRowElement[] = [];
  readonly before: ToldLanes;
  readonly after: ToldLanes;

  constructor(private readonly data: AdviceData, root: HTMLElement) {
    document.title = data.title;
    this.before = new ToldLanes(words => this.say(words), 0.32);
    this.after = new ToldLanes(words => this.say(words), 0.32, undefined, this.before.view.axis);
    root.append(
      el("main", "report",
        el("h1", {}, tr("This step takes %1. Ranks compute %2 of it.", timeText(data.step), percent(data.computing))),
        el("p", {}, `${capitalised(sentence(data.why))}.`), el("p", "hint", this.origin()),
        ToldLanes.bar(() => [this.before, this.after]), this.before.root, this.after.root, this.said,
        el("div", "wide", this.table()), this.about, ...this.held(),
        ...data.notes.map(note => el("p", "hint", `${sentence(note)}.`)),
        ...(data.profiled ? [el("p", "hint", tr("A profiler was on: it lengthens passes by some 3 %, more than waits, so gains of B/W families are the least certain."))] : []),
      ),
    );
    this.pick(data.chosen ?? -1);
  }

  private say(words: string): void {
    this.said.textContent = words;
  }
  private origin(): string {
    const { family, layers, steps, measured, now } = this.data;
    const parts = [this.data.title, family ?? tr("own order"), tr("%1 devices, %2", now.devices, tr("Micro-batches: %1", now.micro_batches))];
    if (layers.length > 0) parts.push(tr("Layers: %1", layers.join(", ")));
    if (measured !== undefined) parts.push(tr("Steps: %1", steps), tr("the lanes are replayed: %1 of %2", timeText(now.makespan), timeText(measured)));
    return parts.join(" · ");
  }

  private memory(change: Change): string {
    if (change.peak_bytes === undefined || this.data.peak_bytes === undefined) return "";
    const more = change.peak_bytes - this.data.peak_bytes;
    const text = plain(Math.abs(more) / 2 ** 30, 3);
    return `${text === "0" ? "±" : more > 0 ? "+" : "−"}${text} GiB`;
  }

  private table(): HTMLElement {
    const { changes } = this.data;
    if (changes.length === 0) return el("p", {}, tr("Nothing that was tried gains anything."));
    const memory = changes.some(one => this.memory(one) !== "");
    const heads = [tr("change"), tr("step"), tr("gain"), tr("nine times in ten"), ...(memory ? [tr("memory")] : []), tr("what you do")];
    const table = el("table", "changes", el("thead", {}, el("tr", {}, ...heads.map(words => el("th", { scope: "col" }, words)))));
    const body = el("tbody");
    changes.forEach((one, i) => {
      const bound = one.what === "bound";
      const title = bound ? el("span", {}, sentence(one.title)) : el("button", { type: "button", class: "plain" }, sentence(one.title));
      const row = el("tr", bound ? { class: "bound" } : {},
        el("td", {}, title), el("td", "number", timeText(one.step)), el("td", "number gain", gainText(one.gain)),
        el("td", "number now", bound ? "" : `${gainText(one.low)} … ${gainText(one.high)}`),
        ...(memory ? [el("td", "number", this.memory(one))] : []), el("td", {}, sentence(one.todo)));
      if (!bound) row.addEventListener("click", () => this.pick(i));
      this.rows.push(row);
      body.append(row);
    });
    body.addEventListener("keydown", e => this.walk(e));
    table.append(body);
    return table;
  }
  /** Arrows go from change to change. */
  private walk(e: KeyboardEvent): void {
    const by = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    const to = this.at + by;
    if (by === 0 || this.data.changes[to] === undefined || this.data.changes[to]?.what === "bound") return;
    e.preventDefault();
    this.pick(to);
    this.rows[to]?.querySelector("button")?.focus();
  }

  private pick(at: number): void {
    this.at = at;
    this.rows.forEach((row, i) => {
      row.classList.toggle("picked", i === at);
      row.querySelector("button")?.setAttribute("aria-pressed", String(i === at));
    });
    const one = this.data.changes[at];
    const whole = (lanes: ToldLanesData): Lanes => ({ ...lanes, blocked: [], complete: true });
    const end = Math.max(this.data.now.makespan, one?.lanes?.makespan ?? 0);
    this.before.show(`${tr("as it is")} · ${timeText(this.data.step)}`, whole(this.data.now), end);
    this.after.show(one === undefined ? "" : `${sentence(one.title)} · ${timeText(one.step)} (${gainText(one.gain)})`, one?.lanes && whole(one.lanes), end);
    this.say("");
    this.about.textContent = one === undefined ? "" : [`${sentence(one.title)}: ${sentence(one.todo)}.`, one.assumed && `${one.assumed}.`, one.lanes ? "" : tr("Its lanes are not in this page.")].filter(Boolean).join(" ");
  }

  /** The promise against the trace of the changed training. */
  private held(): HTMLElement[] {
    const after = this.data.after;
    if (after === undefined) return [];
    const row = (words: string, value: string): HTMLElement => el("div", "row", el("span", {}, words), el("strong", {}, value));
    const known = after.change !== undefined;
    const verdict = !after.comparable ? tr("Not comparable: %1.", sentence(after.why)) : after.held ? tr("The promise held.") : known ? tr("The promise did not hold.") : "";
    return [
      el("h2", {}, tr("Did it hold?")),
      el("div", "held", row(tr("before"), timeText(after.before)),
        ...(known ? [row(tr("promised"), `${timeText(after.promised)} (${timeText(after.low)} … ${timeText(after.high)})`)] : []),
        row(tr("after"), `${timeText(after.after)} ${gainText(after.gain)}`)),
      el("p", { class: after.held ? "solved" : "refusal" }, verdict),
      ...(known && sentence(after.where) !== "" ? [el("p", {}, tr("Where the difference lies: %1.", sentence(after.where)))] : []),
    ];
  }
}
