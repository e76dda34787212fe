# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""The program's commands as functions: signatures and docstrings are made from what the program says of its options."""

import ast
import inspect
import json
import keyword

from . import _core
from ._results import made

# Commands that are no functions, and what is there instead.
NO_FUNCTIONS = {
    "completion": "for shells; Python completes the keywords by itself",
    "help": "help(pipewright.plan)",
    "slices": "pipewright.rank_slices asks for them",
    "version": "pipewright.__version__",
}

# Options that every command has for terminals alone.
_TERMINAL = {"color", "help", "json"}

_NUMBERS = {"whole": "int", "number": "Union[float, str]"}


class _Spec:
    """A function of the package, and the command that it is.

    takes: positional parameters as in a stub; returns: likewise. core: the function of the core that does it; without one the
    command runs, and its JSON is the result. own: keywords that the core's function has by name, as in a stub. without: options
    that the function answers itself or has not. structured: whether the command's --json is asked for; some have it for a part
    of what they print.
    """

    def __init__(self, name, command, takes, returns, example, core=None, own="", without=(), structured=True):
        self.name, self.command, self.takes, self.returns, self.example = name, command, takes, returns, example
        self.core, self.own, self.without, self.structured = core, own, set(without), structured


_SPECS = [
    _Spec("advise", "advise", "*traces: _Word", "Result",
          ["pw.advise('1f1b.trace.json', time_limit=0.1).step_ms > 0", "True"]),
    _Spec("backends", "backends", "", "Rows", ["'emulated' in pw.backends().column('name')", "True"]),
    _Spec("block", "block", "schedule: _Schedule", "Result", ["pw.block('1f1b').interval", "3"]),
    _Spec("calibrate", "costs calibrate", "schedule: _Schedule = ...", "Result",
          ["len(pw.calibrate('1f1b', backend='emulated', devices=2, iterations=2)) > 0", "True"]),
    _Spec("check", "check", "path: _Path", "Result", ["pw.check('1f1b.csv').good", "True"]),
    _Spec("communication", "communication", "schedule: _Schedule", "Result",
          ["pw.communication('1f1b', devices=4, micro_batches=8).messages", "48"]),
    _Spec("compare", "compare", "schedules: Union[str, Iterable[_Schedule]] = 'all'", "Comparison",
          ["[row.makespan_ms for row in pw.compare(['1f1b', 'zb-h1'])]", "[33.0, 27.0]"], core="compare",
          without=("from", "dialect", "sort", "keep", "store", "families")),
    _Spec("convert", "convert", "schedule: _Schedule, out: Optional[_Path] = None", "Union[str, List[str]]",
          ["pw.convert('gpipe', devices=2, micro_batches=1, to='text').split()", "['d0:', 'F0', 'BW0', 'd1:', 'F0', 'BW0']"],
          core="convert"),
    _Spec("diff", "diff", "*what: _Word", "Result", ["len(pw.diff('1f1b.csv', '1f1b.trace.json').passes)", "64"]),
    _Spec("explain", "explain", "schedule: _Schedule", "List[Any]", ["len(pw.explain('1f1b'))", "3"]),
    _Spec("fit", "costs fit", "*traces: _Path", "Result", ["pw.fit('1f1b.trace.json').devices", "4"]),
    _Spec("headlines", "headlines", "", "Rows", ["len(pw.headlines(paper='gpipe'))", "1"]),
    _Spec("lesson", "lesson", "*words: _Word", "str", ["'02-gpipe' in pw.lesson('list')", "True"]),
    _Spec("merge", "merge", "*digests: _Path", "str",
          ["pw.reduce('1f1b.trace.json', output='digests') + pw.merge('digests', store='job.sqlite') != ''", "True"]),
    _Spec("model", "model", "preset: _Path = ...", "str", ["json.loads(pw.model('gpt-22b'))['layers']", "48"]),
    _Spec("noise", "noise", "*schedules: _Schedule", "Rows",
          ["pw.noise('1f1b', 'zb-h1', samples=100).column('schedule')", "['zb-h1', '1f1b']"]),
    _Spec("optimise", "optimise", "schedule: _Schedule, costs: _Costs = None", "Optimised",
          ["pw.optimise('1f1b', devices=2, micro_batches=3, time_limit=1).found_ms", "10.0"], core="optimise",
          own="time_limit: float = 10.0, goal: str = 'makespan', form: str = 'any', "
              "memory_limit: Union[None, float, str] = None, seed: int = 1", without=("choose-offload", "placement", "save", "families")),
    _Spec("plan", "plan", "", "Plan",
          ["len(pw.plan(model='llama3-8b', hardware='h100', gpus=8, global_batch=32, top=2).rows)", "2"], core="plan",
          without=("why", "unflushed", "save", "emit", "output", "planner", "keep", "store", "families")),
    _Spec("query", "query", "sql: str = ...", "Result",
          ["pw.query('SELECT count(*) AS runs FROM runs', store='kept.sqlite').rows[0].runs >= 1", "True"]),
    _Spec("rank_slices", "show", "run: _Word", "Result",
          ["pw.reduce('1f1b.trace.json', output='ranks') + pw.merge('ranks', store='ranks.sqlite') != '' and "
           "len(pw.rank_slices(1, rank=0, store='ranks.sqlite').lanes) > 0", "True"],
          without=("keep", "lanes", "no-gantt")),
    _Spec("reduce", "reduce", "*traces: _Path", "str", ["pw.reduce('1f1b.trace.json', output='digests') != ''", "True"]),
    _Spec("run", "run", "schedule: _Schedule", "Result",
          ["pw.run('1f1b', backend='emulated', devices=2, iterations=1, store='runs.sqlite').status", "'finished'"]),
    _Spec("show", "show", "run: _Word", "str", ["'1F1B' in pw.show(1, store='kept.sqlite')", "True"], structured=False),
    _Spec("study", "study", "what: str", "Result",
          ["len(pw.study('2bw', steps=4, seeds=1, store='study.sqlite').claims)", "3"]),
    _Spec("submit", "submit", "*words: _Word", "str",
          ["'#SBATCH' in pw.submit('run', '1f1b', partition='gpu', time=30, show=True)", "True"]),
    _Spec("verify", "verify", "families: Union[_Path, Iterable[_Path]]", "Result",
          ["pw.verify('1f1b', devices=2, micro_batches=2)['good']", "True"], core="verify"),
    _Spec("what_if", "whatif", "base: Union[Trace, _Schedule]", "List[Prediction]",
          ["[row.makespan_ms for row in pw.what_if('1f1b', family=['1f1b', 'zb-h1'])]", "[33.0, 27.0]"], core="what_if",
          without=("measured-layers", "split", "global-batch", "fixed", "fixed-from", "save", "emit", "output", "rule", "rules", "kernel",
                   "run", "replica", "peaks", "store", "families")),
]

