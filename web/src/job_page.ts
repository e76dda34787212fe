// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// `pipewright import --html`: a job of many workers, its steps, what costs it time and what repairs gain.
import { button, el } from "./dom";
import { causeWords, JobData, lanesOf, Measure, measures, measureWords, ranges, RepairOfJob, ShownStep, StepOfJob, stepsOf, valueText } from "./job_data";
import { BusyStrip, StepStrip, Worker, WorkerMap } from "./job_figures";
import { ToldLanes } from "./told_lanes";
import { percent, plain, sentence, timeText, tr } from "./words";

export class JobPage {
  private step = 0;
  private worker: Worker | undefined;
  private measure: Measure = "work";
  private readonly steps: StepOfJob[];
  private readonly strip: StepStrip;
  private readonly busy: BusyStrip;
  readonly map: WorkerMap;
  readonly chosen: ToldLanes;
  readonly typical: ToldLanes;
  private readonly stepWords = el("p", { class: "figures", id: "step", "aria-live": "polite" });
  private readonly said = el("p", { class: "said", role: "status", "aria-live": "polite" });
  private readonly about = el("div", "worker");
  private readonly pressed: { place: { replica?: number; device?: number; at?: number }; row: HTMLElement }[] = [];

  constructor(private readonly data: JobData, root: HTMLElement) {
    document.title = data.title;
    this.steps = stepsOf(data);
    this.strip = new StepStrip(this.steps, data.step, step => this.goTo(step, this.worker));
    this.chosen = new ToldLanes(words => this.say(words), 0.36, device => this.ofLane(device));
    this.typical = new ToldLanes(words => this.say(words), 0.14, undefined, this.chosen.view.axis);
    this.busy = new BusyStrip(this.chosen.view.axis);
    this.map = new WorkerMap(data.replicas, data.devices, worker => this.goTo(this.step, worker));
    root.append(
      el("main", "report job",
        el("h1", {}, data.title), el("p", "hint", this.origin()),
        el("div", "bar", button("‹", "earlier", () => this.walk(-1)), button("›", "later", () => this.walk(1)), this.stepWords), this.strip.root,
        ToldLanes.bar(() => [this.chosen, this.typical]), this.busy.root, this.chosen.root, this.typical.root, this.said,
        el("h2", {}, tr("Every worker")), this.measureChoice(), this.map.root, this.about),
      el("aside", "side", ...this.worth(), ...this.causes(), ...this.repairs()),
    );
    const first = data.causes.find(one => one.replica !== undefined || one.at !== undefined);
    this.goTo(first?.at ?? data.usual, this.workerOf(first ?? {}));
  }

  private say(words: string): void {
    this.said.textContent = words;
  }
  private origin(): string {
    const { origin, ranks, replicas, stages, micro_batches, family } = this.data;
    return [origin, tr("Ranks: %1", ranks), tr("Replicas: %1", replicas), tr("Stages: %1", stages), tr("Micro-batches: %1", micro_batches), family].filter(Boolean).join(" · ");
  }
  private workerOf(place: { replica?: number; device?: number }): Worker | undefined {
    if (place.replica === undefined && place.device === undefined) return undefined;
    return { replica: place.replica ?? 0, device: place.device ?? 0 };
  }
  private ofLane(device: number): void {
    const replica = this.worker?.replica ?? this.shown()?.typical ?? 0;
    this.worker = { replica: Math.max(0, replica), device };
    this.showWorkers();
  }
  private shown(): ShownStep | undefined {
    return this.data.shown.find(one => one.at === this.step);
  }
  private walk(by: number): void {
    if (this.steps[this.step + by] !== undefined) this.goTo(this.step + by, this.worker);
  }

  private goTo(step: number, worker: Worker | undefined): void {
    this.step = step;
    this.worker = worker;
    this.strip.show(step);
    const shown = this.shown();
    this.stepWords.textContent = this.strip.words(step) + (shown === undefined ? ` · ${tr("Its lanes are not in this page.")}` : "");
    this.busy.show(shown);
    this.showLanes(shown);
    this.showWorkers();
    this.say("");
    for (const { place, row } of this.pressed) row.setAttribute("aria-pressed", String((place.at === undefined || place.at === step) && (place.replica !== undefined || place.device !== undefined || place.at !== undefined) && (place.replica === undefined || place.replica === worker?.replica) && (place.device === undefined || place.device === worker?.device)));
  }

