# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Runs a project of two devices here, and looks meanwhile at what its processes listen to: nothing that another
machine, or another user by PyTorch's store, could speak to."""

import os
import subprocess
import sys
import time


def children_of(parent):
    """A process and all below it."""
    found = [parent]
    for process in found:
        try:
            for task in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{task}/children", encoding="ascii") as file:
                    found += [int(one) for one in file.read().split()]
        except OSError:
            pass
    return found


def sockets_of(process):
    try:
        for name in os.listdir(f"/proc/{process}/fd"):
            to = os.readlink(f"/proc/{process}/fd/{name}")
            if to.startswith("socket:["):
                yield to[8:-1]
    except OSError:
        pass


def listening(process):
    """Addresses in the kernel's own words."""
    mine = set(sockets_of(process))
    for table in ("tcp", "tcp6"):
        with open(f"/proc/net/{table}", encoding="ascii") as file:
            for line in file.readlines()[1:]:
                words = line.split()
                if words[3] == "0A" and words[9] in mine:
                    yield words[1].split(":")[0]


def main(project):
    loopback = {"0100007F", "00000000000000000000000001000000"}
    run = subprocess.Popen([sys.executable, "-m", "pipewright_torch", "run", project, "--size", "tiny", "--iterations",
                            "200", "--as-planned"], stdout=subprocess.DEVNULL)
    seen = set()
    while run.poll() is None:
        for process in children_of(run.pid):
            seen.update(listening(process))
        time.sleep(0.02)
    assert run.returncode == 0, run.returncode
    assert seen, "nothing was seen of the run"
    assert seen <= loopback, f"it listens to {sorted(seen - loopback)}"


main(sys.argv[1])
