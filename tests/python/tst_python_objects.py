# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Objects of every class of the module, made and copied in all the ways that Python has: whole, or a TypeError. A way that
ends the interpreter ends this test with it."""

import copy
import copyreg
import json
import os
import pickle
import tempfile
import unittest

import pipewright as pw


def classes():
    return {name: one for name, one in vars(pw._core).items() if isinstance(one, type) and one is not pw.Error}


def some(folder):
    """An object of every class, by the name of the class."""
    schedule = pw.schedule("1f1b", devices=2, micro_batches=4)
    simulation = pw.simulate(schedule)
    comparison = pw.compare(["1f1b", "gpipe"], devices=2, micro_batches=4)
    plan = pw.plan(model="llama3-8b", gpus=8, global_batch=64)
    trace = os.path.join(folder, "trace.json")
    events = [{"ph": "X", "name": f"PP:{s}{k}{j}", "pid": s, "tid": 0, "ts": 1000 * (4 * j + 2 * (k == "B") + s), "dur": 900}
              for s in range(2) for j in range(2) for k in "FB"]
    with open(trace, "w", encoding="utf-8") as file:
        json.dump(events, file)
    imported = pw.import_trace(trace)
    found = [schedule, simulation, comparison, plan, imported, pw.family("1f1b"), schedule.orders[0][0]]
    for several in (comparison, plan):
        try:
            found += list(several)[:1]
        except TypeError:
            pass
    # What they lead to, until every class was met.
    for one in found:
        try:
            inside = list(one)[:1]
        except TypeError:
            inside = []
        found += [part for part in inside if not any(type(part) is type(other) for other in found)]
        for name in dir(one):
            if name.startswith("_"):
                continue
            try:
                value = getattr(one, name)
            except pw.Error:
                continue
            for part in value if isinstance(value, (list, tuple)) else [value]:
                if type(part).__name__ in classes() and not any(type(part) is type(other) for other in found):
                    found.append(part)
    found += [one for one in (pw.optimise(schedule, time_limit=0.1),) if one is not None]
    return {type(one).__name__: one for one in found if type(one).__name__ in classes()}


class Objects(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.objects = some(folder)

    def use(self, one):
        """Whatever it is asked, it answers or raises."""
        for name in dir(one):
            try:
                getattr(one, name)
            except Exception:  # any that Python has
                pass
        for ask in (repr, str, hash, len, iter, list, memoryview):
            try:
                ask(one)
            except Exception:
                pass

    def test_most_classes_are_tried(self):
        self.assertGreaterEqual(len(self.objects), len(classes()) - 3, set(classes()) - set(self.objects))

    def test_pickles_of_every_protocol(self):
        for one in self.objects.values():
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                try:
                    again = pickle.loads(pickle.dumps(one, protocol))
                except TypeError:
                    continue
                self.assertEqual(again, one)
                self.use(again)
        schedule = self.objects["Schedule"]
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            self.assertEqual(pickle.loads(pickle.dumps(schedule, protocol)), schedule)

    def test_copies(self):
        for one in self.objects.values():
            for make in (copy.copy, copy.deepcopy, lambda o: copyreg._reduce_ex(o, 0), lambda o: copyreg._reduce_ex(o, 1)):
                try:
                    self.use(make(one))
                except TypeError:
                    pass

    def test_made_by_new(self):
        base = pw.Family.__mro__[1]
        for cls in [*classes().values(), base]:
            for make in (lambda c: c.__new__(c), lambda c: c(), lambda c: object.__new__(c), lambda c: base.__new__(c),
                         lambda c: c.__new__(c, 1), lambda c: type(c).__call__(c), lambda c: copyreg.__newobj__(c)):
                with self.assertRaises(TypeError, msg=cls.__name__):
                    make(cls)

    def test_of_a_class_of_ones_own(self):
        for cls in classes().values():
            own = type("Own", (cls,), {"__init__": lambda self: None})
            for make in (own, lambda c=own: c.__new__(c)):
                with self.assertRaises(TypeError):
                    make()

    def test_an_object_stays_of_its_class(self):
        for one in self.objects.values():
            for cls in classes().values():
                if cls is type(one):
                    continue
                with self.assertRaises(TypeError):
                    one.__class__ = cls

    def test_what_has_a_constructor_is_made(self):
        self.assertEqual(pw.Pass("F", 0, 1), pw.Pass("F", stage=0, micro_batch=1))
        self.assertEqual(pw.Schedule.__new__(pw.Schedule, ["F0 BW0"]), pw.Schedule(["F0 BW0"]))


if __name__ == "__main__":
    unittest.main()
