// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/memory_cap.h"
#include "app/study_costs.h"
#include "core/base/text.h"
#include "core/optimise/optimise.h"
#include "python/binding.h"

#include <limits>
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
        throw Refusal("time_limit is " + plainNumber(seconds, 6) + "; 0.01 to 86400");
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

/// The keywords of a search under the names that they have; `cap` is read with its limit.
void renameOldKeywords(py::dict& keywords, double& seconds)
{
    if (!keywords.contains("seconds"))
        return;
    warnOfOldName("'--seconds' is an old name, and goes with the next version: --time-limit");
    seconds = py::cast<double>(keywords["seconds"]);
    keywords.attr("pop")("seconds");
}

BetterObject better(const py::object& what, const py::object& costs, const py::object& limit,
                    OptimiseOptions options, py::dict keywords)
{
    py::dict limitKeyword;
    limitKeyword[app::memoryLimitName] = limit;
    if (keywords.contains("cap")) {
        limitKeyword["cap"] = keywords["cap"];
        keywords.attr("pop")("cap");
    }
    const app::Arguments arguments = argumentsOf({app::memoryCapOption("Search")}, limitKeyword);
    ScheduleObject given = py::isinstance<ScheduleObject>(what) ? py::cast<ScheduleObject>(what)
                                                                : scheduleOf(what, keywords);
    app::StudyCosts own = py::isinstance<ScheduleObject>(what) ? costsFor(given, costs, keywords)
                                                               : costsFor(given, costs, {});
    const Schedule& schedule = given.study->schedule;
    std::string capText;
    OptimiseOutcome outcome =
        taken(interruptible([&](const std::atomic<bool>& stop) -> Result<OptimiseOutcome> {
            const Result<SimResult> before = simulate(schedule, own.costs);
            if (!before && before.error().code != ErrorCode::Deadlock)
                return fail(before.error());
            const auto cap =
                app::memoryCapOf(arguments, schedule, own.costs, before ? &*before : nullptr);
            if (!cap)
                return fail(ErrorCode::BadValue, cap.error().message);
            cap->apply(own.costs, schedule.spec());
            capText = cap->text();
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
        .def_property_readonly(
            "given_ms",
            [](const BetterObject& b) {
                return b.outcome->given > 0 ? msFromTicks(b.outcome->given)
                                            : std::numeric_limits<double>::infinity();
            },
            "What is made short, of the order given; inf: that never ends.")
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
                 return "<Optimised " +
                        (b.outcome->given > 0 ? timeText(b.outcome->given) : "never ends") + " → " +
                        timeText(b.outcome->objective) + ", bound " + timeText(b.outcome->bound) +
                        (b.outcome->proven ? ", proven" : "") + ">";
             })
        .def("_repr_svg_",
             [](const BetterObject& b) { return py::cast(b.schedule).attr("_repr_svg_")(); });
    module.def(
        "optimise",
        [](const py::object& what, const py::object& costs, double seconds, const std::string& goal,
           const std::string& form, const py::object& limit, std::uint64_t seed,
           py::kwargs keywords) {
            renameOldKeywords(keywords, seconds);
            return better(what, costs, limit, searchOptions(seconds, goal, form, seed),
                          std::move(keywords));
        },
        py::arg("schedule"), py::arg("costs") = py::none(), py::kw_only(),
        py::arg("time_limit") = 10.0, py::arg("goal") = "makespan", py::arg("form") = "any",
        py::arg("memory_limit") = py::none(), py::arg("seed") = 1,
        "Looks for a better order of the same passes on the same devices.\n\n"
        "time_limit: seconds at most. goal: 'makespan' or 'span'. form: of the backward, 'any',\n"
        "'as-given', 'split' or 'fused'. memory_limit: most that a device holds, 6 or '6mb' "
        "(micro-\n"
        "batches), '12chunks' (activations of a chunk), '40GiB' or 'none'; without one what the\n"
        "order given holds.\n"
        "Ctrl-C ends the search.");
}

} // namespace pw::python
