# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Runs models of one's own, wrong ones, and ranks that are lost; see own_models.sh.

    python3 own_models.py FOLDER [PART…]     the folder has own_model.py and the folders of `emit torch`;
                                             parts are own, wrong, lost and torchrun
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from own_model import WRONG

FOLDER = Path(sys.argv[1]).resolve()
LIMIT = 5.0  # seconds from the loss of a rank to the end of all
failures = 0


def command(plan, *words):
    return [sys.executable, "-m", "pipewright_torch", "run", "plan.pipewright.json", "--wire",
            "--as-planned", *words], FOLDER / plan


def start(plan, *words, before=()):
    line, folder = command(plan, *words)
    line[3:3] = before
    return subprocess.Popen(line, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def heard(process, seconds=120):
    """Everything that a run said: the objects of its wire, its exit code, and its errors."""
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.terminate()
        out, err = process.communicate()
        err += f"\nno end after {seconds} s"
    return [json.loads(line) for line in out.splitlines()], process.returncode, err


def told(objects, kind):
    return [one for one in objects if one["t"] == kind]


def report(what, good, detail=""):
    global failures
    failures += not good
    print(("passed: " if good else "FAILED: ") + what + (f" ({detail})" if detail else ""), flush=True)


def trains(what, plan, *words, before=()):
    """A run that ends well; its losses."""
    objects, code, err = heard(start(plan, "--iterations", "3", *words, before=before))
    status = [one["status"] for one in told(objects, "finished")]
    said = " ".join(one["text"] for one in told(objects, "error") + told(objects, "log"))
    error = re.search(r"worst relative error (\S+),", said)
    losses = [one["loss"] for one in sorted(told(objects, "loss"), key=lambda one: one["step"])]
    good = code == 0 and status == ["finished"] and len(losses) == 4
    report(what, good, (f"gradients {error[1]}, " if error else "") + f"losses {losses}" if good
           else f"{said} {err[-600:]}")
    return losses


def alike(what, some, others):
    apart = max((abs(a - b) / abs(b) for a, b in zip(some, others)), default=1.0)
    report(what, len(some) == len(others) and apart < 1e-5, f"apart by {apart:.1e}")


def own_models():
    module = ("--module", str(FOLDER / "own_model.py") + ":tied")
    apart = trains("weights shared by two ranks", "loop", *module, "--verify")
    together = trains("weights shared by two stages of a rank", "v", *module, "--verify")
    alike("and both train alike", apart, together)
    for name in ("build", "uneven"):
        module = ("--module", f"{FOLDER / 'own_model.py'}:{name}")
        for plan in ("two", "loop", "v"):
            trains(f"{name} on {plan}", plan, *module, "--verify")
    trains("build in FSDP", "two", *module[:1], str(FOLDER / "own_model.py") + ":build", "--wrap", "fsdp",
           before=("--spawn", "4"))
    trains("build in DDP", "two", *module[:1], str(FOLDER / "own_model.py") + ":build", "--wrap", "ddp",
           before=("--spawn", "4"))


def wrong(what, objects, code, words, took=None):
    errors = [one["text"] for one in told(objects, "error")]
    good = (code == 1 and objects and objects[0]["t"] == "hello" and len(told(objects, "hello")) == 1
            and objects[-1]["t"] == "finished" and objects[-1]["status"] == "failed"
            and errors and words in errors[0] and (took is None or took < LIMIT))
    report(what, good, (f"after {took:.1f} s: " if took is not None else "") + " | ".join(errors))


def wrong_models():
    for name, words in WRONG.items():
        objects, code, _ = heard(start("two", "--module", f"{FOLDER / 'own_model.py'}:{name}"))
        wrong(name, objects, code, words)
    (FOLDER / "syntax.py").write_text("import torch\ndef build(stages:\n")
    objects, code, _ = heard(start("two", "--module", f"{FOLDER / 'syntax.py'}:build"))
    wrong("a file that is not Python", objects, code, "syntax.py raises SyntaxError in line 2 of syntax.py")
    (FOLDER / "imports.py").write_text("import no_such_package\n")
    objects, code, _ = heard(start("two", "--module", f"{FOLDER / 'imports.py'}:build"))
    wrong("a package that is not there", objects, code, "ModuleNotFoundError in line 1 of imports.py: No module")
    objects, code, _ = heard(start("two", "--module", f"{FOLDER / 'own_model.py'}:tied", "--wrap", "ddp",
                                   before=("--spawn", "4")))
    wrong("shared weights in DDP", objects, code, "stages 0 and 1 share weights")


def rank_of(parent, rank):
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"\0RANK={rank}\0" in "\0" + (entry / "environ").read_text(errors="replace") and \
                    int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                return int(entry.name)
        except OSError:
            pass
    raise LookupError(f"no rank {rank} below {parent}")


def lost_ranks():
    for number, words in ((signal.SIGKILL, "was ended by signal 9"), (signal.SIGSTOP, None)):
        for rank in (0, 1):
            run = start("two", "--iterations", "1000000", "--size", "tiny")
            guard = threading.Timer(120, run.kill)
            guard.start()
            lines = []
            for line in run.stdout:
                lines.append(line)
                if '"t":"loss"' in line:  # it trains
                    break
            begun = time.monotonic()
            os.kill(rank_of(run.pid, rank), number)
            lines += run.stdout
            code = run.wait()
            guard.cancel()
            took = time.monotonic() - begun
            objects = [json.loads(line) for line in lines]
            wrong(f"rank {rank} gets {number.name}", objects, code,
                  f"rank {rank} is lost: " + (f"its process {words}" if words else ""), took)


def below_torchrun():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    line, folder = command("two", "--iterations", "1000000", "--size", "tiny")
    line[1:2] = ["-m", "pipewright_torch.torchrun", "--nproc-per-node", "2", "--master-addr", "127.0.0.1", "--master-port",
                 str(port), "-m"]
    return subprocess.Popen(line, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, GLOO_SOCKET_IFNAME="lo", OMP_NUM_THREADS="1"))


