// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "app/memory_limit.h"
#include "core/cost/layer_split.h"
#include "core/io/costs_file.h"
#include "core/io/project_file.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw::app {

/// The name of the option for what every pass takes besides.
constexpr const char* passOverheadName = "pass-overhead";

/// The name of the option for a link that changes.
constexpr const char* linkTraceName = "link-trace";

/// What the passes of a schedule take, and how to say it.
struct StudyCosts
{
    Costs costs;
    std::string text; ///< in one line
    /// How they were carried over from another shape; empty where nothing was assumed.
    std::string carried;
    /// Where all stages are equal: closed forms hold for these.
    std::optional<UniformCosts> uniform;
    /// Where they were measured: what was.
    std::shared_ptr<const CostsFile> measured;

    /// Both texts in one line.
    std::string wholeText() const { return carried.empty() ? text : text + "; " + carried; }
};

/// --forward, --backward … and everything else that says what passes take.
std::vector<Option> costOptions();

/// The layers of every stage, as --split says.
/// @error Failure  a split of no form is a wrong command line, one that does not fit is wrong
tl::expected<LayerSplit, Failure> splitAsked(const Arguments& arguments, int layers, int stages);

/// Whether any of `costOptions` is given that takes the place of a file's costs: all but those
/// that change any costs, the memory limit, the link trace and what every pass takes besides.
bool hasCostOptions(const Arguments& arguments);

/// Where costs come from, beside the options.
struct CostSource
{
    /// Costs that were just measured, in the place of the options'; only a message time that is
    /// asked for replaces the measured one. May be null.
    std::shared_ptr<const CostsFile> measured;
    /// --split is for a model that is really trained, and needs no --model.
    bool trains = false;
};

/// Costs for a shape from the options.
tl::expected<StudyCosts, Failure> studyCosts(const PipelineSpec& spec, const Arguments& arguments,
                                             const CostSource& source = {});

/// Adds what measured costs have between passes and at the ends of devices, for the order of a
/// schedule; nothing where they were not measured.
void addMeasuredEdges(StudyCosts& costs, const Schedule& schedule);

/// Whether first and last passes of devices have times of their own there.
bool hasMeasuredEnds(const StudyCosts& costs);

/// Moves these to the first and last passes of another order of the same shape.
void setMeasuredEnds(StudyCosts& costs, const Schedule& schedule);

/// Phases of a link as they are typed: "0:1,20:5,60:1", milliseconds and factors.
/// @error BadValue  anything else
Result<std::vector<LinkPhase>> linkTraceOf(const std::string& text);

/// Costs as a file has them, with the memory limit and the link trace of the command line.
tl::expected<StudyCosts, Failure> costsOfFile(const Project& project, const Arguments& arguments);

} // namespace pw::app
