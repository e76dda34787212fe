// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
import { BlockView } from "./block_view";
import { actWords, choiceWords, goalWords, nowWords, runWords, timesWords } from "./course_words";
import { ink } from "./colours";
import { button, el, marked } from "./dom";
import { Answer, Engine, Entry, Level, medalsOf, Run, Standing, State } from "./engine";
import type { Progress } from "./progress";
import { LessonText, lessonText, plain, sentence, timeText, tr } from "./words";
import { tiles, Workbench } from "./workbench";

export interface LevelText {
  task: LessonText;
  hints: { say: LessonText; show: LessonText };
}

export interface LevelPlace {
  lesson: string;
  step: number;
  level: number;
}

/** What a person has in hand in a level, to be gone on with in another language. */
export interface InHand {
  project: string;
  tries: number;
  hints: number;
  hintStage: number;
  best: number;
  act: number;
  acts: number;
  wasSolved: boolean;
  allReady: boolean;
}

const actsASecond = 400; ///< milliseconds between two acts of a demonstration, and of all of it at most
const longestDemonstration = 8000;

/** A level: its task, goals and medals beside the lanes, help, and what is kept of a solution. */
export class LevelPanel {
  readonly root = el("section", "level");
  readonly stand = el("section", "stand"); ///< goals, medals and what they come to
  readonly bench: Workbench;
  block: BlockView | undefined;
  private level: Level | undefined;
  private tries = 0;
  private last: string | undefined;
  private hints = 0;
  private hintStage = 0;
  private best = -1;
  private act = 0;
  private acts = 0;
  private timer = 0;
  private wasSolved = false;
  private allReady = false;
  private parHidden: boolean;
  private readonly goals = el("ul", "goals");
  private readonly trouble = el("p", { class: "refusal", role: "alert" });
  private readonly medals = el("div", "medals");
  private readonly solved = el("p", { class: "solved", role: "status" });
  private readonly medalsHead = el("h2", {}, tr("Medals"));
  private readonly field = el("figure", "field");
  readonly help = el("div", "help");
  private readonly hintSaid = el("div", { class: "hint-said", role: "status" });
  private readonly beside = el("div", "beside");
  private readonly mended = el("p");
  private readonly hint: HTMLButtonElement;
  private readonly ready = el("input", { type: "checkbox", id: "ready" });
  private choices: HTMLSelectElement | undefined;
  private readonly layers: HTMLElement[] = [];

  /** @param changed  is told whether the level is solved */
  constructor(
    private readonly engine: Engine,
    private readonly progress: Progress,
    private readonly place: LevelPlace,
    private readonly text: LevelText,
    private readonly settings: { solutions: boolean; parHidden: boolean; met: Set<string>; explain: (text: HTMLElement[]) => HTMLElement[]; shown: AbortSignal },
    private readonly changed: (solved: boolean) => void,
  ) {
    this.parHidden = settings.parHidden;
    this.hint = button(tr("Hint %1 of 3", 1), "hint", () => this.takeHint());
    this.bench = new Workbench(engine, {
      shown: settings.shown,
      changed: state => this.judge(state),
      activated: entry => this.activate(entry),
      readyPlaced: at => this.bench.take(this.engine.call("place_ready", { ready: at })),
    });
    this.bench.readyShown = state => (state.ready ?? []).filter(one => this.allReady || this.isHinted(one.device, one.pass));
    this.root.append(
      el("h2", {}, tr("Your turn")), ...settings.explain(marked(lessonText(text.task))), this.beside, this.help, this.hintSaid,
    );
    this.stand.append(el("div", {}, el("h2", {}, tr("Goal")), this.goals, this.trouble), el("div", {}, this.medalsHead, this.medals, this.solved), this.field);
    this.begin();
    this.addHelp();
  }

  /** The level is left: what is tried and not solved is kept. */
  stop(): void {
    window.clearTimeout(this.timer);
    if (this.tries > 0 || this.hints > 0) this.progress.leave(this.place.level, this.tries, this.hints);
    this.tries = this.hints = 0;
  }

  /** What is in hand, while the engine still has this level; it goes on elsewhere, and is not left. */
  inHand(): InHand | undefined {
    const saved = this.engine.call("save", {}).ok;
    if (saved === undefined) return undefined;
    const { tries, hints, hintStage, best, act, acts, wasSolved, allReady } = this;
    this.tries = this.hints = 0;
    return { project: saved.project, tries, hints, hintStage, best, act, acts, wasSolved, allReady };
  }

