# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""The life of one process of a run."""

import json
import os
import platform
import select
import signal
import sys
import threading
import time

import torch
import torch.distributed as dist

from . import VERSION, Cannot
from .engine import Engine, traced, words_of
from .lead import Lead, Tally
from .link import SILENCE, SUSPICION, Inbox, Outbox
from .neighbours import Neighbours
from .place import device_name, exchange_values, open_store, pick_backend, take_place
from .plan import plan_from, read_input
from .host import cpu_name
from .simulate import simulate
from .start import folder_of_parent, lost_of_parent
from .wire import Plain, Wire

ENDINGS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


class Ending:
    """Ends a process whose main thread may wait in a library that hears nothing."""

    def __init__(self, lead_part, neighbours):
        self.part, self.neighbours = lead_part, neighbours  # None: not rank 0
        self.stop = threading.Event()
        self.by_signal = 0
        threading.Thread(target=self.wait, daemon=True).start()

    def wait(self):
        self.by_signal = signal.sigwait(ENDINGS)
        self.stop.set()
        if self.part is None:
            time.sleep(2.5)  # signs of life go on, so that it is known who was lost before
            self.neighbours.end_stopped()
            os._exit(128 + self.by_signal)
        time.sleep(SUSPICION + 0.3)
        self.part.conclude("stopped", 128 + self.by_signal)


class LeadPart:
    """Rank 0 beside its own passes: the wire, everybody's words, and the end."""

    def __init__(self, options, wire, store, neighbours):
        self.options, self.wire, self.store, self.neighbours = options, wire, store, neighbours
        self.world = int(os.environ["WORLD_SIZE"])
        self.lead = None
        self.inbox = None
        self.lock = threading.Lock()

    def begin(self, plan):
        self.tally = Tally(plan, self.options.iterations, self.options.warmup)
        self.lead = Lead(plan, self.wire, self.tally)
        self.inbox = Inbox(self.store, self.world, self.lead.hear, self.lost)
        self.inbox.start()
        threading.Thread(target=self.watch_faults, daemon=True).start()

    def watch_faults(self):
        self.lead.faulted.wait()
        time.sleep(SUSPICION + 0.4)  # others may say more, and who says nothing is known by then
        self.conclude("failed", 1)

    def lost(self, _ranks):
        self.conclude("failed", 1)

    def conclude(self, status, code):
        """Says how the run ended before its end, and ends this process and all others."""
        with self.lock:
            self.wire.hello(self.options.backend, [cpu_name()])
            lost = self.lost_ranks()
            self.wire.write(lost)
            faults = once_each(self.lead.faults) if self.lead else []
            self.wire.write(faults)
            if lost or faults:
                status, code = "failed", 1
            self.wire.finished(status, self.tally.figures() if self.lead else {})
            try:
                self.store.set("over", "1")
            except Exception:
                pass
            self.neighbours.end_stopped()
            time.sleep(0.5)  # the store may live in this process
            os._exit(code)

    def lost_ranks(self):
        """An error for every rank whose process has gone or is silent."""
        known = dict(reversed(lost_of_parent()))
        for rank, silence in self.inbox.silent(SUSPICION).items() if self.inbox else ():
            known.setdefault(rank, f"it has said nothing for {silence:.1f} s and does not answer")
        told = {one["rank"] for one in self.lead.faults} if self.lead else set()
        found = []
        for rank, words in known.items():
            device = rank % self.lead.plan.devices if self.lead else rank
            if device not in told:  # it has said itself what was wrong
                found.append({"t": "error", "rank": device, "peer": -1, "pass": "",
                              "text": f"rank {rank} is lost: {words}"})
        return found


def once_each(faults):
    """Without what several ranks say in the same words, such as that a file is wrong."""
    said, kept = set(), []
    for fault in faults:
        words = fault["text"].removeprefix(f"rank {fault['rank']}: ")
        if words not in said:
            said.add(words)
            kept.append(fault)
    return kept