# Functions that take other keywords than their command, and say them themselves.
ELSEWHERE = {"simulate": "simulate", "families": "families", "runs": "runs", "import": "import_trace"}



def _keyword(name):
    """An option as a keyword."""
    word = name.replace("-", "_")
    return word + "_" if keyword.iskeyword(word) else word


def _annotation(option):
    """What an option takes, as a stub says it."""
    if option["kind"] in ("flag", "switch"):
        one = "bool"
    elif option["choices"] and not option["several"]:
        one = "Literal[" + ", ".join(repr(choice) for choice in option["choices"]) + "]"
    else:
        one = _NUMBERS.get(option["kind"], "_Value")
    plain = option["bare"] or "yes" in option["choices"]
    parts = [one, "bool"] if plain and one != "bool" else [one]
    if option["several"]:
        parts.append("Sequence[Any]")
    return f"Union[None, {', '.join(parts)}]" if len(parts) > 1 else f"Optional[{one}]"


def _parameters(text, kind):
    """Parameters that stand in a stub's line."""
    made_of = []
    for name, annotation, default in (_parts(part) for part in _cut(text)):
        starred = name.startswith("*")
        made_of.append(
            inspect.Parameter(
                name.lstrip("*"),
                inspect.Parameter.VAR_POSITIONAL if starred else kind,
                annotation=annotation,
                default=inspect.Parameter.empty if default is None else ast.literal_eval(default),
            )
        )
    return made_of


