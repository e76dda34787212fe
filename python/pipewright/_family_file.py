# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Orders of a family as a file NAME.family: what `Family.save` does."""

import re

from . import _core

_PASS = re.compile(r"(BW|[FBWR])(\d+)(?:\.(\d+))?(?:/(\d+))?")
_ENTRY = re.compile(rf"\(({_PASS.pattern})\+({_PASS.pattern})\)|({_PASS.pattern})")


def save(family, path, shapes, name, parameters):
    """Writes the orders of a family for some shapes, pairs of devices and micro-batches."""
    made = [_Order(family, devices, count, parameters) for devices, count in shapes]
    if not made:
        raise _core.Error("there is no shape to write an order for")
    heads = {order.head for order in made}
    if len(heads) > 1:
        raise _core.Error("a file has one placement for all its shapes; here are " + ", ".join(sorted(heads)))
    conditions = [f"p == {order.devices} and m == {order.micro_batches}" for order in made]
    sizes = ", ".join(f"{order.devices} devices with {order.micro_batches} micro-batches" for order in made[:6])
    lines = [
        f"family {name or family.id}",
        f"title {family.title}",
        f"summary {family.summary}",
        f"citation {family.citation}",
        "require " + " or ".join(f"({one})" for one in conditions) + f": the file has the order of {sizes}"
        + (" and others" if len(made) > 6 else ""),
        made[0].head,
        "order",
    ]
    for order, condition in zip(made, conditions):
        lines.append(f"  if {condition}")
        for device, entries in enumerate(order.entries):
            lines += [f"    if d == {device}"] + _statements(entries) + ["    end"]
        lines.append("  end")
    lines.append("end")
    text = "\n".join(line for line in lines if line) + "\n"
    _core._write_family(text, path)


class _Order:
    """One step of a schedule, as the text notation has it."""

    def __init__(self, family, devices, micro_batches, parameters):
        made = _core.schedule(family.id, devices=devices, micro_batches=micro_batches, **parameters)
        self.devices, self.micro_batches, self.entries, head = devices, micro_batches, [], []
        for line in str(made).splitlines():
            word, _, rest = line.partition(":")
            if re.fullmatch(r"d\d+", word):
                self.entries.append([_entry(one) for one in _ENTRY.finditer(rest)])
            elif word == "placement" and "," not in rest:
                named = re.fullmatch(r" (linear|v|looped \d+|zigzag \d+)", rest)
                head.append("placement" + rest if named else _placement(made.placement))
            elif word not in ("devices", "micro-batches", "segments"):
                raise _core.Error(f"a file cannot say what {family.id} has: {line[:60]}")
        if len(made.segment_lengths) > 1:
            head.append(f"segments {len(made.segment_lengths)}")
        self.head = "\n".join(head)


def _placement(devices):
    """A device for every stage; the language has no lists here."""
    most = 30
    if len(devices) > most:
        raise _core.Error(f"a file cannot say the devices of {len(devices)} stages one by one; up to {most}")
    text = str(devices[-1])
    for stage in range(len(devices) - 2, -1, -1):
        text = f"choose(s == {stage}, {devices[stage]}, {text})"
    return f"placement {text} for {len(devices)} stages"


def _entry(match):
    """Passes of an entry, one or two that overlap: kind, micro-batch, chunk, segment."""
    passes = _PASS.findall(match.group(0))
    return tuple((kind, int(number), int(chunk or 0), int(segment or 0)) for kind, number, chunk, segment in passes)


def _steps(entries, begin, length):
    """How micro-batches change from one repetition of a piece to the next, and how often it comes."""
    piece = entries[begin : begin + length]
    second = entries[begin + length : begin + 2 * length]
    if [_shape(entry) for entry in piece] != [_shape(entry) for entry in second]:
        return None, 1
    steps = [[b[1] - a[1] for a, b in zip(one, two)] for one, two in zip(piece, second)]
    times = 2
    while True:
        next_piece = entries[begin + times * length : begin + (times + 1) * length]
        wanted = [
            tuple((kind, j + times * step, c, q) for (kind, j, c, q), step in zip(entry, by))
            for entry, by in zip(piece, steps)
        ]
        if next_piece != wanted:
            return steps, times
        times += 1


def _shape(entry):
    return [(kind, chunk, segment) for kind, _, chunk, segment in entry]


def _statements(entries):
    """The lines of one device; what repeats with steady steps is a loop."""
    longest = 12
    lines, at = [], 0
    while at < len(entries):
        best, saved = None, 0
        for length in range(1, min(longest, (len(entries) - at) // 2) + 1):
            steps, times = _steps(entries, at, length)
            if steps is not None and (times - 1) * length - 2 > saved:
                best, saved = (length, steps, times), (times - 1) * length - 2
        if best is None:
            lines.append("      " + _statement(entries[at], [0] * len(entries[at])))
            at += 1
            continue
        length, steps, times = best
        lines.append(f"      for i in 0 .. {times}")
        for entry, by in zip(entries[at : at + length], steps):
            lines.append("        " + _statement(entry, by))
        lines.append("      end")
        at += length * times
    return lines


def _statement(entry, steps):
    words = [_words(one, step) for one, step in zip(entry, steps)]
    return words[0] if len(words) == 1 else f"pair {words[0]} with {words[1]}"


def _words(one, step):
    kind, micro_batch, chunk, segment = one
    times = "i" if abs(step) == 1 else f"{abs(step)} * i"
    number = str(micro_batch)
    if step != 0:
        number = times if micro_batch == 0 else f"{micro_batch} {'+' if step > 0 else '-'} {times}"
    return f"{kind} {number}" + (f" chunk {chunk}" if chunk else "") + (f" segment {segment}" if segment else "")