def attend(stop):
    """The end of standard input asks to stop: whoever started this has closed it, or has gone."""

    def watch():
        while True:
            select.select([0], [], [])
            if not os.read(0, 4096):
                stop.set()
                return

    threading.Thread(target=watch, daemon=True).start()


def settings_of(options, engine):
    plan = engine.plan
    return json.dumps({
        "family": plan.family, "seed": str(options.seed), "warmup": options.warmup,
        "iterations": options.iterations, "modelled_links": False, "patience_ns": 0,
        "model": engine.model.settings(),
        "optimizer": {"kind": options.optimizer, "learning_rate": options.learning_rate},
        "split": getattr(engine.model, "split", [])})


def started_of(options, engine, devices):
    plan = engine.plan
    project = {k: v for k, v in plan.project.items() if k != "family"}
    project["costs"] = plan.costs or {"uniform": {
        "forward_ns": 1000000, "backward_ns": 1000000, "weight_ns": 1000000, "hop_ns": 0, "update_ns": 0,
        "activation_bytes": 0, "kept_for_weight": 1, "stash": 0}}
    cuda = options.backend == "cuda"
    library = f"NCCL {'.'.join(map(str, torch.cuda.nccl.version()))}" if cuda else "gloo"
    return {"t": "started", "title": plan.title or "schedule", "host": platform.node(),
            "backend": f"torch-{options.backend}", "transport": "nccl" if cuda else "gloo",
            "driver": f"PyTorch {torch.__version__}, {library}",
            "build": f"pipewright_torch {VERSION}, Python {platform.python_version()}",
            "devices": devices, "ranks": plan.devices, "stages": plan.stages,
            "micro_batches": plan.micro_batches, "segments": 1, "steps": 1, "warmup": options.warmup,
            "iterations": options.iterations, "settings": settings_of(options, engine),
            "project": json.dumps(project)}


