# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""What the ranks tell rank 0 while they run: over the store that PyTorch has anyway, no port of our own."""

import collections
import json
import os
import threading
import time

BEAT = 0.2  # seconds between two words of a rank
SILENCE = 3.0  # without a word a rank is lost
SUSPICION = 0.8  # the same once something else says that a rank is lost


class Outbox:
    """Sends what a rank has to say in batches, and a sign of life where it has nothing."""

    def __init__(self, store, rank):
        self.store, self.rank = store, rank
        self.waiting = collections.deque()
        self.sent = 0
        self.closed = threading.Event()
        self.watchdog = lambda: None  # an error where a pass takes too long
        self.thread = threading.Thread(target=self.work, daemon=True)

    def start(self):
        self.thread.start()

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
                if last and not self.waiting:
                    return
                if not last and self.store.check(["over"]):
                    os._exit(1)
                self.closed.wait(0 if self.waiting else BEAT)
        except Exception:  # the store has gone, and rank 0 with it
            if not self.closed.is_set():
                os._exit(1)

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
        """Ranks that have spoken once and not for so long; they had not said that they are done."""
        now = time.monotonic()
        return [rank for rank, last in enumerate(self.last)
                if last is not None and rank not in self.done and now - last > longest]

    def work(self):
        try:
            while not self.closed.is_set():
                begun = time.monotonic()
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
