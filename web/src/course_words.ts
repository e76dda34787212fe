// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What a level says, in the words that the studio has for it.
import { Act, Choice, Goal, kindNames, Level, PassName, Run, Standing } from "./engine";
import { percent, plain, timeText, tr } from "./words";

export function goalWords(goal: Goal): string {
  const number = plain(goal.limit);
  switch (goal.kind) {
    case "complete": return tr("every pass in place, no deadlock");
    case "makespan": return tr("makespan at most %1", timeText(goal.limit));
    case "peak": return tr("peak activation at most %1 mb", number);
    case "span_bubble": return tr("span bubble at most %1", percent(goal.limit));
    case "wall_bubble": return tr("wall bubble at most %1", percent(goal.limit));
    case "messages": return tr("at most %1 messages", number);
    case "gathers": return `▼ ${tr("weights gathered at most %1 times", number)}`;
    case "versions": return tr("weight versions on a device at most %1", number);
    case "micro_batches": return tr("at most %1 micro-batches", number);
    case "family": return tr("the order of %1", goal.family);
    case "order": return tr("the order that is drawn");
    case "interval": return tr("interval at most %1, no collision", number);
    case "block_peak": return tr("peak of the repeated block at most %1 mb", number);
  }
}

export function nowWords(goal: Goal, standing: Standing): string {
  const soFar = (words: string): string => (goal.so_far ? tr("%1 so far", words) : words);
  const yesOrNo = goal.met ? tr("yes") : tr("not yet");
  if (goal.kind === "complete") return standing.wanted > 0 ? tr("%1 of %2", standing.passes, standing.wanted) : yesOrNo;
  if (goal.now < 0) return "–";
  switch (goal.kind) {
    case "makespan": return soFar(timeText(goal.now));
    case "peak":
    case "block_peak": return soFar(tr("%1 mb", plain(goal.now)));
    case "span_bubble":
    case "wall_bubble": return percent(goal.now);
    case "family":
    case "order": return yesOrNo;
    default: return plain(goal.now);
  }
}

/** What passes of a level take, a line for each stage where they differ. */
export function timesWords(level: Level): string[] {
  if (level.times.length === 0) return [];
  const lines = level.times.map(([f, b, w], stage) => {
    const line = [`F ${timeText(f)}`, ...(level.fused ? [`BW ${timeText(b + w)}`] : [`B ${timeText(b)}`, `W ${timeText(w)}`])].join(" · ");
    return level.times.length === 1 ? line : tr("Stage %1: %2", stage, line);
  });
  return level.hop > 0 ? [...lines, tr("A message: %1", timeText(level.hop))] : lines;
}

export function choiceWords(choice: Choice): string {
  const parts = [choice.title, ...choice.options];
  if (choice.micro_batches > 0) parts.push(tr("%1 micro-batches", choice.micro_batches));
  return parts.join(", ");
}

function passWords(pass: PassName): string {
  return tr("%1 of micro-batch %2 on stage %3", kindNames[pass.kind] ?? "", pass.micro_batch, pass.stage);
}

export function runWords(run: Run): string {
  switch (run.end) {
    case "wrong": return tr("The order is not one that passes can be added to.");
    case "complete": return tr("Micro-batch %1 is complete.", run.first.micro_batch);
    case "was_complete": return tr("Micro-batch %1 was complete.", run.first.micro_batch);
    case "blocked": return tr("%1 cannot come yet: the goal on the peak, or what it waits for, stands in its way.", passWords(run.first));
    case "whole": return tr("Every pass has its place.");
    case "none": return tr("No pass can come next within the goals.");
    case "choice": return tr("A choice: %1 can run %2 or %3 next.", tr("device %1", run.device), passWords(run.first), passWords(run.second));
    case "many": return tr("Many passes were placed; ask again to go on.");
  }
}

function ruleWords(rule: string): string {
  if (rule === "forward-first") return tr("forwards first");
  return rule === "zero-bubble" ? tr("W where a device would wait") : tr("backwards first");
}

/** A step of a demonstration: "F 0 at the end of device 1". */
export function actWords(act: Act): string {
  const device = tr("device %1", act.device);
  switch (act.do) {
    case "place": return act.from < 0 ? tr("%1 at the end of %2", act.passes, device) : tr("%1 at place %2 of %3", act.passes, act.from + 1, device);
    case "move": return tr("entry %1 of %2 to place %3", act.from + 1, device, act.to + 1);
    case "remove": return tr("entry %1 of %2 goes", act.from + 1, device);
    case "clear": return tr("everything goes");
    case "finish": return tr("the rest, %1", ruleWords(act.rule));
    case "reorder": return tr("warm-up and cool-down reordered");
    case "family": return act.family === undefined ? "" : choiceWords(act.family);
    case "shift": return act.amount < 0 ? tr("%1 earlier by %2", act.passes, plain(-act.amount)) : tr("%1 later by %2", act.passes, plain(act.amount));
    case "interval": return tr("interval %1", plain(act.amount));
    case "block": return tr("every pass of the block to its place");
    case "layer": return tr("a layer from stage %1 to stage %2", act.from, act.to);
    case "toggle": return tr("%1 of %2", act.passes, device);
    case "stamp": return tr("the block for %1", tr("%1 micro-batches", act.count));
  }
}