class Run:
    def __init__(self, options, wire):
        self.options, self.wire = options, wire
        self.rank = int(os.environ["RANK"])
        self.world = int(os.environ["WORLD_SIZE"])
        self.local = int(os.environ.get("LOCAL_WORLD_SIZE", self.world))
        self.store = open_store(self.rank, self.world)
        self.neighbours = Neighbours(self.store, self.rank, self.world)
        self.part = LeadPart(options, wire, self.store, self.neighbours) if self.rank == 0 else None
        self.ending = Ending(self.part, self.neighbours)
        self.outbox = Outbox(self.store, self.rank, self.neighbours)

    def plan(self):
        """Rank 0 reads it, the others hear it; None: there will be no run."""
        options = self.options
        if self.rank != 0:
            while not self.store.check(["plan"]):
                time.sleep(0.02)
            text = self.store.get("plan").decode()
            return plan_from(text, options.file) if text else None
        try:
            ready = os.environ.get("PIPEWRIGHT_PLAN")
            text = read_input(ready or options.file, options.attended and not ready)
            plan = plan_from(text, options.file)
            if self.world % plan.devices or (self.world != plan.devices and not options.wrap):
                raise Cannot(f"the schedule has {plan.devices} devices and there are {self.world} processes: "
                             f"torchrun --nproc-per-node {plan.devices}")
            self.check_wrap(plan)
            options.backend = pick_backend(options.backend, self.local)
        except Cannot as problem:
            self.wire.cannot(problem, options.backend)
            self.store.set("plan", "")
            return None
        if options.attended:
            attend(self.ending.stop)
        self.store.set("plan", text)
        return plan

    def check_wrap(self, plan):
        if not self.options.wrap:
            return
        if self.options.verify:
            raise Cannot("--verify compares one process a device with one device; leave out --wrap")
        split = any(one.kind == "W" for order in plan.orders for e in order for one in e.passes())
        if self.options.wrap == "ddp" and split:
            raise Cannot("cannot wrap in DDP where a backward is split in two: its reducer wants all gradients "
                         "of a backward at once; --wrap fsdp can")

    def go(self):
        plan = self.plan()
        if plan is None:
            time.sleep(0.3)  # the others read that from the store, which may live here
            return 1
        self.options.backend = pick_backend(self.options.backend, self.local)
        if self.part is not None:
            self.part.begin(plan)
        self.outbox.start()
        engine = None
        try:
            place = take_place(self.store, self.rank, self.world, plan, self.options)
            say = self.outbox.say if place.replica == 0 else self.say_errors
            engine = Engine(self.options, plan, place, say)
            self.outbox.watchdog = engine.stuck
            return self.train(engine)
        except (Exception, SystemExit) as problem:
            if isinstance(problem, Cannot) or engine is None:
                device = self.rank % plan.devices
                fault = {"t": "error", "rank": device, "peer": -1, "pass": "",
                         "text": f"rank {device}: {words_of(problem)}"}
            else:
                fault = engine.fault(problem)
            self.outbox.say(fault)
            time.sleep(10)  # rank 0 ends all
            return 1

    def say_errors(self, *objects):
        self.outbox.say(*(one for one in objects if one["t"] == "error"))

    def train(self, engine):
        options, place = self.options, engine.place
        devices = exchange_values(device_name(place.torch_device), place.control, self.world)
        devices = devices[: engine.plan.devices]
        if self.part is not None:
            self.wire.hello(options.backend, devices)
        engine.set_up()
        logs = []
        if options.verify:
            logs.append(self.verified(engine))
        if options.measure or not (options.as_planned or options.backend == "emulated"):
            tables = engine.measure()
            if tables is not None:
                engine.plan.costs = {"tables": tables}
                logs.append("costs measured a moment ago, in executions of the order itself")
        if self.part is not None:
            self.announce(engine, devices, logs)
        profiler = traced(options.traces, place.torch_device, self.rank) if options.traces else None
        stopped = self.iterate(engine, profiler)
        self.outbox.say({"t": "done"})
        self.outbox.close()
        return self.finish(stopped)

    def verified(self, engine):
        worst = torch.tensor([engine.verify()], dtype=torch.float64)
        dist.all_reduce(worst, dist.ReduceOp.MAX, group=engine.place.control)
        text = (f"gradients against the model on one device: worst relative error {float(worst):.1e}, "
                f"at most {self.options.tolerance:.0e} is taken")
        if not float(worst) <= self.options.tolerance:
            raise Cannot(text)
        return text

    def announce(self, engine, devices, logs):
        plan = engine.plan
        try:
            makespan, bubble, peak = simulate(plan, plan.costs)
            self.part.tally.predicted = {"predicted_makespan": makespan, "predicted_span_bubble": bubble,
                                         "predicted_peak_activation": peak}
        except Cannot as problem:
            logs.append(f"no prediction: {problem}")
        self.wire.write([started_of(self.options, engine, devices)] + [
            {"t": "log", "time": engine.watch.clock.now(), "rank": -1, "level": "info", "text": text}
            for text in logs])

    def iterate(self, engine, profiler):
        """@return whether it was asked to stop"""
        options, place = self.options, engine.place
        for iteration in range(-options.warmup, options.iterations):
            word = torch.tensor([int(self.ending.stop.is_set())])
            dist.broadcast(word, 0, group=place.control)
            if int(word):
                return True
            if profiler and iteration == 0:
                profiler[0].__enter__()
            engine.iterate(iteration)
            if profiler and iteration >= 0:
                profiler[0].step()
        if profiler:
            profiler[0].__exit__(None, None, None)
            profiler[1](profiler[0])
        return False

    def finish(self, stopped):
        if self.part is None:
            return 0
        limit = time.monotonic() + 2 * SILENCE
        while len(self.part.inbox.done) < self.world and time.monotonic() < limit:
            time.sleep(0.02)
        self.part.inbox.close()
        self.wire.finished("stopped" if stopped else "finished", self.part.tally.figures())
        return 0


def be_rank(options):
    """Runs as one of the processes of a launcher."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
    descriptor = os.dup(1)
    os.dup2(2, 1)  # what others print does not get between the lines
    code = Run(options, (Wire if options.wire else Plain)(descriptor, folder_of_parent())).go()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # groups whose peers have gone may take long to tear down
