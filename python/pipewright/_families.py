# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Functions that are families: what `pipewright.family` does."""

import inspect
import re

from . import _core

_SHAPE = ("devices", "micro_batches", "steps")
# Placements that take a number, and the parameter that says it.
_COUNTED = {"looped": "chunks", "zigzag": "waves"}


def family(id=None, *, name=None, placement="linear", title=None, summary=None, citation=None, limits=None):
    """The family of an id, or a function made a family: `@pw.family`.

    With an id alone: the family. Raises Error, which names the nearest id.

    Above a function, or with a function: it becomes a family, known by its name, for everything that
    takes one: `schedule`, `simulate`, `compare`, `what_if`, `optimise`, `plan`, `verify`, `run`,
    `convert`, and the recognition of orders and traces. The function stays as it is.

        @pw.family
        def one_by_one(devices, micro_batches):
            "Every micro-batch alone."
            return [[f"{kind}{j}" for j in range(micro_batches) for kind in ("F", "BW")]] * devices

    It is called with `devices`, `micro_batches` and, where it takes them, `steps` and parameters of its
    own, and returns what Schedule takes: for each device a list of passes. Such an order is of one step,
    unless the function takes `steps`. It may also return a Schedule.

    A parameter has a default, which says its type: a whole number, a decimal number, True or False, or
    a word. `limits` has what is allowed: {"chunks": (1, 8)}, {"form": ("wide", "narrow")}; without one
    a number is at least 1 (0 if that is its default). `chunks`, `segments`, `waves` and `group` mean what
    they mean in other families; `segments` is how many segments a sequence has.

    `placement` is one of Schedule ("looped" and "zigzag" take their number from `chunks` and `waves`),
    or a function of the same words that returns one. `name` is the id, by default that of the function
    with - for _. `title`, `summary` (by default the first line of the docstring) and `citation` are
    texts.

    Raise pipewright.Error for a shape that cannot be: it is the reason that people see. Any other
    exception comes through the call that asked for the family.

    Defined again, it takes the place of the function before; a family of the program keeps its name.
    """
    described = {
        "placement": placement,
        "title": title,
        "summary": summary,
        "citation": citation,
        "limits": limits,
    }
    asked = name is not None or placement != "linear" or any(
        described[word] is not None for word in ("title", "summary", "citation", "limits")
    )
    if callable(id):
        return _registered(id, name, described)
    if id is not None and not asked:
        try:
            return _core.family(id)
        except _core.Error as error:
            raise _core.Error(f"{error}; a function of that name is made one by @pw.family(name={id!r})") from None
    if id is not None and name is not None:
        raise TypeError("family: the name is given twice")

    def decorate(function):
        return _registered(function, id if name is None else name, described)

    return decorate


def _registered(function, name, described):
    word = getattr(function, "__name__", "a function")
    given = name is not None
    id = name if given else word.lower().replace("_", "-").strip("-")
    if len(id) > 40 or re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", id) is None:
        raise _core.Error(
            f"the id of a family is small letters, digits and single dashes, up to 40, and not '{id[:60]}'"
            + ("" if given else "; @pw.family(name='…') says another one")
        )
    takes, parameters = _parameters(function, word, described["limits"] or {})
    doc = inspect.getdoc(function) or ""
    summary = described["summary"] or doc.split("\n\n")[0].replace("\n", " ") or f"The orders of {word}."
    description = {
        "id": id,
        "function": word,
        "title": described["title"] or id,
        "summary": summary[:400],
        "citation": described["citation"] or "a function of this program",
        "parameters": parameters,
        "whole": "steps" in takes,
    }
    _core._add_family(description, _maker(function, takes, described["placement"], word))
    return function


def _parameters(function, word, limits):
    """The names that a function takes of the shape, and its parameters."""
    takes, parameters = [], []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise TypeError(f"{word}: a family takes arguments by their names, and not {parameter}")
        if name in _SHAPE:
            takes.append(name)
        elif parameter.default is parameter.empty:
            raise TypeError(f"{word}: the parameter {name} has no default")
        else:
            parameters.append(_described(word, name, parameter.default, limits.get(name)))
    for name in ("devices", "micro_batches"):
        if name not in takes:
            raise TypeError(f"{word}: a function of a family takes devices and micro_batches")
    for name in limits:
        if name not in [parameter["name"].replace("-", "_") for parameter in parameters]:
            raise TypeError(f"{word}: there are limits for {name}, which is not a parameter")
    return takes, parameters


def _described(word, name, default, limit):
    described = {"name": name.replace("_", "-"), "summary": f"{name} of {word}", "default": default}
    if isinstance(default, bool):
        described["type"] = "bool"
    elif isinstance(default, str):
        words = (default,) if limit is None else tuple(limit)
        if default not in words:
            raise TypeError(f"{word}: the default of {name} is none of its words")
        described["type"] = "str"
        described["words"] = words
    elif isinstance(default, (int, float)):
        least, most = (min(1, default), None) if limit is None else limit
        if default < least or (most is not None and default > most):
            raise TypeError(f"{word}: the default {default} of {name} is outside {least} to {most}")
        described["type"] = "int" if isinstance(default, int) else "float"
        described["least"] = least
        described["most"] = most
    else:
        raise TypeError(f"{word}: the default of {name} is a number, a word, True or False, not {default!r}")
    return described


def _maker(function, takes, placement, word):
    """A function of a dict of shape and parameters that gives a Schedule."""

    def make(words):
        lengths = words.pop("segment_lengths", None)
        given = {name: value for name, value in words.items() if name not in _SHAPE or name in takes}
        made = function(**given)
        if isinstance(made, _core.Schedule):
            return made
        if isinstance(made, str) or not hasattr(made, "__iter__"):
            raise TypeError(f"{word} returns a list of passes for each device, or a Schedule, not {made!r}"[:300])
        orders = [order if isinstance(order, str) else list(order) for order in made]
        if len(orders) != words["devices"]:
            raise _core.Error(f"{word} returns orders of {len(orders)} devices; asked for are {words['devices']}")
        where = placement(**_taken(placement, words)) if callable(placement) else placement
        if where in _COUNTED and _COUNTED[where] in words:
            where = f"{where} {words[_COUNTED[where]]}"
        return _core.Schedule(
            orders,
            where,
            micro_batches=words["micro_batches"],
            steps=words["steps"] if "steps" in takes else 1,
            segments=lengths if lengths is not None else words.get("segments"),
        )

    return make


def _taken(function, words):
    """Those of the words that a function takes."""
    names = inspect.signature(function).parameters
    return {name: value for name, value in words.items() if name in names}
