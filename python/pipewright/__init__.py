# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Schedules of pipeline-parallel training: make, simulate, compare, plan, improve, import.

    import pipewright as pw

    zb = pw.schedule("zb-v", devices=4, micro_batches=8)
    pw.simulate(zb).makespan_ms
    pw.compare(["1f1b", "zb-h1", "zb-v"], devices=4, micro_batches=8)

Times end in _ms (milliseconds) or _ns (nanoseconds), sizes in _bytes, activations in _mb
(micro-batches on a device's whole share of the model), rates are parts from 0 to 1. Whatever
cannot be raises pipewright.Error with the sentence that the command line prints.
"""

from . import _core
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
    compare,
    convert,
    emit,
    families,
    import_trace,
    keywords,
    load_families,
    optimise,
    plan,
    run,
    runs,
    schedule,
    simulate,
    verify,
    what_if,
)
from ._families import family

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
    "Row",
    "Run",
    "Schedule",
    "Simulation",
    "Trace",
    "compare",
    "convert",
    "emit",
    "families",
    "family",
    "import_trace",
    "keywords",
    "load_families",
    "optimise",
    "plan",
    "run",
    "runs",
    "schedule",
    "simulate",
    "verify",
    "what_if",
]


def _schedule_of_project(text):
    """The schedule that was pickled: pickles name a function of Python."""
    return _core._schedule_of_project(text)
