// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What the compiled core takes and gives (web/engine/*.cpp). Times are nanoseconds, memory is micro-batches.

/** A text that is the same in every language, or a pattern and what stands at its places %1 to %9. */
export type Sentence = string | [string, ...Sentence[]];

export interface PassName {
  kind: number;
  stage: number;
  micro_batch: number;
  segment: number;
}

/** Lanes with their figures. A lane is flat: start, end, kind, micro-batch, chunk, segment, stage, paired; a pair goes on with
 *  kind, micro-batch, chunk, segment, stage of its second pass. Memory is flat, too: time, micro-batches. */
export interface Lanes {
  devices: number;
  micro_batches: number;
  segments: number;
  lanes: (number | boolean)[][];
  stages: number[][];
  memory: number[][];
  makespan: number;
  span_bubble: [number, number];
  wall_bubble: [number, number];
  peak: number;
  busy: number[];
  blocked: number[];
  complete: boolean;
  critical?: number[];
  problem?: Sentence;
}

export interface Goal {
  kind: "complete" | "makespan" | "peak" | "span_bubble" | "wall_bubble" | "messages" | "gathers" | "versions" | "family" | "order" | "interval" | "block_peak" | "micro_batches";
  limit: number;
  met: boolean;
  so_far: boolean;
  now: number;
  family: string;
}

export interface Medal {
  won: boolean;
  par: string;
  now: string;
}

export interface Standing {
  solved: boolean;
  /** Every pass stands and the order runs; a block repeats without collision. */
  complete: boolean;
  /** Nanoseconds; of a block its interval. */
  makespan: number;
  peak: number;
  medals: number;
  passes: number;
  wanted: number;
  chosen: number;
  mended?: number; ///< of a level of repairs: what is mended, and may be
  repairs?: number;
  trouble?: Sentence;
  goals: Goal[];
  time?: Medal;
  memory?: Medal;
  messages?: Medal;
}

/** Its medals, for time, memory and messages. */
export const medalsOf = (standing: Standing): (Medal | undefined)[] => [standing.time, standing.memory, standing.messages];

export interface Ready {
  device: number;
  chunk: number;
  start: number;
  end: number;
  pass: PassName;
}

/** A pass of a block: device, start, end, kind, chunk, stage; in units. */
export type BlockPass = [number, number, number, number, number, number];

export interface Block {
  devices: number;
  interval: number;
  passes: BlockPass[];
  problem?: Sentence;
  collisions: { device: number; residue: number; text: Sentence }[];
  lives: { peak: number; cells: [number, number, number][] }[];
}

export interface State extends Lanes {
  title: string;
  family?: { id: string; title: string; options: Record<string, number> };
  uniform?: { forward: number; backward: number; weight: number; hop: number };
  undo: boolean;
  redo: boolean;
  standing?: Standing;
  ready?: Ready[];
  block?: Block;
  /** Whose activations wait in the host's memory: stage, micro-batch and segment of each. */
  away?: number[];
  /** By device, of a level that counts them: the places in its order where it gathers a stage's weights. */
  gathers?: number[][];
  /** By stage, of a level that moves them. */
  layers?: number[];
}

export interface Choice {
  title: string;
  options: string[];
  micro_batches: number;
}

export interface Level extends State {
  freedom: "order" | "choice" | "block" | "layers" | "offload" | "repair";
  kinds: string[];
  choices: Choice[];
  fixed: number[];
  /** F, B and W of each stage, of equal ones once; empty: as usual, or the level changes them. */
  times: [number, number, number][];
  fused: boolean;
  hop: number;
  acts: number;
  first_acts: number;
  par_time?: number;
  hinted?: PassName;
  hinted_device?: number;
}

export interface Trial extends Lanes {
  refusal?: Sentence;
  grabbed: number[];
  moves: boolean;
}

export interface Run {
  passes: number;
  end: "wrong" | "complete" | "was_complete" | "blocked" | "whole" | "none" | "choice" | "many";
  device: number;
  first: PassName;
  second: PassName;
}

/** A step of a demonstration. */
export interface Act {
  do: "place" | "move" | "remove" | "clear" | "finish" | "reorder" | "family" | "shift" | "interval" | "stamp" | "block" | "layer" | "toggle";
  device: number;
  from: number;
  to: number;
  passes: string;
  rule: string;
  amount: number;
  count: number;
  family?: Choice;
}

export interface FamilyName {
  id: string;
  title: string;
  summary: string;
  citation: string;
  search: boolean;
}

export type Colours = Record<string, [string, boolean]>;

