# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Runs the schedules of Pipewright in PyTorch's own pipelining runtime, and tells the run on the wire.

Needs PyTorch 2.6 or newer and nothing else. See `python3 -m pipewright_torch --help`.
"""

VERSION = "0.1.0"
WIRE_PROTOCOL = 1


class Cannot(Exception):
    """What was asked for cannot be; the text says which thing, which value and which limit."""


class Usage(Cannot):
    """The command line is wrong."""


def short(value, longest=60):
    """A foreign value for a message: one line, no control characters."""
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return text if len(text) <= longest else text[: longest - 1] + "…"
