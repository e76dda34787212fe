# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""The ranks beside this one, and the end of those that somebody has stopped (SIGSTOP).

A stopped process hears no SIGTERM. Launchers send one to whoever is left when a rank has failed, and wait
long for it (torchrun: 30 s), while its node and its GPU stay taken. So the ranks that end because another
is lost first end those of their own computer that are stopped.
"""

import json
import os
import signal

from .host import boot


def state_of(pid):
    """The letter of what a process does and when it was started, in clock ticks since the boot; None:
    there is no such process, or this system does not say."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            words = file.read().rpartition(")")[2].split()
        return words[0], int(words[19])
    except (OSError, IndexError, ValueError):
        return None


def is_stopped(pid):
    """Whether somebody has stopped it; a debugger's hold does not count."""
    state = state_of(pid)
    return state is not None and state[0] == "T"


def computer():
    """Equal for processes that see each other under the same numbers."""
    try:
        return f"{boot()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


class Neighbours:
    def __init__(self, store, rank, world):
        self.store, self.rank = store, rank
        self.known = {}  # rank -> [pid, time of its start]
        self.here = computer()
        local, count = int(os.environ.get("LOCAL_RANK", rank)), int(os.environ.get("LOCAL_WORLD_SIZE", world))
        self.unknown = {other for other in range(rank - local, rank - local + count)
                        if 0 <= other < world and other != rank}
        state = state_of(os.getpid())
        store.set(f"where/{rank}", json.dumps([self.here, os.getpid(), state[1] if state else -1]))

    def learn(self):
        """Takes what the others have said of themselves by now. May raise what the store raises."""
        for other in sorted(self.unknown):
            if not self.store.check([f"where/{other}"]):
                return
            here, pid, born = json.loads(self.store.get(f"where/{other}"))
            self.unknown.discard(other)
            if here and here == self.here and born >= 0:
                self.known[other] = (pid, born)

    def end_stopped(self):
        """Ends those that are stopped; the ranks that were."""
        return [other for other, (pid, born) in self.known.items() if end_if_stopped(pid, born)]


def end_if_stopped(pid, born):
    """A number may belong to another process by now; the time of its start tells, and the handle keeps it."""
    try:
        handle = os.pidfd_open(pid)
    except (OSError, AttributeError):  # it has gone; or an old system, which is left alone
        return False
    try:
        if state_of(pid) != ("T", born):
            return False
        signal.pidfd_send_signal(handle, signal.SIGKILL)
        return True
    except OSError:
        return False
    finally:
        os.close(handle)
