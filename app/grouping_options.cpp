// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/grouping_options.h"

#include "app/study_costs.h"
#include "core/base/text.h"

#include <cmath>
#include <utility>

namespace pw::app {

Option countOption(const char* name, const char* placeholder, std::string summary,
                   const char* section, double most)
{
    return {.name = name,
            .kind = ValueKind::Whole,
            .placeholder = placeholder,
            .summary = std::move(summary),
            .section = section,
            .minimum = 1,
            .maximum = most};
}

Option timeOption(const char* name, std::string summary, const char* section)
{
    return {.name = name,
            .kind = ValueKind::Number,
            .placeholder = "MS",
            .summary = std::move(summary),
            .section = section,
            .minimum = 0,
            .maximum = 1e5};
}

std::vector<Option> groupingOptions(const GroupingHelp& help)
{
    const auto usual = [&help](const char* value) {
        return " (default" + std::string(help.when) + ' ' + value + ')';
    };
    return {
        withOldSpelling(countOption("global-batch", "N",
                                    "samples of a step (default " + std::string(help.batch) + ")",
                                    help.shape, 1e5),
                        {"batch"}),
        countOption("most-k", "K", "largest k that is tried (default 16)", help.shape, 1e4),
        timeOption("fixed", "of every pass, whatever its size" + usual("1"), help.times),
        timeOption("message", "of one sample over a link that nothing slows down" + usual("0.1"),
                   help.times),
        timeOption("latency", "of every message" + usual("0.05"), help.times),
        countOption("every", "N", "iterations between two choices of k (default 5)", help.tuner,
                    1e6)};
}

tl::expected<GroupingProblem, Failure> groupingOf(const Arguments& arguments, GroupingProblem usual,
                                                  const char* trace)
{
    usual.samples = arguments.whole("global-batch", usual.samples);
    // A pass is of one sample there, and so is its micro-batch.
    const std::optional<double> typed = arguments.number(memoryLimitName);
    const double held = typed.value_or(arguments.has(memoryLimitName) ? 0 : 2 * usual.devices);
    if (held < 1 || held > 1e6 || held != std::floor(held))
        return usage("--memory-limit with --adapt takes whole samples, from 1 to 1000000, not " +
                     (typed ? plainNumber(held) : quotedWord(arguments.text(memoryLimitName))));
    usual.held = static_cast<int>(held);
    usual.mostGroup = arguments.whole("most-k", usual.mostGroup);
    for (const auto& [name, time] :
         {std::pair("fixed", &usual.fixed), std::pair("message", &usual.message),
          std::pair("latency", &usual.latency)}) {
        if (arguments.has(name))
            *time = ticksFromMs(arguments.number(name, 0));
    }
    Result<std::vector<LinkPhase>> phases = linkTraceOf(arguments.text("link-trace", trace));
    if (!phases)
        return usage(phases.error().message);
    usual.trace = std::move(*phases);
    return usual;
}

int measuredEvery(const Arguments& arguments)
{
    return arguments.whole("every", 5);
}

void appendHeldSamples(std::vector<Option>& options)
{
    for (Option& option : options)
        if (option.name == memoryLimitName) {
            option.summary += "; with --adapt, in samples (default 2p)";
            option.formerly.push_back({"hold"});
        }
}

} // namespace pw::app
