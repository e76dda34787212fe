// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What a level takes back: its own solution, and none of another shape, as a browser may have kept of an older lesson.
//
//   node levels.mjs ENGINE.js
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { english, loadEngine, main } from "./engine.mjs";

await main(async () => {
  const call = await loadEngine(process.argv[2]);
  const tell = (...given) => {
    const answer = call(...given);
    assert.ok(answer.ok, `${given[0]}: ${JSON.stringify(answer.refused)}`);
    return answer.ok;
  };
  /** Begins the first level of a lesson that leaves this free. */
  const begin = (id, freedom = "order") => {
    const levels = tell("lesson", { id, text: readFileSync(new URL(`../../resources/lessons/${id}.json`, import.meta.url), "utf8") }).levels;
    const step = [...levels.keys()].find(at => levels[at] && tell("level", { step: at }).freedom === freedom);
    return tell("level", { step });
  };
  const made = shape => (tell("open", { project: whole }), tell("fill", shape), tell("save").project);

  const level = begin("05-1f1b");
  const whole = (tell("until_choice"), tell("save").project);
  const shapes = [["zb-v", 8, 8], ["gpipe", level.devices + 1, 4], ["gpipe", 1, 2]];
  const others = shapes.map(([family, devices, micro_batches]) => made({ family, devices, micro_batches }));
  // Orders without a family, with everything still to be placed: these have most that is ready.
  others.push(...others.map(text => {
    const project = JSON.parse(text);
    delete project.family;
    return JSON.stringify(project);
  }));

  begin("05-1f1b");
  for (const other of others) {
    const refused = call("restore", { project: other }).refused;
    assert.ok(refused, "another shape is refused");
    assert.strictEqual(tell("state").devices, level.devices, "what stands in the level is left as it is");
  }
  assert.match(english(call("restore", { project: others[0] }).refused), /^Devices and stages have changed/);
  assert.ok(tell("restore", { project: whole }).standing.passes > 0, "its own is taken");

  // A schedule of another shape that comes into the level in another way is judged, and nothing is read beside it.
  const { lanes, stages } = tell("fill", { family: "interleaved-1f1b", devices: 8, micro_batches: 16 });
  assert.deepStrictEqual(stages[0], [0, 8]);
  lanes.forEach((flat, device) => tell("remove", { device, position: flat.length / 8 - 1 }));
  const { ready } = tell("state");
  assert.ok(ready.length > 0, "something is ready");
  for (const one of ready) assert.strictEqual(stages[one.device][one.chunk], one.pass.stage);

  // Where a schedule is chosen, a shape is part of the choice.
  begin("02-gpipe", "choice");
  const chosen = (tell("choose", { choice: 0 }), tell("save").project);
  begin("02-gpipe", "choice");
  assert.strictEqual(tell("restore", { project: chosen }).standing.chosen, 0);
  console.log(`${others.length} projects of another shape are refused`);
});
