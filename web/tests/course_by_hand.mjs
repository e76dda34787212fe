// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Levels of the course page played to their end with a real mouse and real keys, as their demonstrations go: passes are placed
// where they can come next or dragged as tiles, moved by keys, chosen from the list, dragged on the block. Every one has to be
// solved with the medals of its demonstration, and nothing may be loaded.
//
//   node course_by_hand.mjs ENGINE.js PAGE.html PIPEWRIGHT [5-1 8-3 …]      without levels all of them
import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser, findBrowser } from "./browser.mjs";
import { loadEngine, main } from "./engine.mjs";

const [script, , native, ...asked] = process.argv.slice(2);
const name = findBrowser();
if (name === undefined) {
  console.log("skipped: no Chromium is installed (Debian: apt-get install chromium)");
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "pw-course-"));
const file = join(folder, "course.html");
const made = spawnSync(native, ["lesson", "export", "--to", "html", "--course", "--output", file], { encoding: "utf8", env: { ...process.env, PIPEWRIGHT_WEB_PAGE: process.argv[3] } });
assert.strictEqual(made.status, 0, made.stderr);
const data = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(readFileSync(file, "utf8"))[1]);
const call = await loadEngine(script);
const tell = (...given) => {
  const answer = call(...given);
  assert.ok(answer.ok, JSON.stringify(answer.refused));
  return answer.ok;
};

/** What the demonstration of a level ends with. */
function targetOf(lesson, step) {
  tell("lesson", { id: lesson.id, text: lesson.text });
  const level = tell("level", { step });
  let state = level;
  for (let act = 0; act < level.acts; ++act) state = tell("act", { act });
  assert.ok(state.standing.solved, `${lesson.id} ${step}: its demonstration does not solve it`);
  return { level: { ...level, lesson: data.lessons.indexOf(lesson), step }, state };
}
const entries = (flat, device) => {
  const found = [];
  for (let at = 0; at < flat.length; ) {
    const [start, , kind, mb, , segment, stage, paired] = flat.slice(at, at + 8);
    found.push({ device, start, kind, mb, segment, stage });
    at += paired ? 13 : 8;
  }
  return found;
};
const same = (a, b) => a.kind === b.kind && a.mb === b.mb && a.segment === b.segment && a.stage === b.stage;

const view = "window.pipewright.panel.bench.view";
const stateOf = page => page.eval(`(() => { const s = window.pipewright.panel.bench.current(); return {lanes: s.lanes, standing: s.standing, block: s.block, ready: s.ready}; })()`);

