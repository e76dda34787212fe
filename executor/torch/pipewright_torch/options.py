# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""The command line, which is that of `pipewright run` as far as both know a thing."""

import argparse

from . import Usage

ABOUT = """Runs a schedule in PyTorch's own pipelining runtime, on CPUs with gloo or on GPUs with NCCL.

If torchrun starts as many processes as the schedule has devices, each process is a device; without
torchrun the program starts the processes itself. FILE is a project of Pipewright that holds its order
(pipewright convert IN OUT.pipewright.json --order), a schedule file of PyTorch (.csv), or - for
standard input."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Usage(message)


def at_least(least):
    def read(text):
        value = int(text)
        if value < least:
            raise ValueError
        return value

    read.__name__ = f"whole number from {least}"
    return read


def parser():
    top = Parser(prog="python3 -m pipewright_torch", description=ABOUT,
                 formatter_class=argparse.RawDescriptionHelpFormatter)
    top.add_argument("--spawn", type=at_least(1), metavar="N",
                     help="processes to start here (default: as many as the schedule has devices)")
    commands = top.add_subparsers(dest="command", required=True, parser_class=Parser)

    run = commands.add_parser("run", help="runs a schedule")
    run.add_argument("file", metavar="FILE")
    add_run_options(run)

    check = commands.add_parser("check", help="says whether PyTorch's runtime can hold a schedule")
    check.add_argument("file", metavar="FILE")
    check.add_argument("--attended", action="store_true", help=argparse.SUPPRESS)

    backends = commands.add_parser("backends", help="what there is here to run on")
    backends.add_argument("--json", action="store_true", help="for programs: an array")
    costs = commands.add_parser("costs", help="refused: this executor measures in a run")
    costs.add_argument("rest", nargs=argparse.REMAINDER)
    return top


def add_run_options(run):
    add = run.add_argument
    add("--wire", action="store_true", help="for programs: everything as it happens, one JSON object per line")
    add("--attended", action="store_true",
        help="standard input stays open (a project on it ends with a zero byte), and its end asks to stop")
    add("--no-store", action="store_true", help="nothing is kept here; accepted as in pipewright run")
    add("--iterations", type=at_least(1), default=5, metavar="N", help="counted executions (default 5)")
    add("--warmup", type=at_least(0), default=1, metavar="N", help="executions before them (default 1)")
    add("--as-planned", action="store_true",
        help="predict with the costs of the project; nothing is measured first")
    add("--measure", action="store_true", help="measures first with --backend emulated too")
    add("--backend", choices=("auto", "cpu", "cuda", "emulated"), default="auto",
        help="cpu over gloo, cuda over NCCL (default: cuda if every process has a GPU)")
    add("--patience", type=float, default=0, metavar="MS", help="a longer wait is a fault (default 120000)")
    add("--threads", type=at_least(1), default=1, metavar="N", help="of a process on the CPU (default 1)")
    add("--inject", metavar="FAULT", help="throw, die or stall on purpose, such as stall:F3.1@2")
    add("--verify", action="store_true",
        help="first compares all gradients with those of the same model on one device")
    add("--tolerance", type=float, default=1e-6, metavar="X",
        help="largest relative error of a gradient that --verify allows (default 1e-6)")
    add("--traces", metavar="FOLDER", help="a trace of PyTorch's profiler for every rank")
    add("--dump", metavar="FILE", help="the order with sends and receives as the runtime has made it")
    model = run.add_argument_group("the model that is trained")
    add = model.add_argument
    add("--module", metavar="FILE.py:FUNCTION",
        help="a model of your own: a function that is given the number of stages and returns them")
    add("--size", choices=("tiny", "small", "medium", "24gb", "40gb", "80gb", "h200"), default="small")
    for name in ("layers", "hidden", "heads", "ffn", "sequence", "vocabulary", "samples"):
        add("--" + name, type=at_least(1), metavar="N")
    add("--split", default="even", help="even, ends, or layers of each stage such as 7,8,8,7")
    add("--bf16", action="store_true")
    add("--tf32", action="store_true")
    add("--flash-attention", action="store_true", help="PyTorch picks its attention itself")
    add("--optimizer", choices=("sgd", "adamw"), default="adamw")
    add("--learning-rate", type=float, default=3e-3, metavar="X")
    add("--momentum", type=float, default=0.9, metavar="X")
    add("--weight-decay", type=float, default=0.01, metavar="X")
    add("--seed", type=at_least(0), default=1, metavar="N")
    add("--wrap", choices=("ddp", "fsdp"),
        help="several processes per device share its stages' data: N times as many processes as devices")


def parse(words):
    return parser().parse_args(words)