  /** Goes on with what was in hand; a demonstration that was being shown goes on too. */
  goOn(inHand: InHand): void {
    const { project, ...counts } = inHand;
    Object.assign(this, counts);
    this.ready.checked = counts.allReady;
    this.showHints();
    this.bench.take(this.engine.call("restore", { project }));
    this.tries = counts.tries; // to restore is none
    if (this.act < this.acts) this.timer = window.setTimeout(() => this.next(), actsASecond);
  }

  /** The answer of a prediction has been given: now the par may be seen. */
  showPar(): void {
    this.parHidden = false;
    this.showRoom();
    const state = this.bench.current();
    if (state !== undefined) this.showStanding(state);
  }

  /** Lanes that are being filled have the room that they will need; how much that is would say the answer. */
  private showRoom(): void {
    this.bench.view.setRoom(this.level?.freedom === "order" && !this.parHidden ? (this.level.par_time ?? 0) * 1.25 : 0);
    this.bench.view.fitEnd();
  }

  private begin(): void {
    this.stop();
    this.best = -1;
    this.last = undefined;
    this.act = this.acts = 0;
    this.field.replaceChildren();
    const answer = this.engine.call("level", { step: this.place.step });
    if (answer.ok === undefined) return this.bench.refuse(answer.refused);
    const level = answer.ok;
    if (this.level === undefined) this.lay(level);
    this.level = level;
    this.bench.view.setFixed(level.fixed);
    const peak = level.standing?.goals.find(goal => goal.kind === "peak");
    this.showRoom();
    this.bench.view.setGoal(peak?.limit);
    this.bench.show(level);
    this.bench.view.axis.fit();
  }

  /** What a level of this kind is worked on with. */
  private lay(level: Level): void {
    if (level.freedom === "order") this.bench.bar.prepend(tiles(this.engine, this.bench, level.kinds));
    if (level.freedom === "choice") {
      const select = el("select", { id: "choice", "aria-label": tr("Schedules of this level") }, el("option", { value: "" }, tr("Choose a schedule")));
      level.choices.forEach((choice, i) => select.append(el("option", { value: String(i) }, choiceWords(choice))));
      select.addEventListener("change", () => select.value !== "" && this.bench.take(this.engine.call("choose", { choice: Number(select.value) })));
      this.beside.append(select);
      this.choices = select;
    }
    this.beside.append(...timesWords(level).map(line => el("p", "times", line)));
    if (level.layers !== undefined) this.layLayers(level.layers.length);
    if (level.freedom === "offload") this.beside.append(el("p", {}, tr("Double-click a pass: its activation goes to the host's memory (⇡), or stays.")));
    if (level.freedom === "repair") this.beside.append(el("p", {}, tr("Double-click a pass that takes longer than usual: what slows it down is mended, or is there again.")), this.mended);
    if (level.freedom === "block") {
      this.block = new BlockView(this.engine, this.bench, this.settings.shown);
      this.bench.root.classList.add("with-block");
      this.bench.root.append(this.block.root);
    }
  }

  /** Stages with their layers, and buttons that move one to a neighbour. */
  private layLayers(stages: number): void {
    const rows = el("table", "layers");
    for (let stage = 0; stage < stages; ++stage) {
      const count = el("td", "count");
      const move = (sign: string, to: number): HTMLElement => {
        const made = button(sign, `layer-${stage}-${to}`, () => this.bench.take(this.engine.call("layer", { from: stage, to })));
        made.setAttribute("aria-label", tr("A layer from stage %1 to stage %2", stage, to));
        return made;
      };
      const moves = el("td", {}, ...(stage > 0 ? [move("↑", stage - 1)] : []), ...(stage + 1 < stages ? [move("↓", stage + 1)] : []));
      rows.append(el("tr", {}, el("th", { scope: "row" }, tr("Stage %1", stage)), count, moves));
      this.layers.push(count);
    }
    this.beside.append(rows);
  }

  /** What a double click on a pass does in a level of this kind. */
  private activate(entry: Entry): void {
    const freedom = this.level?.freedom;
    if (freedom === "order") this.run(this.engine.call("complete", { micro_batch: entry.mb }));
    else if (freedom === "offload" || freedom === "repair") this.bench.take(this.engine.call("toggle", { device: entry.device, position: entry.position }));
  }

