# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Writes a package's _commands.pyi: signatures of the commands' functions, as its module has them.

python3 stub_of_commands.py build/dev/python
"""

import inspect
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1]).resolve()
sys.path[0] = str(FOLDER)  # the package as it was built, not the sources beside this file

from pipewright import _commands  # noqa: E402

HEAD = '''# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
# Made by python/stub_of_commands.py.
from os import PathLike
from typing import Any, Dict, Iterable, List, Literal, Optional, Sequence, Union

from . import Comparison, Optimised, Plan, Prediction, Result, Rows, Schedule, Trace

_Path = Union[str, "PathLike[str]"]
_Value = Union[int, float, str, "PathLike[str]"]
_Word = Union[None, int, str, Schedule, "PathLike[str]"]
_Costs = Union[None, Dict[str, Any], _Path]
_Schedule = Union[Schedule, _Path]
'''


def line(parameter):
    starred = {inspect.Parameter.VAR_POSITIONAL: "*"}.get(parameter.kind, "")
    default = "" if parameter.default is inspect.Parameter.empty else f" = {parameter.default!r}".replace("Ellipsis", "...")
    return f"    {starred}{parameter.name}: {parameter.annotation}{default},"


def stub_of(name, signature):
    lines, keywords = [], False
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            keywords = True
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY and not keywords:
            lines.append("    *,")
            keywords = True
        lines.append(line(parameter))
    inside = "\n".join(["", *lines, ""]) if lines else ""
    return f"def {name}({inside}) -> {signature.return_annotation}: ..."


def stub():
    functions = [stub_of(name, inspect.signature(_commands.FUNCTIONS[name])) for name in _commands.__all__]
    return "\n".join([HEAD, *functions, ""])


if __name__ == "__main__":
    (FOLDER / "pipewright" / "_commands.pyi").write_text(stub(), encoding="utf-8")
