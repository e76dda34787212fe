# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Schedules of pipeline-parallel training: make, simulate, compare, plan, improve, import.

    import pipewright as pw

    zb = pw.schedule("zb-v", devices=4, micro_batches=8)
    pw.simulate(zb).makespan_ms
    pw.compare(["1f1b", "zb-h1", "zb-v"], devices=4, micro_batches=8)

Times end in _ms (milliseconds) or _ns (nanoseconds), sizes in _bytes, activations in _mb
(micro-batches on a device's whole share of the model), rates are parts from 0 to 1. Whatever
cannot be raises pipewright.Error with the sentence that the command line prints, in keywords.
Every command of the program is a function: help(pw.noise) says what it takes.
"""

from . import _core
from ._commands import (
    advise,
    backends,
    block,
    calibrate,
    check,
    communication,
    compare,
    convert,
    diff,
    explain,
    fit,
    headlines,
    lesson,
    merge,
    model,
    noise,
    optimise,
    optimize,
    plan,
    query,
    rank_slices,
    reduce,
    run,
    show,
    study,
    submit,
    verify,
    what_if,
)
from ._core import (
    ClosedForm,
    Column,
    Comparison,
    Error,
    Family,
    Lane,
    Optimised,
    Parameter,
    Pass,
    Plan,
    PlanRow,
    Prediction,
    Records,
    Row,
    Run,
    Schedule,
    Simulation,
    Trace,
    __version__,
    emit,
    families,
    import_trace,
    keywords,
    load_families,
    runs,
    schedule,
    simulate,
)
from ._families import family
from ._results import Result, Rows

__all__ = [
    "ClosedForm",
    "Column",
    "Comparison",
    "Error",
    "Family",
    "Lane",
    "Optimised",
    "Parameter",
    "Pass",
    "Plan",
    "PlanRow",
    "Prediction",
    "Records",
    "Result",
    "Row",
    "Rows",
    "Run",
    "Schedule",
    "Simulation",
    "Trace",
    "advise",
    "backends",
    "block",
    "calibrate",
    "check",
    "communication",
    "compare",
    "convert",
    "diff",
    "emit",
    "explain",
    "families",
    "family",
    "fit",
    "headlines",
    "import_trace",
    "keywords",
    "lesson",
    "load_families",
    "merge",
    "model",
    "noise",
    "optimise",
    "optimize",
    "plan",
    "query",
    "rank_slices",
    "reduce",
    "run",
    "runs",
    "schedule",
    "show",
    "simulate",
    "study",
    "submit",
    "verify",
    "what_if",
]


def _schedule_of_project(text):
    """The schedule that was pickled: pickles name a function of Python."""
    return _core._schedule_of_project(text)
