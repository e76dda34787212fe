// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Numbers with a point, which the compiler's library for the web neither reads nor writes itself: a project comes back with the
// very same ones, in as few digits as JavaScript needs.
//
//   node numbers.mjs ENGINE.js
import assert from "node:assert";
import { loadEngine, main } from "./engine.mjs";

await main(async () => {
  const call = await loadEngine(process.argv[2]);
  const project = JSON.parse((call("fill", { family: "1f1b", devices: 2, micro_batches: 2 }), call("save").ok.project));
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return seed / 2 ** 32;
  };
  const parts = [0, 1, 0.1, 1 / 3, 0.1 + 0.2, 5e-324, 2.2250738585072014e-308, 1e-7, 123e-9, 0.30000000000000004];
  for (let i = 0; i < 2000; ++i) parts.push(random() * 10 ** -Math.floor(random() * 20));
  for (const part of parts) {
    project.costs.uniform.kept_for_weight = part;
    const opened = call("open", { project: JSON.stringify(project) });
    assert.ok(opened.ok, JSON.stringify(opened));
    const text = /"kept_for_weight": ([^,\s]+)/.exec(call("save").ok.project)[1];
    assert.strictEqual(Number(text), part, text);
    const digits = word => word.replace(/e.*/, "").replace(/[-.]/g, "").replace(/^0+|0+$/g, "").length;
    assert.strictEqual(digits(text), digits(String(part)), `${text} for ${part}`);
  }
  for (const wrong of ["0x1", "+1", ".5", "1e999", "nan", "inf", "1e", "-"]) {
    const text = JSON.stringify(project).replace(/("kept_for_weight":)[^,}]+/, `$1${wrong}`);
    assert.ok(call("open", { project: text }).refused, wrong);
  }
  console.log(`${parts.length} numbers come back as they were`);
});