  private addHelp(): void {
    const level = this.level;
    if (level === undefined) return;
    this.help.append(this.hint);
    if (this.settings.solutions) this.help.append(button(tr("Play it for me"), "demonstrate", () => this.demonstrate(-1)));
    this.help.append(button(tr("Start over"), "start-over", () => this.begin()));
    const saved = this.progress.solution(this.place.lesson, this.place.level);
    if (saved !== null) this.help.append(button(tr("My solution"), "my-solution", () => this.bench.take(this.engine.call("restore", { project: saved }))));
    if (level.freedom !== "order") return;
    this.ready.addEventListener("change", () => {
      this.allReady = this.ready.checked;
      const state = this.bench.current();
      if (state !== undefined) this.bench.view.setReady(this.bench.readyShown(state));
    });
    this.help.append(button(tr("Run until a choice"), "until-choice", () => this.run(this.engine.call("until_choice", {}))), el("label", "check", this.ready, tr("Show what is ready")));
  }

  /** Shows what was placed as one step, and why not more. */
  private run(answer: Answer<State & { run: Run }>): void {
    if (answer.ok === undefined) return this.bench.refuse(answer.refused);
    const run = answer.ok.run;
    this.bench.show(answer.ok);
    this.bench.say(run.passes > 0 ? tr("Placed: %1. %2", run.passes, runWords(run)) : runWords(run));
  }

  private isHinted(device: number, pass: { kind: number; stage: number; micro_batch: number; segment: number }): boolean {
    const hinted = this.level?.hinted;
    return this.hintStage >= 2 && hinted !== undefined && this.level?.hinted_device === device && hinted.kind === pass.kind && hinted.stage === pass.stage && hinted.micro_batch === pass.micro_batch && hinted.segment === pass.segment;
  }

  private showHints(): void {
    if (this.hintStage === 0) return;
    const { say, show } = this.text.hints;
    this.hintSaid.replaceChildren(...marked(lessonText(this.hintStage === 1 ? say : show)));
    const most = this.settings.solutions ? 3 : 2;
    this.hint.textContent = this.hintStage < most ? tr("Hint %1 of 3", this.hintStage + 1) : tr("No more hints");
    this.hint.disabled = this.hintStage >= most;
  }

  private takeHint(): void {
    this.hintStage += 1;
    this.hints += 1;
    this.showHints();
    if (this.hintStage === 3) this.demonstrate(this.level?.first_acts ?? 0);
    const state = this.bench.current();
    if (state !== undefined) this.bench.view.setReady(this.bench.readyShown(state));
  }

  /** Begins anew and does the first acts of the demonstration; −1: all. */
  private demonstrate(acts: number): void {
    this.begin();
    const all = this.level?.acts ?? 0;
    this.acts = acts < 0 ? all : Math.min(acts, all);
    // What is shown whole is not a solution of the person's own, until the level begins anew.
    if (this.acts === all) this.best = 3;
    this.next();
  }
  private next(): void {
    if (this.act >= this.acts) return;
    const answer = this.engine.call("act", { act: this.act++ });
    if (!this.bench.take(answer)) return;
    if (answer.ok !== undefined) this.bench.say(actWords(answer.ok.act));
    this.timer = window.setTimeout(() => this.next(), Math.min(actsASecond, longestDemonstration / Math.max(1, this.acts)));
  }

  /** A try is an order that is whole, or a block that repeats; not each of the edits on the way. */
  private countTry(standing: Standing): void {
    const now = standing.complete ? [standing.makespan, standing.peak, ...standing.goals.map(goal => goal.now)].join(" ") : "";
    // What a level begins with, and what is shown, is nobody's try.
    if (now !== "" && this.last !== undefined && now !== this.last && this.acts === 0) this.tries += 1;
    this.last = now;
  }

  private judge(state: State): void {
    if (state.block !== undefined) this.block?.setBlock(state.block);
    const standing = state.standing;
    if (standing === undefined) return;
    this.countTry(standing);
    this.layers.forEach((cell, stage) => (cell.textContent = state.layers?.[stage] === 1 ? tr("1 layer") : tr("%1 layers", state.layers?.[stage] ?? 0)));
    if (this.choices !== undefined) this.choices.value = standing.chosen < 0 ? "" : String(standing.chosen);
    if (standing.solved && standing.medals > this.best) {
      this.best = standing.medals;
      this.progress.note(this.place.lesson, this.place.level, Math.max(0, this.tries), this.hints, standing);
      this.tries = this.hints = 0;
    }
    this.bench.view.setMarks(state.away, state.gathers);
    this.showStanding(state);
    if (standing.passes === 0 && (state.ready?.length ?? 0) > 0) this.bench.say(tr("Drag a tile onto a lane; or have what is ready shown, and press it."));
    // On a low screen the medals are below the text.
    if (standing.solved && !this.wasSolved) this.solved.scrollIntoView({ block: "nearest" });
    this.wasSolved = standing.solved;
    if (standing.solved && this.level?.freedom !== "block") this.showField(state);
    else this.field.replaceChildren();
    this.changed(standing.solved);
  }