async function onCanvas(page, selector, box, part = 0.5) {
  const origin = await page.eval(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); const b = e.getBoundingClientRect(); return {x: b.x, y: b.y}; })()`);
  return { x: origin.x + box.x + box.w * part, y: origin.y + box.y + box.h / 2 };
}

/** Places the passes one by one by the times of the demonstration: a double click where one can come next, else its tile. */
async function placeOrders(page, state) {
  const rows = state.lanes.flatMap((flat, device) => entries(flat, device)).sort((a, b) => a.start - b.start);
  await page.eval(`document.getElementById("ready").checked || document.getElementById("ready").click()`);
  for (let turn = 0; turn < 2 * rows.length; ++turn) {
    const there = (await stateOf(page)).lanes.map((flat, device) => entries(flat, device));
    const want = rows.find(one => !there[one.device].some(other => same(other, one)));
    if (want === undefined) break;
    await page.frame();
    const box = await page.eval(`(() => { const v = ${view}; const r = v.readyPasses().findIndex(r => r.device === ${want.device} && r.pass.kind === ${want.kind} &&
      r.pass.micro_batch === ${want.mb} && r.pass.segment === ${want.segment} && r.pass.stage === ${want.stage}); return r < 0 ? null : v.readyBox(r); })()`);
    if (box !== null) {
      const { x, y } = await onCanvas(page, "main .lanes canvas", box);
      await page.click(x, y);
    } else await dragTile(page, want);
  }
  // A tile gives the first micro-batch that is missing; where the demonstration has another one, places are changed.
  await reorder(page, state);
}
async function dragTile(page, want) {
  const kind = ["F", "B", "W", "BW", "R", "U"][want.kind];
  const from = await page.placeOf(`.tile[data-kind="${kind}"]`);
  const box = await page.eval(`(() => { const v = ${view}; const s = window.pipewright.panel.bench.current(); const t = Math.min(s.makespan * 1.02, v.axis.to); return v.placeOf({device: ${want.device}, start: t, end: t + 1}); })()`);
  await page.drag(from, await onCanvas(page, "main .lanes canvas", box));
}

/** Passes that stand elsewhere: by the keys, place by place. */
async function reorder(page, state) {
  for (let device = 0; device < state.lanes.length; ++device) {
    const wanted = entries(state.lanes[device], device);
    for (let at = 0; at < wanted.length; ++at) {
      const now = entries((await stateOf(page)).lanes[device], device);
      let from = now.findIndex(one => same(one, wanted[at]));
      if (from === at) continue;
      await page.eval(`${view}.selected = {device: ${device}, position: ${from}}; ${view}.canvas.focus()`);
      for (; from > at; --from) await page.key("ArrowLeft", { modifiers: 8 });
    }
  }
}

async function choose(page, state) {
  await page.eval(`document.getElementById("choice").focus()`);
  const now = (await stateOf(page)).standing.chosen;
  for (let i = now; i < state.standing.chosen; ++i) await page.key("ArrowDown");
  for (let i = now; i > state.standing.chosen; --i) await page.key("ArrowUp");
}

/** Moves layers by the buttons between the stages, from the first border on. */
async function moveLayers(page, state) {
  const stages = state.layers.length;
  const sum = (counts, upTo) => counts.slice(0, upTo + 1).reduce((a, b) => a + b, 0);
  for (let moves = 0; moves < 200; ++moves) {
    const now = await page.eval("window.pipewright.panel.bench.current().layers");
    const border = [...Array(stages - 1).keys()].find(at => sum(now, at) !== sum(state.layers, at) && now[sum(now, at) > sum(state.layers, at) ? at : at + 1] > 1);
    if (border === undefined) break;
    const down = sum(now, border) > sum(state.layers, border);
    await page.press(down ? `#layer-${border}-${border + 1}` : `#layer-${border + 1}-${border}`);
  }
}

/** Double clicks on the passes that the demonstration says yes of. */
async function togglePasses(page, level) {
  const acts = JSON.parse(data.lessons[level.lesson].text).steps[level.step].level.demonstration;
  for (const act of acts) {
    const [, kind, mb, chunk] = /^([A-Z]+)(\d+)(?:\.(\d+))?/.exec(act.passes);
    await page.frame();
    const box = await page.eval(`(() => { const v = ${view}; const e = v.entries()[${act.device}].find(e => e.kind === ${["F", "B", "W", "BW", "R", "U"].indexOf(kind)} && e.mb === ${mb} && e.chunk === ${chunk ?? 0}); return v.placeOf(e); })()`);
    const { x, y } = await onCanvas(page, "main .lanes canvas", box);
    await page.doubleClick(x, y);
  }
}