interface Shape {
  family: string;
  devices: number;
  micro_batches: number;
  options?: Record<string, number>;
}

interface Place {
  device: number;
  position: number;
}

interface Drop {
  kind: string;
  device: number;
  time: number;
}

type None = Record<string, never>;

/** Each function with its argument and its answer. */
interface Functions {
  colours: [None, { light: Colours; dark: Colours }];
  families: [None, { families: FamilyName[] }];
  open: [{ project: string }, State];
  save: [None, { project: string }];
  state: [None, State];
  fill: [Shape, State];
  compare: [Shape, Lanes & { title: string }];
  undo: [None, State];
  redo: [None, State];
  times: [{ forward?: number; backward?: number; weight?: number; hop?: number }, State];
  pass_time: [Place & { time?: number }, State];
  explain: [{ what: "entry" | "time" | "bubble" | "memory"; device?: number; position?: number; time?: number }, { title: Sentence; sentences: Sentence[]; entries: number[] }];
  recognise: [None, { text: string; exact: boolean }];
  grab: [Place & { whole?: boolean }, None];
  drag: [{ offset: number }, Trial];
  drop: [{ offset: number }, State];
  release: [None, None];
  try: [Drop, Trial & { pass: PassName }];
  place: [Drop, State];
  remove: [Place, State];
  move: [Place & { to: number }, State];
  lesson: [{ id: string; text: string }, { levels: boolean[] }];
  picture: [{ step: number; picture: number }, Lanes];
  guess: [{ step: number; question: number }, { of_level: boolean; answers: number[] }];
  level: [{ step: number }, Level];
  restore: [{ project: string }, State];
  act: [{ act: number }, State & { act: Act }];
  choose: [{ choice: number }, State];
  layer: [{ from: number; to: number }, State];
  toggle: [Place, State];
  place_ready: [{ ready: number }, State];
  until_choice: [None, State & { run: Run }];
  complete: [{ micro_batch: number }, State & { run: Run }];
  field: [None, { points: { family: string; title: string; makespan: number; peak: number }[] }];
  note: [{ level: number; tries: number; hints: number; left?: boolean }, { trick: string }];
  results: [{ who: string }, { text: string }];
  load_results: [{ text: string }, None];
  block_try: [{ pass: number; by: number }, { block: Block }];
  block_move: [{ pass: number; by: number }, State];
  block_interval: [{ interval: number }, State];
}

export type Answer<T> = { ok: T; refused?: undefined } | { ok?: undefined; refused: Sentence };

export class Engine {
  constructor(private readonly raw: (name: string, argument: string) => string) {}

  call<K extends keyof Functions>(name: K, argument: Functions[K][0]): Answer<Functions[K][1]> {
    return JSON.parse(this.raw(name, JSON.stringify(argument)));
  }
}

/** An entry of a lane. `id` counts through the lanes. */
export interface Entry {
  id: number;
  device: number;
  position: number;
  start: number;
  end: number;
  kind: number;
  mb: number;
  chunk: number;
  segment: number;
  stage: number;
  two?: { kind: number; mb: number; chunk: number; segment: number; stage: number };
}

export const kindNames = ["F", "B", "W", "BW", "R", "U"];

/** The entries of flat lanes, by device. */
export function entriesOf(flatLanes: (number | boolean)[][]): Entry[][] {
  let id = 0;
  return flatLanes.map((flat, device) => {
    const row: Entry[] = [];
    const at = (i: number): number => flat[i] as number;
    for (let i = 0; i < flat.length; ) {
      const entry: Entry = { id: id++, device, position: row.length, start: at(i), end: at(i + 1), kind: at(i + 2), mb: at(i + 3), chunk: at(i + 4), segment: at(i + 5), stage: at(i + 6) };
      const paired = flat[i + 7] as boolean;
      i += 8;
      if (paired) {
        entry.two = { kind: at(i), mb: at(i + 1), chunk: at(i + 2), segment: at(i + 3), stage: at(i + 4) };
        i += 5;
      }
      row.push(entry);
    }
    return row;
  });
}

/** "F 3", "B 2.1", "F 0/1": kind, micro-batch, chunk, segment, each only where needed. */
export function labelOf(pass: { kind: number; mb: number; chunk: number; segment: number }, segments: number): string {
  return `${kindNames[pass.kind]} ${pass.mb}${pass.chunk > 0 ? `.${pass.chunk}` : ""}${segments > 1 && pass.kind < 5 ? `/${pass.segment}` : ""}`;
}