  private showStanding(state: State): void {
    const standing = state.standing;
    if (standing === undefined) return;
    this.goals.replaceChildren(
      ...standing.goals.map(goal => el("li", goal.met ? "met" : "", el("span", "mark", goal.met ? "✓" : "○"), el("span", {}, goalWords(goal)), el("span", "now", nowWords(goal, standing)))),
    );
    if (standing.mended !== undefined && standing.repairs !== undefined) this.mended.textContent = tr("mended: %1 of %2", standing.mended, standing.repairs);
    this.trouble.textContent = standing.trouble === undefined ? "" : sentence(standing.trouble);
    const best = this.progress.best(this.place.lesson, this.place.level);
    const cards = medalsOf(standing).map((medal, i) => {
      if (medal === undefined) return [];
      const rows = [tr("par %1", this.parHidden && !standing.solved ? "?" : medal.par.replace(/ · /g, "\n"))];
      const kept = best[i + 1];
      if (kept) rows.push(tr("best: %1", kept));
      rows.push(tr("you: %1", medal.now));
      return [el("div", medal.won ? "medal won" : "medal", el("strong", {}, [tr("time"), tr("memory"), tr("messages")][i] ?? ""), ...rows.map(row => el("span", {}, row)))];
    }).flat();
    this.medalsHead.hidden = cards.length === 0;
    this.medals.replaceChildren(...cards);
    const shown = this.acts > 0 && this.acts === this.level?.acts;
    this.solved.classList.toggle("shown", shown);
    this.solved.textContent = !standing.solved ? "" : shown ? tr("Shown, not solved: it counts for nothing.") : standing.medals === 0 ? tr("Solved.") : tr("Solved, medals: %1", standing.medals);
  }

  /** The solution among the families that can be made for the level. */
  private showField(state: State): void {
    const points = (this.engine.call("field", {}).ok?.points ?? []).filter(point => this.settings.met.has(point.family));
    if (points.length === 0) return;
    const all = [...points, { title: tr("you"), makespan: state.makespan, peak: state.peak }];
    const [w, h, edge] = [300, 150, 26];
    const xs = all.map(p => p.makespan), ys = all.map(p => p.peak);
    const [x0, x1, y1] = [Math.min(...xs), Math.max(...xs), Math.max(...ys)];
    const x = (p: { makespan: number }): number => edge + ((p.makespan - x0) / Math.max(1, x1 - x0)) * (w - 2 * edge - 40);
    const y = (p: { peak: number }): number => h - edge - (p.peak / Math.max(1e-9, y1)) * (h - 2 * edge);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
    svg.setAttribute("role", "img");
    const add = (tag: string, attributes: Record<string, string | number>, words = ""): void => {
      const made = document.createElementNS(svg.namespaceURI as string, tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
      made.textContent = words;
      svg.append(made);
    };
    add("text", { x: 4, y: 12, class: "axis" }, `↑ ${tr("peak")}`);
    add("text", { x: w - 4, y: h - 6, class: "axis", "text-anchor": "end" }, `${tr("makespan")} →`);
    all.forEach((p, i) => {
      const own = i === all.length - 1;
      add("circle", { cx: x(p), cy: y(p), r: own ? 5 : 4, class: own ? "own" : "other" });
      const taken = all.slice(i + 1).some(q => Math.abs(x(q) - x(p)) < 46 && Math.abs(y(q) - y(p)) < 11);
      if (own || !taken) add("text", { x: x(p) + 7, y: y(p) + 4, class: own ? "own" : "other", fill: ink("text") }, p.title);
    });
    const listed = el("ol", "for-readers", ...all.map(p => el("li", {}, `${p.title}: ${timeText(p.makespan)}, ${plain(p.peak)} mb`)));
    this.field.replaceChildren(el("figcaption", {}, tr("Everyone")), svg, listed);
  }
}
