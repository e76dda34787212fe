// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// The course page in Firefox: it starts from a file, and one level of each kind is played with its pointer and keys. Driven by
// Marionette, which Firefox has built in.
//
//   node firefox.mjs ENGINE.js PAGE.html PIPEWRIGHT
import assert from "node:assert";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "./engine.mjs";

const [, frame, native] = process.argv.slice(2);
const name = ["firefox-esr", "firefox"].find(one => spawnSync(one, ["--version"]).status === 0);
if (name === undefined) {
  console.log("skipped: no Firefox is installed (Debian: apt-get install firefox-esr)");
  process.exit(77);
}
const patience = 60_000;
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Messages are "LENGTH:[0, number, name, parameters]", answers "LENGTH:[1, number, error, result]". */
class Firefox {
  static async start(folder) {
    const firefox = new Firefox();
    const port = 20_000 + (process.pid % 20_000);
    writeFileSync(join(folder, "user.js"), `user_pref("marionette.port", ${port});\nuser_pref("toolkit.telemetry.reportingpolicy.firstRun", false);\n`);
    firefox.process = spawn(name, ["--headless", "--no-remote", "--marionette", "--profile", folder, "about:blank"], { stdio: "ignore", env: { ...process.env, HOME: folder } });
    const begin = Date.now();
    while (firefox.socket === undefined) {
      if (Date.now() - begin > patience) throw new Error("Firefox does not listen");
      await sleep(100);
      firefox.socket = await new Promise(resolve => {
        const socket = connect(port, "127.0.0.1", () => resolve(socket));
        socket.once("error", () => resolve(undefined));
      });
    }
    firefox.waiting = new Map();
    firefox.number = 0;
    let buffer = Buffer.alloc(0);
    firefox.socket.on("data", data => {
      buffer = Buffer.concat([buffer, data]);
      for (let colon = buffer.indexOf(":"); colon > 0; colon = buffer.indexOf(":")) {
        const length = Number(buffer.subarray(0, colon));
        if (buffer.length < colon + 1 + length) return;
        firefox.hear(JSON.parse(buffer.subarray(colon + 1, colon + 1 + length)));
        buffer = buffer.subarray(colon + 1 + length);
      }
    });
    await firefox.send("WebDriver:NewSession", { capabilities: {} });
    return firefox;
  }
  hear(message) {
    if (!Array.isArray(message)) return; // its greeting
    const [, id, error, result] = message;
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) waiting?.reject(new Error(`${waiting.name}: ${error.message}`));
    else waiting?.resolve(result);
  }
  send(command, parameters = {}) {
    const id = ++this.number;
    const text = Buffer.from(JSON.stringify([0, id, command, parameters]));
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { name: command, resolve, reject });
      this.socket.write(`${text.length}:`);
      this.socket.write(text);
    });
  }
  async eval(expression) {
    return (await this.send("WebDriver:ExecuteScript", { script: `return window.wrappedJSObject ? (${expression}) : (${expression})`, args: [], sandbox: null })).value;
  }
  async until(expression) {
    const begin = Date.now();
    while (!(await this.eval(expression))) {
      if (Date.now() - begin > patience) throw new Error(`never: ${expression}`);
      await sleep(30);
    }
  }
  async pointer(actions) {
    await this.send("WebDriver:PerformActions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }] });
  }
  async press(selector) {
    const { x, y } = await this.eval(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({block: "center"}); const b = e.getBoundingClientRect(); return {x: Math.round(b.x + b.width / 2), y: Math.round(b.y + b.height / 2)}; })()`);
    await this.drag(x, y, x);
  }
  async drag(x, y, to) {
    const at = Math.round;
    const moves = to === x ? [] : [1, 2, 3, 4].map(i => ({ type: "pointerMove", x: at(x + ((to - x) * i) / 4), y: at(y), duration: 20 }));
    await this.pointer([{ type: "pointerMove", x: at(x), y: at(y) }, { type: "pointerDown", button: 0 }, ...moves, { type: "pointerUp", button: 0 }]);
  }
  async key(value) {
    await this.send("WebDriver:PerformActions", { actions: [{ type: "key", id: "keys", actions: [{ type: "keyDown", value }, { type: "keyUp", value }] }] });
  }
  async close() {
    await this.send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
    if (this.process.exitCode === null) await Promise.race([new Promise(resolve => this.process.once("exit", resolve)), sleep(5000)]);
    this.process.kill("SIGKILL");
  }
}

await main(async () => {
  const folder = mkdtempSync(join(tmpdir(), "pw-firefox-"));
  const file = join(folder, "course.html");
  const made = spawnSync(native, ["lesson", "export", "--course", "--output", file], { encoding: "utf8", env: { ...process.env, PIPEWRIGHT_WEB_PAGE: frame } });
  assert.strictEqual(made.status, 0, made.stderr);
  const firefox = await Firefox.start(folder);
  try {
    await firefox.send("WebDriver:SetWindowRect", { width: 1500, height: 1100 });
    await firefox.send("WebDriver:Navigate", { url: `file://${file}#1-1&unlock&lang=en` });
    await firefox.until("document.documentElement.dataset.ready !== undefined");
    console.log(`ready after ${await firefox.eval("document.documentElement.dataset.ready")} ms`);
    // An order: what is ready is pressed in its lane, until nothing is.
    await firefox.press("#ready");
    for (let i = 0; i < 8; ++i) {
      await firefox.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
      const box = await firefox.eval(`(() => { const v = pipewright.panel.bench.view; if (v.readyPasses().length === 0) return null; const b = v.canvas.getBoundingClientRect(); const r = v.readyBox(0); return {x: b.x + r.x + r.w / 2, y: b.y + r.y + r.h / 2}; })()`);
      if (box === null) break;
      await firefox.drag(box.x, box.y, box.x);
    }
    assert.match(await firefox.eval("document.querySelector('.solved').textContent"), /^Solved/);
    // A choice: by the keys.
    await firefox.eval("(location.hash = '#3-1&unlock', true)");
    await firefox.until("document.querySelector('.where').textContent.startsWith('Lesson 3')");
    await firefox.eval("(document.getElementById('choice').focus(), true)");
    for (let i = 0; i < 8 && !(await firefox.eval("pipewright.panel.bench.current().standing.solved")); ++i) await firefox.key("\uE015");
    assert.match(await firefox.eval("document.querySelector('.solved').textContent"), /^Solved/);
    // A block: a pass is dragged three units to the right.
    await firefox.eval("(location.hash = '#10-1&unlock', true)");
    await firefox.until("pipewright.panel.block !== undefined");
    await firefox.eval("new Promise(done => requestAnimationFrame(() => done(true)))");
    const box = await firefox.eval(`(() => { const p = pipewright.panel.block; const b = p.canvas.getBoundingClientRect(); const passes = p.current().passes; const last = passes.reduce((m, one, i) => one[1] > passes[m][1] ? i : m, 0);
      const q = p.placeOf(last); return {x: b.x + q.x + q.w / 2, y: b.y + q.y + q.h / 2, unit: p.pixelsPerUnit(), last, at: passes[last][1]}; })()`);
    await firefox.drag(box.x, box.y, box.x + 3 * box.unit);
    assert.strictEqual(await firefox.eval(`pipewright.panel.block.current().passes[${box.last}][1]`), box.at + 3);
    assert.strictEqual(await firefox.eval("JSON.parse(localStorage.getItem('pipewright.results')).levels.length"), 2);
    if (process.env.PW_PICTURES) writeFileSync(join(process.env.PW_PICTURES, "firefox.png"), Buffer.from((await firefox.send("WebDriver:TakeScreenshot", { full: false })).value, "base64"));
    // A word is explained, in its language.
    await firefox.eval("(location.hash = '#5&unlock&lang=en', true)");
    await firefox.until("document.querySelector('.where').textContent.startsWith('Lesson 5')");
    await firefox.eval("(document.querySelector('.word').focus(), true)");
    assert.strictEqual(await firefox.eval("document.getElementById('meaning').hidden"), false);
    console.log("the course works in Firefox");
    // Advice, and a job whose map is pressed.
    const store = join(folder, "job.sqlite"), pipewright = (...words) => assert.strictEqual(spawnSync(native, words, { env: { ...process.env, PIPEWRIGHT_WEB_PAGE: frame } }).status, 0, words.join(" "));
    pipewright("run", "1f1b", "--devices", "3", "--micro-batches", "4", "--replicas", "3", "--slow", "1.2*1.8", "--backend", "emulated", "--iterations", "4", "--store", store);
    for (const page of ["advice", "job"]) {
      pipewright("convert", "last", join(folder, `${page}.html`), "--to", "html", "--interactive", "--page", page, "--store", store);
      await firefox.send("WebDriver:Navigate", { url: `file://${join(folder, `${page}.html`)}` });
      await firefox.until("document.documentElement.dataset.ready !== undefined");
    }
    const cell = await firefox.eval("(() => { const m = pipewright.map; m.canvas.scrollIntoView({block: 'center'}); const b = m.canvas.getBoundingClientRect(); const p = m.boxOf({replica: 2, device: 0}); return {x: b.x + p.x + p.w / 2, y: b.y + p.y + p.h / 2}; })()");
    await firefox.drag(cell.x, cell.y, cell.x);
    assert.match(await firefox.eval("document.getElementById('worker').textContent"), /^stage 0 of replica 2/);
    console.log("advice and a job are shown in Firefox");
  } finally {
    await firefox.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
