// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// A headless Chromium, driven over a pipe by its own protocol: real mouse, touch and keys, and a note of every request.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function findBrowser() {
  return ["chromium", "chromium-browser", "google-chrome"].find(name => spawnSync(name, ["--version"]).status === 0);
}

/** Waits for the browser, never for the clock alone. */
const patience = 60_000;

export class Browser {
  static async start(name) {
    const browser = new Browser();
    browser.home = mkdtempSync(join(tmpdir(), "pw-browser-"));
    browser.process = spawn(name, ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--disable-background-networking",
      "--disable-component-update", "--no-first-run", "--hide-scrollbars", `--user-data-dir=${browser.home}`, "about:blank"],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    browser.waiting = new Map();
    browser.heard = [];
    browser.number = 0;
    let buffer = "";
    browser.process.stdio[4].setEncoding("utf8").on("data", text => {
      buffer += text;
      const parts = buffer.split("\0");
      buffer = parts.pop();
      parts.forEach(part => browser.hear(JSON.parse(part)));
    });
    return browser;
  }
  hear(message) {
    const waiting = this.waiting.get(message.id);
    if (waiting === undefined) return this.heard.forEach(listener => listener(message));
    this.waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
    else waiting.resolve(message.result);
  }
  send(method, params = {}, sessionId) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${method}: no answer`)), patience);
      this.waiting.set(id, { method, resolve: value => { clearTimeout(late); resolve(value); }, reject: why => { clearTimeout(late); reject(why); } });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    });
  }
  async page(settings = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId);
    await page.begin(settings);
    return page;
  }
  async close() {
    await this.send("Browser.close").catch(() => {});
    await new Promise(resolve => (this.process.exitCode !== null ? resolve() : this.process.once("exit", resolve)));
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

export class Page {
  constructor(browser, sessionId) {
    this.browser = browser;
    this.sessionId = sessionId;
    this.requests = [];
    this.errors = [];
    browser.heard.push(message => {
      if (message.sessionId !== sessionId) return;
      if (message.method === "Network.requestWillBeSent") this.requests.push(message.params.request.url);
      if (message.method === "Runtime.exceptionThrown") this.errors.push(message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text);
      if (message.method === "Log.entryAdded" && message.params.entry.level === "error") this.errors.push(message.params.entry.text);
    });
  }
  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }
  async begin({ width = 1280, height = 860, dark = false, touch = false, scale = 1 } = {}) {
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await this.send(`${domain}.enable`);
    await this.resize(width, height, scale, touch);
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    if (touch) await this.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  }
  async resize(width, height, scale = 1, mobile = false) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile });
  }
  /** Opens a file and waits until the page says that it is ready. */
  async open(url) {
    await this.send("Page.navigate", { url });
    await this.until("document.documentElement.dataset.ready !== undefined", `${url} gets ready`);
  }
  async eval(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }
  async until(expression, what = expression) {
    const begin = Date.now();
    while (!(await this.eval(expression).catch(() => false))) {
      if (Date.now() - begin > patience) throw new Error(`never: ${what}\n${this.errors.join("\n")}`);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }
  /** After the next frame is drawn. */
  frame() {
    return this.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
  }
  async mouse(type, x, y, more = {}) {
    await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: type === "mouseReleased" ? 0 : 1, clickCount: 1, ...more });
  }
  async click(x, y) {
    await this.mouse("mouseMoved", x, y, { buttons: 0 });
    await this.mouse("mousePressed", x, y);
    await this.mouse("mouseReleased", x, y);
  }
  async doubleClick(x, y) {
    await this.click(x, y);
    await this.click(x, y);
  }
  async drag(from, to, steps = 4) {
    await this.mouse("mouseMoved", from.x, from.y, { buttons: 0 });
    await this.mouse("mousePressed", from.x, from.y);
    for (let i = 1; i <= steps; ++i) await this.mouse("mouseMoved", from.x + ((to.x - from.x) * i) / steps, from.y + ((to.y - from.y) * i) / steps);
    await this.mouse("mouseReleased", to.x, to.y);
  }
  /** The middle of an element, brought into sight. */
  async placeOf(selector) {
    const place = await this.eval(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); if (!e) return null; e.scrollIntoView({block: "center"});
      const b = e.getBoundingClientRect(); return {x: b.x + b.width / 2, y: b.y + b.height / 2}; })()`);
    if (place === null) throw new Error(`there is no ${selector}`);
    return place;
  }
  async press(selector) {
    const { x, y } = await this.placeOf(selector);
    await this.click(x, y);
  }
  async key(key, more = {}) {
    const text = key.length === 1 && !more.modifiers ? { text: key } : {};
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code: key.length === 1 ? `Key${key.toUpperCase()}` : key, ...text, ...more });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, ...more });
  }
  async touch(type, points) {
    await this.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  }
  async picture(file, full = false) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: full });
    writeFileSync(file, Buffer.from(data, "base64"));
  }
}