def _cut(text):
    """Splits at commas outside brackets."""
    parts, depth, begin = [], 0, 0
    for index, letter in enumerate(text):
        depth += letter in "[(" 
        depth -= letter in "])"
        if letter == "," and depth == 0:
            parts.append(text[begin:index])
            begin = index + 1
    return [part.strip() for part in [*parts, text[begin:]] if part.strip()]


def _parts(text):
    head, _, default = text.partition(" = ")
    name, _, annotation = head.partition(": ")
    return name, annotation, default or None


def _signature(spec, options):
    own = _parameters(spec.own, inspect.Parameter.KEYWORD_ONLY)
    taken = {parameter.name for parameter in own} | spec.without | _TERMINAL
    first = _parameters(spec.takes, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    taken |= {parameter.name for parameter in first}
    for option in options:
        if option["name"] not in taken and _keyword(option["name"]) not in taken:
            own.append(
                inspect.Parameter(
                    _keyword(option["name"]),
                    inspect.Parameter.KEYWORD_ONLY,
                    annotation=_annotation(option),
                    default=None,
                )
            )
    return inspect.Signature([*first, *own], return_annotation=spec.returns)


def _described(spec, command, signature):
    """A docstring: what it is for, an example, its keywords, what comes back."""
    summaries = {_keyword(option["name"]): option["summary"] for option in command["options"]}
    told = [f"  {name}: {summaries[name]}" for name in signature.parameters if name in summaries]
    example, expected = spec.example
    returned = {
        "Result": "the object of --json: a dict whose keys are attributes too",
        "Rows": "a table: a list of dicts, with column(), to_pandas() and to_dict()",
        "str": "what the command prints",
    }.get(spec.returns, spec.returns)
    return "\n".join(
        [
            command["summary"][0].upper() + command["summary"][1:] + ".",
            "",
            f">>> {example}",
            expected,
            "",
            f"As `pipewright {spec.command}`. Returns {returned}.",
            "Raises pipewright.Error with a sentence where it cannot be.",
            *(["", "Keywords:", *told] if told else []),
        ]
    )


def _ran(spec, structured):
    def function(*words, **keywords):
        told = {name: value for name, value in keywords.items() if name != "json"}
        if structured:
            told["json"] = True
        text, failure = _core._command(spec.command, [word for word in words if word is not None], told)
        # What is wrong with a file or differs is in the object; without one there was no result.
        if failure is not None and not (structured and text.strip()):
            raise _core.Error(_core._with_keywords(failure))
        return made(json.loads(text)) if structured else text

    return function


def _bound(signature, function):
    """Refuses what the signature does not have, and gives the function plain words first."""
    starred = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in signature.parameters.values())
    named = [p for p in signature.parameters.values() if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    names = [parameter.name for parameter in named]

    def called(*words, **keywords):
        given = [keywords.pop(p.name, p.default) for p in named[len(words):]]
        given = [word for word in given if word is not inspect.Parameter.empty and word is not ...]
        if not starred and len(words) + len(given) > len(names):
            raise TypeError(f"{called.__name__}() takes {len(names)} positional arguments, and {len(words)} are given")
        return function(*words, *given, **keywords)

    return called


def _function(spec, command):
    structured = spec.structured and any(option["name"] == "json" for option in command["options"])
    signature = _signature(spec, command["options"])
    if spec.core is None:
        function = _bound(signature, _ran(spec, structured))
    else:
        core = getattr(_core, spec.core)
        if spec.core == "verify":
            function = _bound(signature, lambda *words, **keywords: made(core(*words, **keywords)))
        else:

            def function(*words, **keywords):
                return core(*words, **keywords)

    function.__name__ = function.__qualname__ = spec.name
    function.__module__ = "pipewright"
    function.__signature__ = signature
    function.__doc__ = _described(spec, command, signature)
    return function


def _functions():
    commands = _core._commands()
    return {spec.name: _function(spec, commands[spec.command]) for spec in _SPECS}


FUNCTIONS = _functions()
FUNCTIONS["optimize"] = FUNCTIONS["optimise"]  # as Americans spell it
globals().update(FUNCTIONS)
__all__ = sorted(FUNCTIONS)
