# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""What the ranks tell rank 0 while they run: over the store that PyTorch has anyway, no port of our own."""

import collections
import json
import os
import sys
import threading
import time

BEAT = 0.2  # seconds between two words of a rank
SILENCE = 3.0  # without a word a rank is lost
SUSPICION = 0.8  # the same once something else says that a rank is lost


class Outbox:
    """Sends what a rank has to say in batches, and a sign of life where it has nothing."""

    def __init__(self, store, rank, neighbours):
        self.store, self.rank, self.neighbours = store, rank, neighbours
        self.waiting = collections.deque()
        self.sent = 0
        self.closed = threading.Event()
        self.watchdog = lambda: None  # an error where a pass takes too long
        self.beats = 0  # of rank 0, as far as they are known
        self.thread = threading.Thread(target=self.work, daemon=True)

    def start(self):
        self.thread.start()
        if self.rank != 0:
            threading.Thread(target=self.guard, daemon=True).start()

    def guard(self):
        """Ends this process where rank 0 gives no sign of life any more: stopped, or cut off.

        Counted in looks and not in time: while this process itself was stopped it has missed nothing.
        """
        known, looks = 0, 0
        while not self.closed.wait(BEAT):
            looks = looks + 1 if self.beats == known else 0
            known = self.beats
            if known > 0 and looks > (SILENCE + 0.5) / BEAT:
                print(f"pipewright_torch: rank {self.rank} ends: rank 0 is lost, it has said nothing for "
                      f"{SILENCE + 0.5:.1f} s", file=sys.stderr, flush=True)
                self.leave()

    def leave(self):
        """Ends this process, and before it those beside it that cannot end by themselves."""
        for other in self.neighbours.end_stopped():
            print(f"pipewright_torch: rank {other} was stopped; rank {self.rank} has ended it", file=sys.stderr,
                  flush=True)
        os._exit(1)

    def say(self, *objects):
        self.waiting.extend(objects)

    def work(self):
        try:
            while True:
                last = self.closed.is_set()
                fault = self.watchdog()
                batch = [fault] if fault else []
                while self.waiting and len(batch) < 4000:
                    batch.append(self.waiting.popleft())
                self.store.set(f"said/{self.rank}/{self.sent}", json.dumps(batch))
                self.sent += 1
                self.neighbours.learn()
                if self.rank != 0:
                    self.beats = self.store.add("lead", 0)
                if last and not self.waiting:
                    return
                if not last and self.store.check(["over"]):
                    self.leave()
                self.closed.wait(0 if self.waiting else BEAT)
        except Exception:  # the store has gone, and rank 0 with it
            if not self.closed.is_set():
                self.leave()

    def close(self):
        """Sends the rest; at most a few seconds."""
        self.closed.set()
        self.thread.join(5)


class Inbox:
    """Rank 0's ear: hands on what every rank says, and notices who says nothing any more."""

    def __init__(self, store, ranks, hear, lost):
        self.store, self.hear, self.lost = store, hear, lost
        self.next = [0] * ranks
        self.last = [None] * ranks
        self.done = set()
        self.closed = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)

    def start(self):
        self.thread.start()

    def sweep(self):
        for rank, number in enumerate(self.next):
            key = f"said/{rank}/{number}"
            while self.store.check([key]):
                batch = json.loads(self.store.get(key))
                self.store.delete_key(key)
                self.last[rank] = time.monotonic()
                number += 1
                self.next[rank] = number
                key = f"said/{rank}/{number}"
                for one in batch:
                    if one["t"] == "done":
                        self.done.add(rank)
                if batch:
                    self.hear(rank, batch)

    def silent(self, longest):
        """Seconds of silence of the ranks that have spoken once and not for so long, by rank; they had
        not said that they are done."""
        now = time.monotonic()
        return {rank: now - last for rank, last in enumerate(self.last)
                if last is not None and rank not in self.done and now - last > longest}

    def work(self):
        try:
            beaten = 0.0
            while not self.closed.is_set():
                begun = time.monotonic()
                if begun - beaten > BEAT:
                    self.store.add("lead", 1)
                    beaten = begun
                self.sweep()
                if time.monotonic() - begun < SILENCE / 2:  # else it was this process that slept
                    gone = self.silent(SILENCE)
                    if gone:
                        self.lost(gone)
                        return
                self.closed.wait(0.05)
            self.sweep()
        except Exception:
            if not self.closed.is_set():
                self.lost([])

    def close(self):
        self.closed.set()
        self.thread.join(5)
