// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// `pipewright convert --to html --interactive`: a schedule to work on.
import { button, download, el } from "./dom";
import { Engine, Lanes, State } from "./engine";
import { behind, LaneView } from "./lane_view";
import { plain, timeText, tr } from "./words";
import { Workbench } from "./workbench";

export interface ScheduleData {
  mode: "schedule";
  title: string;
  notes: string;
  project: string;
  /** Of a run: what was measured, on the axis of the plan. */
  measured?: Omit<Lanes, "blocked" | "complete"> & { title: string };
}

const measuredChoice = "=measured";

const fields: [keyof NonNullable<State["uniform"]>, () => string][] = [
  ["forward", () => tr("Forward F")],
  ["backward", () => tr("Input backward B")],
  ["weight", () => tr("Weight backward W")],
  ["hop", () => tr("Link")],
];

export class SchedulePage {
  private readonly bench: Workbench;
  private readonly inputs = new Map<string, HTMLInputElement>();
  private readonly family: HTMLSelectElement;
  private readonly against: HTMLSelectElement;
  private readonly devices: HTMLInputElement;
  private readonly microBatches: HTMLInputElement;
  private readonly own = el("p", "hint");
  private readonly name = el("p", { class: "hint", id: "recognised" });
  private readonly otherHost = el("div", "other");
  private readonly otherSaid = el("p", "figures");
  private readonly other: LaneView;

  constructor(private readonly engine: Engine, private readonly data: ScheduleData, root: HTMLElement) {
    document.title = data.title;
    const shown = new AbortController().signal; // as long as the page is
    this.bench = new Workbench(engine, { shown, changed: state => this.changed(state), timesFree: true });
    const all = engine.call("families", {}).ok?.families ?? [];
    const list = (id: string, first: string): HTMLSelectElement =>
      el("select", { id }, el("option", { value: "" }, first), ...all.filter(f => !f.search).map(f => el("option", { value: f.id, title: f.summary }, f.title)));
    this.family = list("family", tr("own order"));
    this.against = list("against", tr("nothing"));
    this.devices = this.number("devices", 1, 64);
    this.microBatches = this.number("micro-batches", 1, 512);
    if (data.measured !== undefined) {
      this.against.options[0]?.after(el("option", { value: measuredChoice }, data.measured.title));
      this.against.value = measuredChoice;
    }
    this.family.addEventListener("change", () => this.fill());
    this.devices.addEventListener("change", () => this.fill());
    this.microBatches.addEventListener("change", () => this.fill());
    this.against.addEventListener("change", () => {
      this.compare();
      this.bench.view.axis.fit();
    });
    this.other = new LaneView(this.otherHost, { memory: false, shown }, this.bench.view.axis);
    root.append(this.side(), el("main", {}, this.bench.root, this.otherSaid, this.otherHost));
    this.otherHost.hidden = true;
    this.bench.take(engine.call("open", { project: data.project }));
  }

  private number(id: string, least: number, most: number): HTMLInputElement {
    return el("input", { id, type: "number", min: String(least), max: String(most), step: id === "devices" || id === "micro-batches" ? "1" : "any" });
  }

  private side(): HTMLElement {
    const row = (words: string, input: HTMLElement, unit = ""): HTMLElement => el("label", "row", el("span", {}, words), input, el("span", "unit", unit));
    const times = fields.map(([field, words]) => {
      const input = this.number(field, 0, 1e6);
      this.inputs.set(field, input);
      input.addEventListener("change", () => {
        const ns = Math.round(Number(input.value) * 1e6);
        if (input.value !== "" && Number.isFinite(ns)) this.bench.take(this.engine.call("times", { [field]: ns }));
      });
      return row(words(), input, "ms");
    });
    const save = button(tr("Save as a project"), "save", () => {
      const told = this.engine.call("save", {}).ok;
      if (told !== undefined) download("schedule.pipewright.json", told.project);
    });
    const over = button(tr("Start over"), "start-over", () => this.bench.take(this.engine.call("open", { project: this.data.project })));
    return el(
      "aside", { class: "side" },
      el("h1", { id: "title" }, this.data.title),
      ...(this.data.notes === "" ? [] : [el("p", "notes", this.data.notes)]),
      el("h2", {}, tr("Schedule")),
      row(tr("Family"), this.family), row(tr("Devices"), this.devices), row(tr("Micro-batches"), this.microBatches), this.name,
      el("h2", {}, tr("Times")), ...times, this.own,
      el("h2", {}, tr("Compare with")), row(tr("Family"), this.against),
      el("div", "bar", over, save),
      el("p", "hint", tr("Drag a pass to another place; with Alt its whole micro-batch. Arrows walk, Shift with arrows moves, Delete removes, W S A D zoom and pan, F shows all, Space plays.")),
    );
  }

  private fill(): void {
    if (this.family.value === "") return this.changed(this.bench.current());
    const shape = { family: this.family.value, devices: Number(this.devices.value), micro_batches: Number(this.microBatches.value) };
    if (!this.bench.take(this.engine.call("fill", shape))) this.showShape(this.bench.current());
  }

  private changed(state: State | undefined): void {
    if (state === undefined) return;
    this.showShape(state);
    for (const [field] of fields) {
      const input = this.inputs.get(field);
      if (input === undefined) continue;
      input.disabled = state.uniform === undefined;
      input.value = state.uniform === undefined ? "" : plain(state.uniform[field] / 1e6, 9);
    }
    this.own.textContent = state.uniform === undefined ? tr("The stages have times of their own.") : "";
    const named = state.complete && state.family === undefined ? this.engine.call("recognise", {}).ok : undefined;
    this.name.textContent = named === undefined || named.text === "unknown" ? "" : tr("This order is %1.", named.text);
    this.compare();
  }

  private showShape(state: State | undefined): void {
    if (state === undefined) return;
    this.family.value = state.family?.id ?? "";
    this.devices.value = String(state.devices);
    this.microBatches.value = String(state.micro_batches);
    this.devices.disabled = this.microBatches.disabled = state.family === undefined;
  }

  /** What the choice names, in this shape and with these times; nothing where it names none or says why not. */
  private otherLanes(state: State): (Lanes & { title: string }) | undefined {
    const measured = this.data.measured;
    if (this.against.value === "") return undefined;
    if (this.against.value === measuredChoice && measured !== undefined) return { ...measured, blocked: [], complete: true };
    const answer = this.engine.call("compare", { family: this.against.value, devices: state.devices, micro_batches: state.micro_batches });
    if (answer.ok === undefined) this.bench.refuse(answer.refused);
    return answer.ok;
  }

  /** The same shape and times by another family, below on the same axis. What is seen of it stays. */
  private compare(): void {
    const state = this.bench.current();
    const other = state && this.otherLanes(state);
    this.otherHost.hidden = other === undefined;
    this.otherSaid.textContent = "";
    this.bench.view.setRoom((other?.makespan ?? 0) * behind);
    if (state === undefined || other === undefined) return this.bench.view.fitEnd();
    this.other.setRoom(state.makespan * behind);
    this.other.setLanes(other);
    const by = other.makespan === state.makespan ? tr("as long") : other.makespan < state.makespan ? tr("%1 shorter", timeText(state.makespan - other.makespan)) : tr("%1 longer", timeText(other.makespan - state.makespan));
    this.otherSaid.textContent = `${other.title}: ${tr("makespan")} ${timeText(other.makespan)}, ${by}  ·  ${tr("peak")} ${plain(other.peak)} mb`;
  }
}