/** Drags the passes of the block to their places: what goes later first, from the last one on. */
async function dragBlock(page, state) {
  const wanted = state.block.passes;
  for (let drags = 0; drags < 100; ++drags) {
    const now = (await stateOf(page)).block.passes;
    const off = wanted.map((pass, i) => ({ i, by: pass[1] - now[i][1], at: now[i][1] })).filter(one => one.by !== 0);
    if (off.length === 0) break;
    off.sort((a, b) => (a.by > 0) - (b.by > 0) || (a.by > 0 ? b.at - a.at : a.at - b.at)).sort((a, b) => (b.by > 0) - (a.by > 0));
    // Where another one stands, a pass could not be told from it afterwards.
    const free = off.find(one => now.every((other, i) => i === one.i || other[0] !== now[one.i][0] || other[2] <= wanted[one.i][1] || other[1] >= wanted[one.i][2]));
    const { i, by } = free ?? off[0];
    await page.frame();
    const from = await onCanvas(page, ".block canvas", await page.eval(`window.pipewright.panel.block.placeOf(${i})`));
    await page.drag(from, { x: from.x + by * (await page.eval("window.pipewright.panel.block.pixelsPerUnit()")), y: from.y }, Math.max(4, Math.abs(by)));
  }
  for (let at = (await stateOf(page)).block.interval; at !== state.block.interval; at += Math.sign(state.block.interval - at)) await page.press(state.block.interval < at ? "#interval-less" : "#interval-more");
}

await main(async () => {
const browser = await Browser.start(name);
let failed = 0, played = 0;
const begin = Date.now();
try {
  const page = await browser.page({ width: 1600, height: 1000 });
  await page.open(`file://${file}#1-1&unlock&lang=en`);
  for (let lesson = 0; lesson < data.lessons.length; ++lesson) {
    let number = 0;
    for (const [step, content] of JSON.parse(data.lessons[lesson].text).steps.entries()) {
      if (content.level === undefined) continue;
      number += 1;
      const label = `${lesson + 1}-${number}`;
      if (asked.length > 0 && !asked.includes(label)) continue;
      const { level, state } = targetOf(data.lessons[lesson], step);
      try {
        await page.eval(`location.hash = "#${label}&unlock"`);
        await page.until(`window.pipewright.at.lesson === ${lesson} && window.pipewright.at.step === ${step}`);
        await page.frame();
        if (level.freedom === "choice") await choose(page, state);
        else if (level.freedom === "block") await dragBlock(page, state);
        else if (level.freedom === "layers") await moveLayers(page, state);
        else if (level.freedom !== "order") await togglePasses(page, level);
        else await placeOrders(page, state);
        const now = (await stateOf(page)).standing;
        assert.ok(now.solved, `not solved: ${JSON.stringify(now.goals)} ${JSON.stringify(now.trouble)} "${await page.eval("document.querySelector('.said').textContent")}"`);
        assert.ok(now.medals >= state.standing.medals, `${now.medals} medals, ${state.standing.medals} by the demonstration`);
        assert.ok(!(await page.eval("document.getElementById('next').disabled")) || (lesson === data.lessons.length - 1 && step === JSON.parse(data.lessons[lesson].text).steps.length - 1), "Next stays grey");
        played += 1;
      } catch (problem) {
        failed += 1;
        if (process.env.PW_PICTURES) await page.picture(join(process.env.PW_PICTURES, `${label}.png`));
        console.error(`${label} (${level.freedom}): ${problem.message}`);
      }
    }
  }
  // What the browser has kept is what `lesson results` reads.
  const results = await page.eval(`localStorage.getItem("pipewright.results")`);
  assert.strictEqual(JSON.parse(results).levels.filter(one => one.solved).length, played);
  const kept = mkdtempSync(join(folder, "results-"));
  writeFileSync(join(kept, "somebody.json"), results);
  const read = spawnSync(native, ["lesson", "results", kept], { encoding: "utf8" });
  assert.strictEqual(read.status, 0, read.stderr);
  const loaded = page.requests.filter(url => !url.startsWith(`file://${file}`) && !url.startsWith("data:") && !url.startsWith("blob:"));
  assert.deepStrictEqual(loaded, [], "the page loads nothing");
  assert.deepStrictEqual(page.errors, []);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
assert.strictEqual(failed, 0, `${failed} levels failed`);
console.log(`${played} levels played by hand in ${Math.round((Date.now() - begin) / 1000)} s`);
});
