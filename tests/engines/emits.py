# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Emits random schedules for five engines: emits.py PIPEWRIGHT FOLDER [COUNT [SEED]]; a folder each, with case.json beside.

What a target refuses is kept with the reason, and counted by engines.py; nobody asks the engine about it. A target that
refuses everything ends the run with 1.
"""

import csv
import io
import json
import pathlib
import random
import subprocess
import sys

MOST_REFUSED = 100  # in a row, of one target: there is nothing that it takes
TARGETS = ("torchtitan", "nemo", "megatron", "primus", "galvatron")
FAMILIES = {  # family -> stages a rank; None: drawn
    "1f1b": 1, "gpipe": 1, "zb-h1": 1, "kfkb": 1, "interleaved-1f1b": None, "breadth-first": None, "zb-v": 2,
    "v-half": 2, "v-min": 2, "hanayo": 2, "gis": 2,
}
GALVATRONS = ("1f1b", "gpipe", "zb-h1")  # what it has, and one to be refused


def split_of(draw, stages, ranks, tokens):
    """Layers of the stages, unevenly: none is without, but for those with loss or multi-token layers.

    Those are on the last stage or, as Megatron's pull requests have them, on several of the last chunks behind rank 0.
    """
    layers = [draw.randint(1, 4) for _ in range(stages)]
    several = draw.choice((0, 1, 2)) if tokens else 0  # 1: multi-token layers, 2: losses too
    behind = [""] * stages
    place = stages - 1 - draw.randint(0, ranks - 2) if several and ranks > 1 else stages - 1
    for _ in range(tokens):
        behind[place] += "m"
        if several and place < stages - 1 and draw.random() < 0.7:
            place += 1
    place = max(stage for stage in range(stages) if "m" in behind[stage]) if tokens else stages - 1
    if several < 2:
        place = stages - 1
    outputs = 1 if place == stages - 1 else tokens + 1
    for left in range(outputs, 0, -1):
        behind[place if left > 1 else -1] += "L"
        if place < stages - 1 and draw.random() < 0.5:
            place += 1
    for stage in range(stages):
        first = min((one for one in range(stages) if behind[one]), default=stages)
        if stage > first or (behind[stage] and stage > 0 and draw.random() < 0.3):
            layers[stage] = 0
    text = ["t" * count + more for count, more in zip(layers, behind)]
    return layers, "E" + "|".join(text)


def draw_case(draw, target):
    family = draw.choice(list(FAMILIES) if target != "galvatron" else GALVATRONS)
    devices = draw.randint(1 if target == "megatron" else 2, 6)
    chunks = FAMILIES[family] or draw.randint(2, 3)
    micro_batches = draw.choice((devices, 2 * devices, 3 * devices, draw.randint(1, 16)))
    tokens = draw.choice((0, 0, 1, 2)) if target == "megatron" else 0
    layers, layout = split_of(draw, devices * chunks, devices, tokens)
    words = [family, "--devices", devices, "--micro-batches", micro_batches]
    if FAMILIES[family] is None:
        words += ["--chunks", chunks]
    if family == "interleaved-1f1b" and draw.random() < 0.3:
        words += ["--overlap"]
    return {"target": target, "family": family, "devices": devices, "chunks": chunks, "micro_batches": micro_batches,
            "layers": layers, "tokens": tokens, "words": [str(word) for word in words], "layout": layout}


def said(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr.strip()


def order_of(program, words):
    """Cells of PyTorch's table, a row a rank; none where it cannot hold the order."""
    code, out, _ = said(program, "convert", words[0], "-", "--to", "torch-csv", *words[1:])
    return [[cell for cell in row if cell] for row in csv.reader(io.StringIO(out))] if code == 0 else None


def main():
    program, place = sys.argv[1], pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(10**6)
    draw = random.Random(seed)
    written = refused = in_a_row = 0
    while written < count:
        case = draw_case(draw, TARGETS[written % len(TARGETS)])
        code, _, _ = said(program, "simulate", *case["words"])
        if code != 0:
            continue  # the family has no such shape
        folder = place / f"{written + refused:04}"
        layout = ["--pipeline-model-parallel-layout", case["layout"]]
        code, _, error = said(program, "convert", case["words"][0], str(folder), *case["words"][1:], *layout,
                              "--to", case["target"])
        case["refused"] = error if code else ""
        case["order"] = order_of(program, case["words"])
        folder.mkdir(exist_ok=True, parents=True)
        (folder / "case.json").write_text(json.dumps(case))
        written, refused = written + (code == 0), refused + (code != 0)
        in_a_row = in_a_row + 1 if code else 0
        if in_a_row == MOST_REFUSED:
            sys.exit(f"{case['target']} refuses everything, at last: {error}")
    print(f"seed {seed}: {written} emits, {refused} refused")


if __name__ == "__main__":
    main()
