// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/file_options.h"
#include "app/gantt.h"
#include "app/model_options.h"
#include "app/offload_report.h"
#include "app/simulation_json.h"
#include "app/simulation_text.h"
#include "app/study.h"
#include "core/base/try.h"

#include <ostream>

namespace pw::app::commands {

namespace {

Outcome runSimulate(const Arguments& arguments, Console& console)
{
    if (arguments.has("passes") && !arguments.has("json"))
        return usage("--passes needs --json");
    PW_TRY(const Study study, studyOf(arguments.words()[0], arguments));
    PW_TRY(const SimResult result, simulate(study.schedule, study.costs.costs));

    const Screen& screen = console.screen;
    if (arguments.has("json")) {
        console.out << simulationJson(
            study, result,
            {arguments.has("passes"), arguments.has("why"), arguments.has("critical-path")});
    } else {
        console.out << headingText(study, screen) << "\n"
                    << figuresText(study, result, screen) << "\n";
        if (!arguments.has("no-gantt")) {
            const std::string lanes = gantt(study.schedule, result, screen);
            console.out << lanes << (lanes.empty() ? "" : "\n");
        }
        console.out << devicesText(result, screen);
        if (const std::string copies = offloadText(study, result, screen); !copies.empty())
            console.out << "\n" << copies;
        if (arguments.has("why"))
            console.out << "\n" << gapsText(study, result, screen);
        if (arguments.has("critical-path"))
            console.out << "\n" << criticalPathText(study, result, screen);
    }
    if (const std::string over = overLimit(study.schedule, study.costs.costs, result);
        !over.empty())
        return wrong(over);
    return ExitCode::Good;
}

std::vector<Option> optionsOfSimulate()
{
    std::vector<Option> all = shapeOptions();
    for (const std::vector<Option>& more : {costOptions(), fileOptions()})
        all.insert(all.end(), more.begin(), more.end());
    appendModelFields(all);
    constexpr const char* section = "Output";
    all.push_back({.name = "json", .summary = "for programs: one object", .section = section});
    all.push_back({.name = "passes",
                   .summary = "with --json: start and end of every pass",
                   .section = section});
    all.push_back(
        {.name = "why", .summary = "the reason of every idle stretch", .section = section});
    all.push_back({.name = "critical-path",
                   .summary = "the chain of passes that makes the makespan",
                   .section = section});
    all.push_back({.name = "no-gantt", .summary = "only the numbers", .section = section});
    return all;
}

} // namespace

Command simulate()
{
    Command command;
    command.name = "simulate";
    command.group = CommandGroup::Design;
    command.summary = "times, bubbles and memory of one schedule";
    command.words = "FAMILY|FILE";
    command.about =
        "Gives every pass a start and an end, and shows the timeline with what follows from it: "
        "the makespan, the idle time, the activations that are alive at once.\n"
        "The span bubble is idle time between a device's own first start and last end; the wall "
        "bubble is idle time in the whole makespan. Both are those of the device with the longest "
        "span. One mb is the activation of one micro-batch on a device's whole share of the "
        "model.\n"
        "Exit code 1 if the schedule cannot run, or needs more memory than --memory-limit.";
    command.examples = {"pipewright simulate dualpipe",
                        "pipewright simulate 1f1b --devices 8 --micro-batches 32 --backward 2",
                        "pipewright simulate 1f1b --comm 0.1 --why --critical-path",
                        "pipewright simulate 1f1b --json --passes",
                        "pipewright simulate gis --activation 2e7 --offload hidden --host-link 25"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = optionsOfSimulate;
    command.run = runSimulate;
    return command;
}

} // namespace pw::app::commands
