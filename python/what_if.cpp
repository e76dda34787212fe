// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/what_if.h"

#include "app/what_ifs.h"
#include "core/base/text.h"
#include "python/own_family.h"
#include "python/traces.h"

#include <algorithm>

namespace pw::python {

namespace {

/// A row: a prediction, or why there is none.
struct PredictionObject
{
    std::string name;
    std::string refusal;
    std::shared_ptr<const Prediction> made; ///< null where refused
    std::optional<double> change;           ///< of the time of a micro-batch
};

double microBatchTime(const SimResult& result, const PipelineSpec& spec)
{
    return static_cast<double>(result.makespan) / spec.totalMicroBatches();
}

WhatIfBase baseOf(const py::object& what)
{
    if (py::isinstance<TraceObject>(what)) {
        const auto trace = py::cast<TraceObject>(what);
        const RecoveredPipeline& pipeline = trace.read->aligned().pipeline;
        // Where they could not be fitted, fitting again says why.
        return taken(whatIfBase(pipeline, trace.read->fitted
                                              ? *trace.read->fitted
                                              : taken(fitTrace(trace.read->trace, pipeline))));
    }
    const ScheduleObject schedule = scheduleOf(what, {});
    const app::Study& study = *schedule.study;
    Project project;
    project.title = study.title;
    project.draft = draftOf(study.schedule);
    project.costs = study.costs.costs;
    WhatIfBase base = taken(whatIfBase(project));
    if (study.family != nullptr && !study.reshaped)
        base.family = FamilyChoice{std::string(study.family->id), study.options};
    return base;
}

app::NamedOrder orderOf(const py::handle& what)
{
    if (py::isinstance<TraceObject>(what)) {
        const auto trace = py::cast<TraceObject>(what);
        return {"a trace",
                std::make_shared<const Schedule>(*trace.read->aligned().pipeline.schedule)};
    }
    const ScheduleObject schedule = scheduleOf(py::reinterpret_borrow<py::object>(what), {});
    return {schedule.study->title, std::make_shared<const Schedule>(schedule.study->schedule)};
}

/// Takes the orders, schedules and traces, out of the keywords.
std::vector<app::NamedOrder> ordersOf(py::dict& keywords)
{
    std::vector<app::NamedOrder> orders;
    if (!keywords.contains("order_of"))
        return orders;
    const py::object given = keywords.attr("pop")("order_of");
    if (!py::isinstance<py::list>(given) && !py::isinstance<py::tuple>(given))
        return {orderOf(given)};
    for (const py::handle one : given)
        orders.push_back(orderOf(one));
    return orders;
}

std::vector<PredictionObject> predictions(const py::object& what, const py::dict& keywords)
{
    const WhatIfBase base = baseOf(what);
    py::dict others = keywords.attr("copy")();
    const std::vector<app::NamedOrder> orders = ordersOf(others);
    const app::Arguments arguments = argumentsOf(app::whatIfOptions(), others);
    auto all =
        taken(interruptible([&](const std::atomic<bool>& stop)
                                -> tl::expected<std::vector<PredictionObject>, app::Failure> {
            const auto whatIfs = app::whatIfsOf(base, orders, arguments);
            if (!whatIfs)
                return tl::unexpected<app::Failure>(whatIfs.error());
            std::vector<PredictionObject> rows;
            for (const app::NamedWhatIf& one : *whatIfs) {
                if (stop.load())
                    break;
                PredictionObject row;
                row.name = one.name;
                Result<Prediction> made = predict(base, one.what);
                if (made) {
                    const double now = microBatchTime(made->result, made->schedule.spec());
                    const double before = microBatchTime(base.predicted, base.schedule.spec());
                    row.change = before > 0 ? now / before - 1 : 0;
                    row.made = std::make_shared<const Prediction>(std::move(*made));
                } else {
                    row.refusal = made.error().message;
                }
                rows.push_back(std::move(row));
            }
            return rows;
        }));
    for (const PredictionObject& row : all)
        raiseFromFamily(row.refusal);
    return all;
}

ScheduleObject scheduleOfRow(const PredictionObject& row)
{
    if (!row.made)
        throw Refusal(row.name + ": " + row.refusal);
    return scheduleOf(row.name, row.made->schedule, row.made->costs,
                      row.made->assumed.empty() ? "the same costs" : row.made->assumed);
}

} // namespace

void bindWhatIf(py::module_& module)
{
    py::class_<PredictionObject>(module, "Prediction", "What another schedule would have taken.")
        .def_readonly("name", &PredictionObject::name, "What is another way.")
        .def_property_readonly(
            "refusal",
            [](const PredictionObject& p) -> py::object {
                return p.made ? py::object(py::none()) : py::object(py::str(p.refusal));
            },
            "Why there is no prediction; None where there is one.")
        .def_property_readonly(
            "makespan_ms",
            [](const PredictionObject& p) {
                return msOrNone(p.made ? std::optional(p.made->result.makespan) : std::nullopt);
            },
            "Milliseconds; None where there is no prediction.")
        .def_readonly("change", &PredictionObject::change,
                      "Of the time of a micro-batch against the order as it is: −0.1 is 10 % less.")
        .def_property_readonly(
            "assumed",
            [](const PredictionObject& p) { return p.made ? p.made->assumed : std::string(); },
            "How costs were carried over; empty where nothing was assumed.")
        .def_property_readonly(
            "peak_memory_bytes",
            [](const PredictionObject& p) {
                std::vector<Bytes> peaks;
                if (!p.made || !p.made->memory.empty())
                    return p.made ? p.made->memory : peaks;
                const Prediction& made = *p.made;
                for (const DeviceId device : Ids<DeviceId>(made.schedule.devices()))
                    peaks.push_back(
                        peakMemory(made.schedule, made.costs, made.result, device).total());
                const bool none =
                    std::all_of(peaks.begin(), peaks.end(), [](Bytes bytes) { return bytes == 0; });
                return none ? std::vector<Bytes>() : peaks;
            },
            "By device: as measured ranks tell it, else by the sizes of the costs; empty where\n"
            "neither is known.")
        .def("schedule", &scheduleOfRow, "Its schedule with its costs.")
        .def(
            "simulation",
            [](const PredictionObject& p) {
                const ScheduleObject schedule = scheduleOfRow(p);
                return simulationOf(schedule, p.made->result, schedule.study->costs.text);
            },
            "Its times.")
        .def("__repr__", [](const PredictionObject& p) {
            return "<Prediction " + p.name + ": " +
                   (p.made ? timeText(p.made->result.makespan) : p.refusal) + ">";
        });
    module.def(
        "what_if",
        [](const py::object& base, const py::kwargs& keywords) {
            return predictions(base, keywords);
        },
        py::arg("base"),
        "What other schedules would take with the same costs: of a Trace, a Schedule, or what\n"
        "`schedule` takes.\n\n"
        "Keywords are the options of `pipewright whatif`, each of which takes several values:\n"
        "family=['1f1b', 'zb-h1'], micro_batches=[8, 16], link='0,2x', weight_part=0.5, chunks=2.\n"
        "Without any, every family in the shape of the order.");
}

} // namespace pw::python