  /** The chosen replica, or the one that differs most, above one for all that are alike. */
  private showLanes(shown: ShownStep | undefined): void {
    if (shown === undefined) {
      this.chosen.show("", undefined, 0);
      this.typical.show("", undefined, 0);
      return;
    }
    const replica = this.worker?.replica ?? shown.different[0] ?? Math.max(0, shown.typical);
    const length = (lanes: { makespan: number } | undefined): string => (lanes === undefined ? "" : timeText(lanes.makespan));
    const own = lanesOf(this.data, shown, replica);
    const differs = shown.alike.length > 0 && shown.different.includes(replica);
    const missing = own === undefined ? ` · ${tr("Its lanes are not in this page.")}` : "";
    this.chosen.show((differs ? tr("Replica %1 differs: %2", replica, length(own)) : tr("Replica %1: %2", replica, length(own))) + missing, own ?? lanesOf(this.data, shown, Math.max(0, shown.typical)), shown.length);
    const other = shown.typical >= 0 && shown.typical !== replica && own !== undefined ? lanesOf(this.data, shown, shown.typical) : undefined;
    this.typical.show(tr("Alike, within %1: replicas %2; shown: %3, %4", percent(shown.within), ranges(shown.alike), shown.typical, length(other)), other, shown.length);
    this.chosen.view.selected = this.worker === undefined ? undefined : { device: this.worker.device, position: -1 };
    this.chosen.view.marked = this.worker?.device;
  }

  private measureChoice(): HTMLElement {
    const select = el("select", { id: "measure", "aria-label": tr("Every worker") }, ...measures.filter(one => this.data.values[one] !== undefined).map(one => el("option", { value: one }, measureWords(one))));
    select.addEventListener("change", () => {
      this.measure = select.value as Measure;
      this.showWorkers();
    });
    return el("div", "bar", select);
  }

  private showWorkers(): void {
    const values = (this.shown()?.values ?? this.data.values)[this.measure] ?? [];
    const words = this.worker === undefined ? tr("No worker. Click one on the map, or a pass in the lanes.") : this.wordsOf(this.worker, values);
    this.map.show(this.measure, values, this.worker, words);
    this.about.replaceChildren(el("p", { role: "status", id: "worker" }, words));
    const times = this.worker && this.data.workers[this.worker.replica * this.data.devices + this.worker.device];
    if (times === undefined) return;
    const ratio = (value: number): string => (this.data.replicas > 1 ? ` (${tr("%1 × its replicas", plain(value))})` : "");
    this.about.append(
      el("p", "figures", [times.process, `${tr("F, median")} ${timeText(times.forward)}${ratio(times.forward_ratio)}`, `${tr("Backward, median")} ${timeText(times.backward)}${ratio(times.backward_ratio)}`].filter(Boolean).join("  ·  ")),
    );
  }
  private wordsOf(worker: Worker, values: (number | null)[]): string {
    const at = worker.replica * this.data.devices + worker.device;
    const value = values[at] ?? null;
    const rank = this.data.workers[at]?.rank ?? -1;
    return tr("stage %1 of replica %2, rank %3: %4", worker.device, worker.replica, rank < 0 ? "–" : rank, value === null ? tr("not known") : valueText(this.measure, value, this.data.replicas));
  }

  /** The efficiency as a product. */
  private worth(): HTMLElement[] {
    const { efficiency } = this.data;
    const factors: [string, number, string][] = [
      [tr("Parallel efficiency"), efficiency.parallel, tr("computing ÷ ranks × step")],
      [tr("Replicas"), efficiency.replicas, tr("mean pipeline ÷ step")],
      [tr("Stages"), efficiency.stages, tr("mean ÷ largest work")],
      [tr("Order"), efficiency.order, tr("largest work ÷ free links")],
      [tr("Links"), efficiency.links, tr("free links ÷ measured")],
    ];
    return [
      el("h2", {}, tr("What it is worth")),
      ...factors.map(([words, value, note], i) => {
        const bar = el("meter", { min: "0", max: "1", value: String(Math.min(1, value)), "aria-label": words });
        return el("div", { class: i === 0 ? "factor whole" : "factor" }, el("span", {}, words), el("strong", {}, percent(value)), bar, el("span", "hint", note));
      }),
    ];
  }

  /** What leads to a place, where it has one. */
  private leading(place: { replica?: number; device?: number; at?: number }, ...content: (Node | string)[]): HTMLElement {
    if (place.replica === undefined && place.device === undefined && place.at === undefined) return el("div", "lead", ...content);
    const row = el("button", { type: "button", class: "lead", "aria-pressed": "false" }, ...content);
    row.addEventListener("click", () => this.goTo(place.at ?? this.step, this.workerOf(place) ?? this.worker));
    this.pressed.push({ place, row });
    return row;
  }
  private causes(): HTMLElement[] {
    const { causes, no_cause } = this.data;
    const list = el("div", { id: "causes" }, ...causes.map(one => this.leading(one, el("strong", {}, causeWords(one.kind)), el("span", {}, sentence(one.sentence)))));
    if (no_cause !== undefined) list.append(el("p", {}, sentence(no_cause)));
    return [el("h2", {}, tr("Causes")), list];
  }
  private repairs(): HTMLElement[] {
    const line = (one: RepairOfJob): HTMLElement =>
      this.leading(one, el("span", {}, sentence(one.sentence)), el("span", "gain", `−${percent(one.gain)}`), el("span", "hint", timeText(one.step)));
    return this.data.repairs.length === 0 ? [] : [el("h2", {}, tr("If it were repaired")), el("div", { id: "repairs" }, ...this.data.repairs.map(line))];
  }
}
