// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/figures.h"
#include "app/simulation_json.h"
#include "core/base/text.h"
#include "core/io/svg_figure.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"
#include "python/own_orders.h"

#include <algorithm>

namespace pw::python {

namespace {

/// What one device did.
struct LaneObject
{
    SimulationObject simulation;
    DeviceId device{0};

    const DeviceResult& result() const
    {
        return simulation.result->devices[static_cast<std::size_t>(device)];
    }
    const Schedule& schedule() const { return simulation.study->schedule; }
};

const SimResult& of(const SimulationObject& simulation)
{
    return *simulation.result;
}

Column laneColumn(const LaneObject& lane, const std::vector<Ticks>& values)
{
    return columnOf(lane.simulation.result, values,
                    static_cast<std::size_t>(lane.schedule().begin(lane.device)),
                    static_cast<std::size_t>(lane.schedule().end(lane.device)));
}

Column wholeColumn(const SimulationObject& simulation, const std::vector<Ticks>& values)
{
    return columnOf(simulation.result, values, 0, values.size());
}

/// What a device holds when it holds most, weights and states too.
MemoryPoint peakOf(const SimulationObject& simulation, DeviceId device)
{
    return pw::peakMemory(simulation.study->schedule, simulation.costs->costs, of(simulation),
                          device);
}

template<typename Value>
py::list byDevice(const SimulationObject& simulation, Value value)
{
    py::list all;
    for (std::size_t d = 0; d < of(simulation).devices.size(); ++d)
        all.append(value(of(simulation).devices[d], DeviceId(d)));
    return all;
}

std::string figuresText(const SimulationObject& simulation)
{
    const Bubble span = spanBubble(of(simulation));
    const Bubble wall = wallBubble(of(simulation));
    return "makespan " + timeText(of(simulation).makespan) + ", span bubble " +
           plainNumber(100 * span.rate(), 4) + " %, wall bubble " +
           plainNumber(100 * wall.rate(), 4) + " %, peak " +
           plainNumber(peakMicroBatches(of(simulation)), 6) + " micro-batches";
}

void bindLane(py::module_& module)
{
    py::class_<LaneObject>(module, "Lane", "What one device did, pass by pass.")
        .def_readonly("device", &LaneObject::device)
        .def_property_readonly(
            "passes", [](const LaneObject& l) { return entriesOf(l.schedule(), l.device); },
            "Its passes in order: a Pass, or a tuple of two that overlap.")
        .def_property_readonly(
            "start_ns",
            [](const LaneObject& l) { return laneColumn(l, l.simulation.result->start); },
            "Start of each, in nanoseconds.")
        .def_property_readonly(
            "end_ns", [](const LaneObject& l) { return laneColumn(l, l.simulation.result->end); },
            "End of each, in nanoseconds.")
        .def_property_readonly(
            "busy_ms", [](const LaneObject& l) { return msFromTicks(l.result().busy); },
            "Sum of its passes.")
        .def_property_readonly(
            "first_start_ms",
            [](const LaneObject& l) { return msFromTicks(l.result().firstStart); })
        .def_property_readonly("last_end_ms",
                               [](const LaneObject& l) { return msFromTicks(l.result().lastEnd); })
        .def_property_readonly(
            "span_bubble_ms",
            [](const LaneObject& l) {
                return msFromTicks(spanBubble(*l.simulation.result, l.device).idle);
            },
            "Idle time between its first start and its last end.")
        .def_property_readonly(
            "peak_activation_mb",
            [](const LaneObject& l) { return microBatchesFromShare(l.result().peakShare); },
            "Most activation alive, in micro-batches on a device's whole share of the model.")
        .def_property_readonly("peak_activation_bytes",
                               [](const LaneObject& l) { return l.result().peakActivation; })
        .def_property_readonly(
            "peak_memory_bytes",
            [](const LaneObject& l) { return peakOf(l.simulation, l.device).total(); },
            "Most bytes in use, with weights, gradients and states.")
        .def("__len__",
             [](const LaneObject& l) {
                 return l.schedule().end(l.device) - l.schedule().begin(l.device);
             })
        .def("__repr__", [](const LaneObject& l) {
            return "<Lane " + std::to_string(l.device) + ": busy " + timeText(l.result().busy) +
                   ">";
        });
}

void bindFigures(py::class_<SimulationObject>& type)
{
    type.def_property_readonly(
            "makespan_ms", [](const SimulationObject& s) { return msFromTicks(of(s).makespan); },
            "Last end less first start, in milliseconds.")
        .def_property_readonly(
            "makespan_ns", [](const SimulationObject& s) { return of(s).makespan; },
            "The same in nanoseconds.")
        .def_property_readonly(
            "span_bubble_ms",
            [](const SimulationObject& s) { return msFromTicks(spanBubble(of(s)).idle); },
            "Idle time of the device with the longest span, inside it.")
        .def_property_readonly(
            "span_bubble_rate", [](const SimulationObject& s) { return spanBubble(of(s)).rate(); },
            "The same as a part of that span, 0 to 1.")
        .def_property_readonly(
            "wall_bubble_ms",
            [](const SimulationObject& s) { return msFromTicks(wallBubble(of(s)).idle); },
            "Idle time of the same device inside the makespan.")
        .def_property_readonly(
            "wall_bubble_rate", [](const SimulationObject& s) { return wallBubble(of(s)).rate(); },
            "The same as a part of the makespan, 0 to 1.")
        .def_property_readonly(
            "peak_activation_mb",
            [](const SimulationObject& s) {
                return byDevice(s, [](const DeviceResult& d, int) {
                    return microBatchesFromShare(d.peakShare);
                });
            },
            "By device: most activation alive at once, in micro-batches on a device's share.")
        .def_property_readonly(
            "peak_activation_bytes",
            [](const SimulationObject& s) {
                return byDevice(s, [](const DeviceResult& d, int) { return d.peakActivation; });
            },
            "By device: the same in bytes; 0 where the costs have no sizes.")
        .def_property_readonly(
            "peak_memory_bytes",
            [](const SimulationObject& s) {
                return byDevice(s, [&s](const DeviceResult&, DeviceId device) {
                    return peakOf(s, device).total();
                });
            },
            "By device: most bytes in use, with weights, gradients and states.")
        .def_property_readonly(
            "peak_memory",
            [](const SimulationObject& s) {
                return byDevice(s, [&s](const DeviceResult&, DeviceId device) {
                    return bytesByKind(peakOf(s, device));
                });
            },
            "By device: the same by kind, a dict: weights, weight_versions, gradients, optimizer,\n"
            "activations, held_for_weight, buffers, workspace, fragments.")
        .def_property_readonly(
            "over_limit",
            [](const SimulationObject& s) -> py::object {
                const std::string text = app::overLimit(s.study->schedule, s.costs->costs, of(s));
                return text.empty() ? py::object(py::none()) : py::object(py::str(text));
            },
            "The first pass that needs more than the memory limit, in a sentence; None: none.");
}

} // namespace

py::dict bytesByKind(const MemoryPoint& point)
{
    py::dict kinds;
    for (int kind = 0; kind < memoryKindCount; ++kind)
        kinds[py::str(std::string(app::jsonName(static_cast<MemoryKind>(kind))))] =
            point.bytes[static_cast<std::size_t>(kind)];
    return kinds;
}

SimulationObject simulationOf(const ScheduleObject& schedule, app::StudyCosts costs)
{
    const std::shared_ptr<const app::Study> study = schedule.study;
    const auto kept = std::make_shared<const app::StudyCosts>(std::move(costs));
    SimResult result = taken(interruptible(
        [&](const std::atomic<bool>&) { return simulate(study->schedule, kept->costs); }));
    return {study, kept, std::make_shared<const SimResult>(std::move(result)), kept->wholeText()};
}

SimulationObject simulationOf(const ScheduleObject& schedule, SimResult result, std::string text)
{
    return {schedule.study,
            std::shared_ptr<const app::StudyCosts>(schedule.study, &schedule.study->costs),
            std::make_shared<const SimResult>(std::move(result)), std::move(text)};
}

void bindSimulation(py::module_& module)
{
    bindLane(module);
    py::class_<SimulationObject> type(module, "Simulation",
                                      "A schedule with a start and an end of every pass.");
    bindFigures(type);
    type.def_property_readonly("schedule",
                               [](const SimulationObject& s) { return ScheduleObject{s.study}; })
        .def_readonly("costs_text", &SimulationObject::text, "What passes take, in a sentence.")
        .def_property_readonly(
            "start_ns", [](const SimulationObject& s) { return wholeColumn(s, of(s).start); },
            "Start of every entry, device after device, in nanoseconds.")
        .def_property_readonly(
            "end_ns", [](const SimulationObject& s) { return wholeColumn(s, of(s).end); },
            "End of every entry, likewise.")
        .def_property_readonly(
            "lanes",
            [](const SimulationObject& s) {
                py::list lanes;
                for (const DeviceId d : Ids<DeviceId>(s.study->schedule.devices()))
                    lanes.append(LaneObject{s, d});
                return lanes;
            },
            "What each device did.")
        .def(
            "as_dict",
            [](const SimulationObject& s) {
                app::Study study = *s.study;
                study.costs = *s.costs;
                return fromJson(app::simulationJson(study, of(s), {true, false, false}));
            },
            "The object of `pipewright simulate --json --passes`.")
        .def("__repr__",
             [](const SimulationObject& s) {
                 return "<Simulation " + s.study->title + ": " + figuresText(s) + ">";
             })
        .def(
            "_repr_svg_",
            [](const SimulationObject& s) {
                FigureStyle style;
                style.title = s.study->title;
                style.width = 960;
                return writeSvgFigure(s.study->schedule, of(s), style);
            },
            "The timeline as a picture, for notebooks.");
    module.def(
        "simulate",
        [](const py::object& what, const py::object& costs, const py::kwargs& keywords) {
            if (!py::isinstance<ScheduleObject>(what)) {
                py::dict all(keywords);
                if (py::isinstance<py::dict>(costs)) {
                    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(costs))
                        all[key] = value;
                } else if (!costs.is_none()) {
                    all["costs"] = pathOf(costs);
                }
                const ScheduleObject schedule = scheduleOf(what, all);
                return simulationOf(schedule, schedule.study->costs);
            }
            const auto schedule = py::cast<ScheduleObject>(what);
            return simulationOf(schedule, costsFor(schedule, costs, keywords));
        },
        py::arg("schedule"), py::arg("costs") = py::none(),
        "Gives every pass a start and an end.\n\n"
        "schedule: a Schedule, or what `schedule` takes. costs: None for its own, a dict of\n"
        "keywords (times in milliseconds), or the path of a costs file; the order stays as it is.\n"
        "Raises Error on a deadlock, with the ring.");
}

} // namespace pw::python