def end_below(run):
    """torchrun and its ranks, of which each has a session of its own."""
    for rank in (0, 1):
        try:
            os.kill(rank_of(run.pid, rank), signal.SIGKILL)
        except (LookupError, OSError):
            pass
    run.kill()


def lost_below_torchrun():
    """torchrun's agent gives those that are left 30 s to hear its SIGTERM, which a stopped process does not."""
    for number in (signal.SIGKILL, signal.SIGSTOP):
        for rank in (0, 1):
            run = below_torchrun()
            guard = threading.Timer(180, end_below, [run])
            guard.start()
            errors = []
            listener = threading.Thread(target=lambda: errors.extend(run.stderr))
            listener.start()
            lines = []
            for text in run.stdout:
                lines.append(text)
                if '"t":"loss"' in text:
                    break
            begun = time.monotonic()
            try:
                os.kill(rank_of(run.pid, rank), number)
            except LookupError:  # it has never trained
                end_below(run)
            lines += run.stdout
            code = run.wait()
            took = time.monotonic() - begun
            guard.cancel()
            listener.join(5)
            said = "".join(lines) + "".join(errors)
            # Who kills rank 0 takes its voice; then it is torchrun that names it.
            named = f"rank {rank} is lost" in said or f"local_rank: {rank}" in said or \
                re.search(rf"rank *: {rank} ", said) is not None
            report(f"torchrun, rank {rank} gets {number.name}: ends within {LIMIT:g} s and is named",
                   named and code != 0 and took <= LIMIT, f"{took:.1f} s" if named else said[-1500:])


PARTS = {"own": own_models, "wrong": wrong_models, "lost": lost_ranks, "torchrun": lost_below_torchrun}
for part in sys.argv[2:] or PARTS:
    PARTS[part]()
sys.exit(failures > 0)
