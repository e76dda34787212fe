# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""What commands give back: objects and tables that are dicts and lists, with names, tables and pandas."""

import html

# Rows that a notebook shows of a long table.
_SHOWN = 50


def made(value):
    """An object of JSON with names, a list of objects as a table; anything else as it is."""
    if isinstance(value, dict):
        names, rows = value.get("columns"), value.get("rows")
        if isinstance(names, list) and isinstance(rows, list) and all(isinstance(row, list) for row in rows):
            value = {**value, "rows": [dict(zip(names, row)) for row in rows]}  # as a query answers
        return Result((key, made(part)) for key, part in value.items())
    if isinstance(value, list):
        parts = [made(part) for part in value]
        return Rows(parts) if parts and all(isinstance(part, Result) for part in parts) else parts
    return value


class Result(dict):
    """What a command found: a dict whose keys are attributes too, `result["makespan_ms"]` and `result.makespan_ms`.

    Names say their unit: _ms milliseconds, _bytes, _mb micro-batches; rates are parts from 0 to 1.
    """

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no {name!r} here; there are {', '.join(self) or 'none'}") from None

    def __dir__(self):
        return [*super().__dir__(), *(key for key in self if key.isidentifier())]

    def __repr__(self):
        return f"<Result: {', '.join(self) or 'nothing'}>"

    @property
    def rows(self):
        """The table in it: its first list of objects; itself as one row where there is none."""
        for value in self.values():
            if isinstance(value, Rows):
                return value
        return Rows([self])

    def to_dict(self):
        """Plain dicts and lists, for json and for whoever asks for exactly these."""
        return _plain(self)

    def to_pandas(self):
        """Its table as a pandas.DataFrame. @raise ImportError  where pandas is not installed"""
        return self.rows.to_pandas()

    def _repr_html_(self):
        lines = [(key, value) for key, value in self.items() if not isinstance(value, (dict, list))]
        own = _table(("", ""), lines) if lines else ""
        table = next((value for value in self.values() if isinstance(value, Rows)), None)
        return own + (table._repr_html_() if table is not None else "")


class Rows(list):
    """A table: a list of results. `rows[0].name`, `rows.column("name")`, `rows.to_pandas()`."""

    def __repr__(self):
        return f"<Rows: {len(self)} of {', '.join(self.columns)}>"

    @property
    def columns(self):
        """Names of columns, in the order in which they come."""
        return list(dict.fromkeys(key for row in self for key in row))

    def column(self, name):
        """One column as a list; None where a row has no such value. @raise KeyError  where no row has it"""
        if name not in self.columns:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self.columns)}")
        return [row.get(name) for row in self]

    def to_dict(self):
        """A plain list of dicts."""
        return _plain(self)

    def to_pandas(self):
        """A pandas.DataFrame, a row each. @raise ImportError  where pandas is not installed"""
        return frame_of(_plain(self), self.columns)

    def _repr_html_(self):
        names = [name for name in self.columns if not any(isinstance(row.get(name), (dict, list)) for row in self)]
        rest = len(self) - _SHOWN
        more = f"<p>… and {rest} more</p>" if rest > 0 else ""
        return _table(names, ([row.get(name) for name in names] for row in self[:_SHOWN])) + more


def to_dict(self):
    """What it says of itself, as dicts, lists, numbers and texts: names are its properties."""
    rows = _rows_of(self)
    return [dict_of(row) for row in rows] if rows is not None else dict_of(self)


def to_pandas(self):
    """Its table as a pandas.DataFrame: rows of a comparison or plan, passes of a simulation, itself as one row.

    @raise ImportError  where pandas is not installed
    """
    if hasattr(self, "lanes"):
        return frame_of(_passes(self))
    if hasattr(self, "micro_batch") and hasattr(self, "start_ns"):
        names = ("iteration", "rank", "stage", "kind", "micro_batch", "segment", "start_ns", "end_ns")
        return frame_of({name: dict_of(getattr(self, name)) for name in names})
    rows = _rows_of(self)
    return frame_of([dict_of(row) for row in ([self] if rows is None else rows)])


def _rows_of(thing):
    """The rows of an object that is a table; None of any other."""
    rows = getattr(thing, "rows", None)
    if rows is not None:
        return rows
    return list(thing) if hasattr(type(thing), "__getitem__") else None


def _passes(simulation):
    """Every pass of a simulation; those of a pair have the times of the pair."""
    for lane in simulation.lanes:
        for entry, start, end in zip(lane.passes, lane.start_ns, lane.end_ns):
            for one in entry if isinstance(entry, tuple) else (entry,):
                yield {
                    "device": lane.device,
                    "kind": one.kind,
                    "stage": one.stage,
                    "micro_batch": one.micro_batch,
                    "segment": one.segment,
                    "start_ms": start / 1e6,
                    "end_ms": end / 1e6,
                }


def frame_of(rows, columns=None):
    """A pandas.DataFrame of dicts."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_pandas needs pandas, which is not there: pip install pandas") from None
    return pandas.DataFrame(rows if isinstance(rows, dict) else list(rows), columns=columns)


def dict_of(thing):
    """What an object of the module says of itself, by its properties, as dicts, lists, numbers and texts."""
    if isinstance(thing, (str, int, float, type(None))):
        return thing
    if isinstance(thing, dict):
        return {key: dict_of(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple)):
        return [dict_of(part) for part in thing]
    if hasattr(thing, "tolist"):
        return thing.tolist()
    names = [name for name in vars(type(thing)) if isinstance(getattr(type(thing), name), property)]
    if not names or hasattr(thing, "orders"):
        return str(thing)  # a pass, or a schedule in the text notation
    return {name: dict_of(getattr(thing, name)) for name in names}


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value


def _table(names, rows):
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value):
    if value is None:
        return "–"
    if isinstance(value, float):
        return html.escape(f"{value:.6g}")
    return html.escape(str(value))
