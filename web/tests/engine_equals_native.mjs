// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// The compiled core says what the native program says, bit for bit: every family over sizes and times, its figures, its
// devices and the times of every pass; or the same refusal.
//
//   node engine_equals_native.mjs ENGINE.js PIPEWRIGHT
import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { english, loadEngine } from "./engine.mjs";

const [script, native] = process.argv.slice(2);
if (!existsSync(native)) {
  console.error(`${native} is not there: cmake --preset dev && cmake --build --preset dev --target pipewright`);
  process.exit(1);
}
const call = await loadEngine(script);

const sizes = [[2, 3], [3, 7], [4, 8], [8, 24]];
const times = [[1, 1, 1, 0], [1.7, 2.3, 0.9, 0.13], [3, 1, 4, 0.5]]; // milliseconds: F, B, W, message
const small = [[2, 4]]; // of families that search
const rows = [];
for (const family of call("families").ok.families)
  for (const [devices, microBatches] of family.search ? small : sizes)
    for (const cost of times) rows.push({ family, devices, microBatches, cost });

const ns = ms => Math.round(ms * 1e6);
const inMs = ticks => ticks / 1e6;
let equal = 0, refused = 0;
for (const { family, devices, microBatches, cost } of rows) {
  const [forward, backward, weight, hop] = cost;
  const label = `${family.id} ${devices} x ${microBatches}, ${cost.join(" ")}`;
  const run = spawnSync(native, ["simulate", family.id, "--devices", devices, "--micro-batches", microBatches, "--forward", forward,
    "--backward", backward, "--weight", weight, "--comm", hop, "--json", "--passes"].map(String), { encoding: "utf8", maxBuffer: 1 << 28 });
  call("fill", { family: "gpipe", devices: 2, micro_batches: 2 });
  call("times", { forward: ns(forward), backward: ns(backward), weight: ns(weight), hop: ns(hop) });
  const answer = call("fill", { family: family.id, devices, micro_batches: microBatches });
  if (run.status !== 0) {
    assert.ok(answer.refused, `${label}: native refuses (${run.stderr.trim()}), the engine does not`);
    assert.ok(run.stderr.includes(english(answer.refused)), `${label}: ${run.stderr} against ${english(answer.refused)}`);
    refused += 1;
    continue;
  }
  assert.ok(answer.ok, `${label}: ${JSON.stringify(answer)}`);
  const told = JSON.parse(run.stdout), here = answer.ok;
  assert.strictEqual(inMs(here.makespan), told.makespan_ms, label);
  assert.strictEqual(inMs(here.span_bubble[0]), told.span_bubble_ms, label);
  assert.strictEqual(here.span_bubble[1], told.span_bubble_rate, label);
  assert.strictEqual(inMs(here.wall_bubble[0]), told.wall_bubble_ms, label);
  assert.strictEqual(here.wall_bubble[1], told.wall_bubble_rate, label);
  assert.strictEqual(here.peak, told.peak_activation_mb, label);
  told.per_device.forEach((device, d) => assert.strictEqual(inMs(here.busy[d]), device.busy_ms, label));
  assert.deepStrictEqual(passesOf(here), told.passes.map(p => [p.device, p.kind, p.stage, p.micro_batch, p.segment, p.start_ms, p.end_ms]), label);
  equal += 1;
}
assert.ok(rows.length >= 200 && equal >= 180, `${rows.length} rows, ${equal} equal`);
console.log(`${rows.length} rows: ${equal} equal bit for bit, ${refused} refused with the same words`);

// Levels: the pars that the program names.
let pars = 0;
for (const line of spawnSync(native, ["lesson", "list"], { encoding: "utf8" }).stdout.matchAll(/^(\d\d-\S+)/gm)) {
  const file = new URL(`../../resources/lessons/${line[1]}.json`, import.meta.url);
  const text = readFileSync(file, "utf8");
  const levels = call("lesson", { id: line[1], text }).ok.levels;
  const shown = [...spawnSync(native, ["lesson", "show", line[1]], { encoding: "utf8" }).stdout.matchAll(/^  par: (.*)$/gm)].map(par => par[1]);
  for (const step of levels.keys()) {
    if (!levels[step]) continue;
    const { time, memory, messages } = call("level", { step }).ok.standing;
    const said = [time && `${call("state").ok.block && !time.par.endsWith(" ms") ? "interval" : "time"} ${time.par}`, memory && memoryText(memory.par), messages && `messages ${messages.par}`];
    assert.strictEqual(said.filter(Boolean).join(", "), shown.shift(), `${line[1]}, step ${step}`);
    pars += 1;
  }
}
assert.ok(pars >= 70, `${pars} levels`);
console.log(`${pars} levels with the same pars`);

// A curve of time and memory is a list there, and a line of a dock here.
function memoryText(par) {
  return par.includes(" ms ") ? par.replaceAll(" ms ", " ms with ").replaceAll(" · ", ", ") : `memory ${par}`;
}

function passesOf(state) {
  const kinds = ["F", "B", "W", "BW", "R", "U"];
  return state.lanes.flatMap((flat, device) => {
    const passes = [];
    for (let at = 0; at < flat.length; ) {
      const [start, end, kind, mb, , segment, stage, paired] = flat.slice(at, at + 8);
      at += 8;
      passes.push([device, kinds[kind], stage, mb, segment, inMs(start), inMs(end)]);
      if (!paired) continue;
      const [twoKind, twoMb, , twoSegment, twoStage] = flat.slice(at, at + 5);
      at += 5;
      passes.push([device, kinds[twoKind], twoStage, twoMb, twoSegment, inMs(start), inMs(end)]);
    }
    return passes;
  });
}
