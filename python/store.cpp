// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/store/run_store.h"
#include "core/store/store_path.h"
#include "core/store/stored_iteration.h"
#include "python/traces.h"

namespace pw::python {

namespace {

/// A stored run, and where it lies.
struct RunObject
{
    std::string store;
    StoredRun run;
};

RunStore opened(const RunObject& run)
{
    return taken(RunStore::openToRead(run.store));
}

std::vector<RunObject> runsOf(const py::object& store, const std::string& search)
{
    const std::string path = store.is_none() ? defaultStorePath() : pathOf(store);
    RunStore open = taken(RunStore::openToRead(path));
    std::vector<RunObject> all;
    for (StoredRun& run : taken(open.runs(search)))
        all.push_back({path, std::move(run)});
    return all;
}

RecordsObject runRecords(const RunObject& run, const std::optional<int>& iteration)
{
    StoredPasses found = taken(interruptible([&](const std::atomic<bool>&) -> Result<StoredPasses> {
        Result<RunStore> store = RunStore::openToRead(run.store);
        if (!store)
            return fail(store.error());
        RecordQuery query;
        query.run = run.run.number;
        query.iteration = iteration;
        return store->passes(query);
    }));
    return {std::make_shared<const std::vector<RecordedPass>>(std::move(found.passes))};
}

/// Schedule, times as measured and as predicted of an iteration.
py::tuple iterationOf(const RunObject& run, const std::optional<int>& iteration)
{
    StoredIteration found =
        taken(interruptible([&](const std::atomic<bool>&) -> Result<StoredIteration> {
            Result<RunStore> store = RunStore::openToRead(run.store);
            if (!store)
                return fail(store.error());
            return loadIteration(*store, run.run.number, iteration);
        }));
    const ScheduleObject schedule =
        scheduleOf(run.run.title, std::move(found.schedule), std::move(found.costs),
                   "costs that the run was planned with");
    return py::make_tuple(
        schedule,
        simulationOf(schedule, std::move(found.measured),
                     "iteration " + std::to_string(found.iteration) + " as measured"),
        simulationOf(schedule, std::move(found.predicted), "as predicted"));
}

py::dict lossesOf(const RunObject& run)
{
    py::dict losses;
    RunStore store = opened(run);
    for (const StepLoss& loss : taken(store.losses(run.run.number)))
        losses[py::int_(loss.step)] = loss.loss;
    return losses;
}

py::object figureMs(const RunObject& run, Ticks RunFigures::*member)
{
    const Ticks value = run.run.figures.*member;
    return value == 0 ? py::object(py::none()) : py::object(py::float_(msFromTicks(value)));
}

void bindRun(py::module_& module)
{
    py::class_<RunObject>(module, "Run", "A run that was kept.")
        .def_property_readonly("number", [](const RunObject& r) { return r.run.number; })
        .def_property_readonly("title", [](const RunObject& r) { return r.run.title; })
        .def_property_readonly("notes", [](const RunObject& r) { return r.run.notes; })
        .def_property_readonly(
            "origin", [](const RunObject& r) { return r.run.origin; },
            "'executed', or the program that a trace comes from.")
        .def_property_readonly(
            "family", [](const RunObject& r) { return r.run.family; },
            "Id; empty: an order of its own.")
        .def_property_readonly("status",
                               [](const RunObject& r) { return std::string(name(r.run.status)); })
        .def_property_readonly("ranks", [](const RunObject& r) { return r.run.ranks; })
        .def_property_readonly("host", [](const RunObject& r) { return r.run.environment.host; })
        .def_property_readonly("backend",
                               [](const RunObject& r) { return r.run.environment.backend; })
        .def_property_readonly(
            "started_ms", [](const RunObject& r) { return r.run.startedMs; },
            "Milliseconds since 1970, UTC.")
        .def_property_readonly(
            "passes", [](const RunObject& r) { return r.run.passes; }, "Passes that are kept.")
        .def_property_readonly("iterations",
                               [](const RunObject& r) { return r.run.figures.iterations; })
        .def_property_readonly(
            "makespan_ms", [](const RunObject& r) { return figureMs(r, &RunFigures::makespan); },
            "Of the median iteration, in milliseconds; None: the run has not ended.")
        .def_property_readonly(
            "predicted_makespan_ms",
            [](const RunObject& r) { return figureMs(r, &RunFigures::predictedMakespan); })
        .def_property_readonly(
            "span_bubble_rate", [](const RunObject& r) { return r.run.figures.spanBubble; },
            "Of the same iteration, 0 to 1.")
        .def_property_readonly(
            "peak_activation_bytes",
            [](const RunObject& r) { return r.run.figures.peakActivation; }, "The worst rank.")
        .def("losses", &lossesOf, "Mean loss of every optimizer step, by step.")
        .def("records", &runRecords, py::arg("iteration") = py::none(),
             "Its passes, of one iteration or of all.")
        .def("load", &iterationOf, py::arg("iteration") = py::none(),
             "Schedule, measured Simulation and predicted Simulation of an iteration; without one\n"
             "of that whose makespan is the median.")
        .def("__repr__", [](const RunObject& r) {
            return "<Run " + std::to_string(r.run.number) + ": " + r.run.title + ", " +
                   std::string(name(r.run.status)) + ">";
        });
}

} // namespace

void bindStore(py::module_& module)
{
    bindRun(module);
    module.def("runs", &runsOf, py::arg("store") = py::none(), py::arg("search") = "",
               "The runs of a store, the newest first.\n\n"
               "store: its file; None: the one that `pipewright runs` lists. search: words that a\n"
               "run has in title, notes, family, origin, host, backend or status.");
}

} // namespace pw::python
