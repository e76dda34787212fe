// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What `pipewright import --html` puts into the page of a job (app/job_page.cpp).
import type { Colours, Lanes, Sentence } from "./engine";
import { percent, plain, timeText, tr } from "./words";

export type Measure = "work" | "forward" | "backward" | "idle" | "memory";
export const measures: Measure[] = ["work", "forward", "backward", "idle", "memory"];
/** A figure of every worker, by replica and device. */
type Values = Partial<Record<Measure, (number | null)[]>>;

interface Place {
  replica?: number;
  device?: number;
  at?: number; ///< of the steps
}

export interface Cause extends Place {
  kind: string;
  sentence: Sentence;
}

export interface RepairOfJob extends Place {
  sentence: Sentence;
  step: number;
  gain: number;
}

/** A step with its lanes. A replica is flat: its number, then begin and length of every entry of its order, in units. */
export interface ShownStep {
  at: number;
  length: number;
  alike: number[];
  typical: number;
  within: number;
  different: number[];
  busy: number[];
  values: Values;
  replicas: number[][];
}

export interface JobData {
  mode: "job";
  title: string;
  colours: { light: Colours; dark: Colours };
  origin?: string;
  family?: string;
  ranks: number;
  replicas: number;
  devices: number;
  stages: number;
  micro_batches: number;
  segments: number;
  step: number;
  unit: number;
  efficiency: { parallel: number; replicas: number; stages: number; order: number; links: number };
  steps: number[]; ///< flat: number, time, whether it counts
  usual: number;
  workers: { rank: number; process?: string; forward: number; backward: number; forward_ratio: number; backward_ratio: number }[];
  values: Values;
  causes: Cause[];
  no_cause?: Sentence;
  repairs: RepairOfJob[];
  orders: { lanes: (number | boolean)[][]; stages: number[][] }[];
  order_of: number[];
  shown: ShownStep[];
}

export interface StepOfJob {
  number: number;
  time: number;
  counts: boolean;
}

export function stepsOf(data: JobData): StepOfJob[] {
  const steps: StepOfJob[] = [];
  for (let i = 0; i + 2 < data.steps.length; i += 3) steps.push({ number: data.steps[i] as number, time: data.steps[i + 1] as number, counts: data.steps[i + 2] === 1 });
  return steps;
}

/** A replica's lanes in a step, from the begin of the step; undefined: they are not in the page. */
export function lanesOf(data: JobData, step: ShownStep, replica: number): Lanes | undefined {
  const times = step.replicas.find(one => one[0] === replica);
  const order = data.orders[data.order_of[replica] ?? -1];
  if (times === undefined || order === undefined) return undefined;
  let at = 1, end = 0;
  const busy: number[] = [];
  const lanes = order.lanes.map((row, device) => {
    const timed = row.slice();
    busy[device] = 0;
    for (let i = 0; i < row.length; ) {
      const begin = (times[at] ?? 0) * data.unit, length = (times[at + 1] ?? 0) * data.unit;
      at += 2;
      timed[i] = begin;
      timed[i + 1] = begin + length;
      busy[device] += length;
      end = Math.max(end, begin + length);
      i += row[i + 7] === true ? 13 : 8;
    }
    return timed;
  });
  const none: [number, number] = [0, 0];
  return { devices: data.devices, micro_batches: data.micro_batches, segments: data.segments, lanes, stages: order.stages, memory: [], makespan: end, span_bubble: none, wall_bubble: none, peak: 0, busy, blocked: [], complete: true };
}

export function byteText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; bytes >= 1024 && unit < units.length - 1; ++unit) bytes /= 1024;
  return `${plain(bytes, 3)} ${units[unit]}`;
}

export function measureWords(measure: Measure): string {
  const words: Record<Measure, string> = {
    work: tr("Passes against the median"),
    forward: tr("Time in F"),
    backward: tr("Time in backward passes"),
    idle: tr("Time without a pass"),
    memory: tr("Peak memory"),
  };
  return words[measure];
}

export function valueText(measure: Measure, value: number, replicas: number): string {
  if (measure === "work") return replicas > 1 ? tr("%1 times the median of its stage", plain(value)) : tr("%1 times the median of the stages", plain(value));
  if (measure === "forward") return tr("%1 in F", timeText(value));
  if (measure === "backward") return tr("%1 in backward passes", timeText(value));
  if (measure === "idle") return tr("%1 of the step without a pass", percent(value));
  return tr("%1 at its peak", byteText(value));
}

export function causeWords(kind: string): string {
  const words: Record<string, () => string> = {
    slow_worker: () => tr("A slow worker"),
    heavy_stage: () => tr("A heavy stage"),
    uneven_micro_batches: () => tr("Uneven micro-batches"),
    slow_link: () => tr("A slow link"),
    slow_step: () => tr("A slow step"),
    late_host: () => tr("A late host"),
    collector: () => tr("Regular slow steps"),
    order: () => tr("The order waits"),
    warm_up: () => tr("Warm-up"),
  };
  return words[kind]?.() ?? kind;
}

/** "0–4, 6–15" */
export function ranges(numbers: number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < numbers.length; ) {
    let last = i;
    while (numbers[last + 1] === (numbers[last] ?? 0) + 1) last += 1;
    parts.push(last === i ? `${numbers[i]}` : `${numbers[i]}–${numbers[last]}`);
    i = last + 1;
  }
  return parts.join(", ");
}
