# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""The wire: what a run says, one JSON object a line. Protocol 1, as Pipewright's own executor writes it."""

import json
import math
import os
import sys
import threading

from . import VERSION, WIRE_PROTOCOL
from .host import cpu_name


def number(value):
    """JSON knows no number that is not finite; the wire has words for them."""
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


class Wire:
    """Writes lines to a file descriptor of its own, so that what others print does not get between."""

    def __init__(self, descriptor, folder=None):
        """@param folder  where a parent finds what has been said: it may have to speak to the end"""
        self.descriptor, self.folder = descriptor, folder
        self.lock = threading.Lock()
        self.gone = False
        self.ended = False
        self.greeted = False

    def note(self, word):
        """Leaves an empty file of that name for the parent."""
        if self.folder is not None:
            try:
                with open(os.path.join(self.folder, word), "w", encoding="utf-8"):
                    pass
            except OSError:
                pass  # then it has gone

    def write(self, objects):
        text = "".join(json.dumps(o, separators=(",", ":"), ensure_ascii=False) + "\n" for o in objects)
        data = text.encode("utf-8", "replace")
        with self.lock:
            if self.gone or self.ended:
                return
            try:
                while data:
                    data = data[os.write(self.descriptor, data):]
            except OSError:
                self.gone = True

    def hello(self, backend, devices):
        """The first word; a second one is not said."""
        if self.greeted:
            return
        self.greeted = True
        self.write([{"t": "hello", "protocol": WIRE_PROTOCOL, "program": f"{VERSION} (PyTorch)",
                     "backend": backend, "devices": devices}])
        self.note("greeted")

    def cannot(self, problem, backend):
        """There will be no run."""
        self.hello(backend, [cpu_name()])
        self.write([{"t": "error", "rank": -1, "peer": -1, "pass": "", "text": str(problem)}])
        self.finished("failed", {})

    def finished(self, status, figures):
        line = {"t": "finished", "status": status, "iterations": 0, "makespan": 0, "makespan_low": 0,
                "makespan_high": 0, "predicted_makespan": 0, "span_bubble": 0.0, "predicted_span_bubble": 0.0,
                "peak_activation": 0, "predicted_peak_activation": 0, "first_loss": 0.0, "last_loss": 0.0}
        line.update(figures)
        for name in ("first_loss", "last_loss"):
            line[name] = number(line[name])
        self.write([line])
        self.ended = True
        self.note("ended")


class Plain(Wire):
    """The same for a person: sentences in place of lines of JSON; passes are left out."""

    def write(self, objects):
        for one in objects:
            # Titles and messages of others steer no terminal.
            text = "".join(c if c.isprintable() else "?" for c in self.sentence(one))
            if text:
                with self.lock:
                    os.write(self.descriptor, (text + "\n").encode("utf-8", "replace"))

    @staticmethod
    def sentence(one):
        kind = one["t"]
        if kind == "started":
            return (f"{one['title']}: {one['ranks']} ranks, {one['stages']} stages, {one['micro_batches']} "
                    f"micro-batches on {one['backend']} over {one['transport']}, {one['driver']}")
        if kind == "loss":
            return f"step {one['step']}: loss {one['loss']}"
        if kind == "log":
            return ("warning: " if one["level"] == "warning" else "") + one["text"]
        if kind == "error":
            return "error: " + one["text"]
        if kind == "finished":
            return (f"{one['status']}: {one['iterations']} iterations, makespan {one['makespan'] / 1e6:.3f} ms "
                    f"({one['makespan_low'] / 1e6:.3f} to {one['makespan_high'] / 1e6:.3f}), predicted "
                    f"{one['predicted_makespan'] / 1e6:.3f} ms, span bubble {100 * one['span_bubble']:.1f} %")
        return ""
