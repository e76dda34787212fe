// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/noise/adaptive_k.h"

#include <string>
#include <vector>

namespace pw::app {

/// A network that others use now and then: what --link-trace is where nothing is said.
inline constexpr const char* usualLinkTrace = "0:1,4000:4,9000:1,12000:10,18000:2,24000:1,27000:6";

/// Where the options of pairs of k and micro-batch size stand in a help, and what it says of them.
struct GroupingHelp
{
    const char* shape = "Shape";
    const char* times = "Times";
    const char* tuner = "Tuner";
    const char* batch = "128"; ///< the usual number of samples of a step, in words
    const char* when = "";     ///< when the usual times count: ", modelled"
};

/// --global-batch, --most-k, --fixed, --message, --latency and --every, of all commands that
/// simulate or run a k that follows the network.
std::vector<Option> groupingOptions(const GroupingHelp& help);

/// The problem that a command line asks for. --memory-limit is in samples, whole ones.
///
/// @param usual  what counts where an option is not given; its number of devices counts always
/// @param trace  the usual link trace
tl::expected<GroupingProblem, Failure> groupingOf(const Arguments& arguments, GroupingProblem usual,
                                                  const char* trace = usualLinkTrace);

/// Says of --memory-limit, among options, that --adapt reads it in samples.
void appendHeldSamples(std::vector<Option>& options);

/// Iterations between two choices of k.
int measuredEvery(const Arguments& arguments);

/// An option that is a count from 1 on.
Option countOption(const char* name, const char* placeholder, std::string summary,
                   const char* section, double most);
/// An option that is a time in milliseconds from 0 on.
Option timeOption(const char* name, std::string summary, const char* section);

} // namespace pw::app
