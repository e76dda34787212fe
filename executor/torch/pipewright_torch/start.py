# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Starts the processes of a run on this machine, and ends them together, whatever becomes of one.

Rank 0 speaks for the run. What only their parent can know, how a process ended, lies in a file beside
the plan, where rank 0 finds it; and where rank 0 itself is lost, its parent speaks.
"""

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import time

from . import Cannot
from .host import cpu_name
from .neighbours import is_stopped
from .plan import plan_from, read_input
from .wire import Plain, Wire

TICK = 0.1  # seconds between two looks
STOPPED = 20  # looks that rank 0 may be found stopped
HEARD = 2.5  # seconds for rank 0 to say by itself that another is lost
CONCLUDED = 2.5  # and then to end
FOLLOW = {True: 5.0, False: 0.3}  # seconds for the others to end behind it, where all went well and where not


def plan_file(folder):
    return os.path.join(folder, "plan")


def lost_file(folder):
    """One line for every process that ended before its time, in the order in which they did."""
    return os.path.join(folder, "lost")


def store_of_parent():
    """The file where the ranks that one parent started meet; None where another launcher started this process."""
    folder = folder_of_parent()
    return os.path.join(folder, "store") if folder else None


def folder_of_parent():
    """Where the parent and rank 0 meet; None where another launcher started this process."""
    ready = os.environ.get("PIPEWRIGHT_PLAN")
    return os.path.dirname(ready) if ready else None


def lost_of_parent():
    folder = folder_of_parent()
    try:
        with open(lost_file(folder), encoding="utf-8") as file:
            return [(int(line.split(" ", 1)[0]), line.rstrip("\n").split(" ", 1)[1]) for line in file]
    except (OSError, TypeError, ValueError, IndexError):
        return []


def spawn(given, words):
    """Runs all ranks here; the exit code."""
    try:
        if importlib.util.find_spec("torch") is None:
            raise Cannot(f"there is no PyTorch for {sys.executable}; it needs 2.6 or newer, with its pipelining")
        text = read_input(given.file, given.attended)
        ranks = given.spawn or plan_from(text, given.file).devices
    except Cannot as problem:
        (Wire if given.wire else Plain)(1).cannot(problem, given.backend)
        return 1
    with tempfile.TemporaryDirectory(prefix="pipewright-") as folder:
        with open(plan_file(folder), "w", encoding="utf-8") as out:
            out.write(text)
        return Parent(given, folder, start(given, words, ranks, folder)).wait()


def start(given, words, ranks, folder):
    processes = []
    for rank in range(ranks):
        environment = dict(os.environ, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(ranks),
                           LOCAL_WORLD_SIZE=str(ranks), PIPEWRIGHT_PLAN=plan_file(folder), OMP_NUM_THREADS=str(given.threads))
        for library in ("GLOO", "NCCL"):
            environment.setdefault(f"{library}_SOCKET_IFNAME", "lo")  # they are all here
        processes.append(subprocess.Popen([sys.executable, "-m", __package__, *words], env=environment,
                                          stdin=None if rank == 0 else subprocess.DEVNULL))
    return processes


def end_of(process):
    """How it ended, as a sentence has it."""
    code = process.returncode
    if code >= 0:
        return f"its process ended with exit code {code}"
    try:
        return f"its process was ended by signal {-code} ({signal.strsignal(-code)})"
    except ValueError:
        return f"its process was ended by signal {-code}"


class Parent:
    def __init__(self, given, folder, processes):
        self.given, self.folder, self.processes = given, folder, processes
        self.ended = set()
        self.first_end = None  # when the first process but rank 0 was found to have failed
        self.asked = False  # by a signal to end
        self.stopped = 0  # looks at which rank 0 was stopped
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.forward)

    def forward(self, number, _frame):
        self.asked = True
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(number)

    def wait(self):
        """Until rank 0 has ended; the others follow it."""
        lead, why = self.processes[0], None
        while lead.poll() is None:
            self.look_at_others()
            why = self.hopeless()
            if why is not None:
                lead.kill()
                lead.wait()
                break
            time.sleep(TICK)
        self.end_others()
        if why is None and not self.asked and not self.has("ended"):
            why = end_of(lead)
        if why is not None:
            self.speak(why)
            return 1
        return lead.returncode if lead.returncode >= 0 else 128 - lead.returncode

    def has(self, word):
        """Whether rank 0's wire has left a note of that name."""
        return os.path.exists(os.path.join(self.folder, word))

    def look_at_others(self):
        for rank, process in enumerate(self.processes):
            if rank == 0 or rank in self.ended or process.poll() is None:
                continue
            self.ended.add(rank)
            if process.returncode == 0 or self.asked:
                continue
            with open(lost_file(self.folder), "a", encoding="utf-8") as out:
                out.write(f"{rank} {end_of(process)}\n")
            if self.first_end is None:
                self.first_end = time.monotonic()

    def hopeless(self):
        """Why rank 0 cannot end this run by itself, or None."""
        # Counted in looks: time in which this process was stopped too does not count.
        self.stopped = self.stopped + 1 if is_stopped(self.processes[0].pid) else 0
        if self.stopped > STOPPED:
            return "its process is stopped"
        if self.first_end is None:
            return None
        since = time.monotonic() - self.first_end
        if since > HEARD + CONCLUDED:
            return "it does not end"
        if since > HEARD:
            self.processes[0].send_signal(signal.SIGTERM)
        return None

    def end_others(self):
        limit = time.monotonic() + FOLLOW[self.processes[0].returncode == 0]
        for process in self.processes[1:]:
            try:
                process.wait(max(0.0, limit - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def speak(self, why):
        """In the place of rank 0."""
        wire = (Wire if self.given.wire else Plain)(1)
        if not self.has("greeted"):
            wire.hello(self.given.backend, [cpu_name()])
        # Others end because rank 0 has gone, unless they were first.
        lost = lost_of_parent() if self.first_end is not None and why == "it does not end" else []
        for rank, words in lost[:1] or [(0, why)]:
            wire.write([{"t": "error", "rank": rank, "peer": -1, "pass": "",
                         "text": f"rank {rank} is lost: {words}"}])
        wire.finished("failed", {})
