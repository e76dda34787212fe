// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/memory_cap.h"
#include "core/base/text.h"
#include "core/optimise/optimise.h"
#include "python/binding.h"

#include <map>

namespace pw::python {

namespace {

/// A better order, with what was asked for.
struct BetterObject
{
    ScheduleObject schedule;
    SimulationObject simulation;
    std::shared_ptr<const OptimiseOutcome> outcome;
    std::string cap;
};

template<typename Value>
Value choiceOf(const std::map<std::string, Value>& choices, const char* keyword,
               const std::string& word)
{
    const auto found = choices.find(word);
    if (found != choices.end())
        return found->second;
    std::string names;
    for (const auto& [name, value] : choices)
        names += (names.empty() ? "" : ", ") + name;
    throw Refusal(std::string(keyword) + " is one of " + names + ", not '" + word + "'");
}

OptimiseOptions searchOptions(double seconds, const std::string& goal, const std::string& form,
                              std::uint64_t seed)
{
    constexpr double least = 0.01, most = 86400;
    if (!(seconds >= least && seconds <= most))
        throw Refusal("seconds is " + plainNumber(seconds, 6) + "; 0.01 to 86400");
    OptimiseOptions options;
    options.seconds = seconds;
    options.seed = seed;
    options.aim = choiceOf<OrderAim>({{"makespan", OrderAim::Makespan}, {"span", OrderAim::Span}},
                                     "goal", goal);
    options.backward = choiceOf<BackwardChoice>({{"any", BackwardChoice::Any},
                                                 {"as-given", BackwardChoice::AsGiven},
                                                 {"split", BackwardChoice::Split},
                                                 {"fused", BackwardChoice::Fused}},
                                                "form", form);
    return options;
}

BetterObject better(const py::object& what, const py::object& costs, const py::object& cap,
                    OptimiseOptions options, const py::dict& keywords)
{
    ScheduleObject given = py::isinstance<ScheduleObject>(what) ? py::cast<ScheduleObject>(what)
                                                                : scheduleOf(what, keywords);
    app::StudyCosts own = py::isinstance<ScheduleObject>(what) ? costsFor(given, costs, keywords)
                                                               : costsFor(given, costs, {});
    py::dict capKeyword;
    capKeyword["cap"] = cap;
    const app::Arguments arguments = argumentsOf({app::memoryCapOption("Search")}, capKeyword);
    const Schedule& schedule = given.study->schedule;
    std::string capText;
    OptimiseOutcome outcome =
        taken(interruptible([&](const std::atomic<bool>& stop) -> Result<OptimiseOutcome> {
            const Result<SimResult> before = simulate(schedule, own.costs);
            if (!before)
                return fail(before.error());
            const auto limit = app::memoryCapOf(arguments, schedule, own.costs, *before);
            if (!limit)
                return fail(ErrorCode::BadValue, limit.error().message);
            limit->apply(own.costs, schedule.spec());
            capText = limit->text();
            options.stopped = [&stop] { return stop.load(); };
            return optimiseOrder(schedule, own.costs, options);
        }));
    const auto kept = std::make_shared<const OptimiseOutcome>(std::move(outcome));
    const ScheduleObject made = scheduleOf(given.study->title + ", optimised", kept->schedule,
                                           std::move(own.costs), own.wholeText());
    return {made, simulationOf(made, kept->result, made.study->costs.text), kept, capText};
}

} // namespace

void bindOptimise(py::module_& module)
{
    const auto ms = [](Ticks OptimiseOutcome::*member) {
        return [member](const BetterObject& b) { return msFromTicks((*b.outcome).*member); };
    };
    py::class_<BetterObject>(module, "Optimised", "A better order, and how good one can be.")
        .def_readonly("schedule", &BetterObject::schedule, "The order found, with its costs.")
        .def_readonly("simulation", &BetterObject::simulation)
        .def_readonly("cap", &BetterObject::cap, "How much a device may hold, in words.")
        .def_property_readonly("given_ms", ms(&OptimiseOutcome::given),
                               "What is made short, of the order given.")
        .def_property_readonly("found_ms", ms(&OptimiseOutcome::objective),
                               "The same of the order found.")
        .def_property_readonly("bound_ms", ms(&OptimiseOutcome::bound),
                               "Proven: no order of these passes is shorter.")
        .def_property_readonly(
            "gap", [](const BetterObject& b) { return b.outcome->gap(); },
            "How much longer than the bound, as a part of it.")
        .def_property_readonly(
            "proven", [](const BetterObject& b) { return b.outcome->proven; },
            "Whether nothing better exists.")
        .def_property_readonly(
            "best_family",
            [](const BetterObject& b) -> py::object {
                return b.outcome->bestFamily.empty() ? py::object(py::none())
                                                     : py::object(py::str(b.outcome->bestFamily));
            },
            "The best family of this shape that fits; None: none does.")
        .def_property_readonly(
            "moves", [](const BetterObject& b) { return b.outcome->story.english(); },
            "What the order does in another way, in words.")
        .def_property_readonly(
            "seconds", [](const BetterObject& b) { return b.outcome->seconds; },
            "How long was searched.")
        .def("__repr__",
             [](const BetterObject& b) {
                 return "<Optimised " + timeText(b.outcome->given) + " → " +
                        timeText(b.outcome->objective) + ", bound " + timeText(b.outcome->bound) +
                        (b.outcome->proven ? ", proven" : "") + ">";
             })
        .def("_repr_svg_",
             [](const BetterObject& b) { return py::cast(b.schedule).attr("_repr_svg_")(); });
    module.def(
        "optimise",
        [](const py::object& what, const py::object& costs, double seconds, const std::string& goal,
           const std::string& form, const py::object& cap, std::uint64_t seed,
           const py::kwargs& keywords) {
            return better(what, costs, cap, searchOptions(seconds, goal, form, seed), keywords);
        },
        py::arg("schedule"), py::arg("costs") = py::none(), py::kw_only(),
        py::arg("seconds") = 10.0, py::arg("goal") = "makespan", py::arg("form") = "any",
        py::arg("cap") = py::none(), py::arg("seed") = 1,
        "Looks for a better order of the same passes on the same devices.\n\n"
        "seconds: how long at most. goal: 'makespan' or 'span'. form: of the backward, 'any',\n"
        "'as-given', 'split' or 'fused'. cap: most memory of a device, '40GiB', '6mb' (micro-\n"
        "batches), 12 (activations of a chunk) or 'none'; without one what the order given holds.\n"
        "Ctrl-C ends the search.");
}

} // namespace pw::python
