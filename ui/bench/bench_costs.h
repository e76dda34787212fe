// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/block/arrangement.h"
#include "core/io/project_file.h"
#include "core/sim/simulator.h"

#include <QString>

#include <optional>
#include <variant>

namespace pw::ui {

/// What the passes of a block take and hold, beside the units that they are drawn in.
struct BenchCosts
{
    std::variant<UniformCosts, CostOrigin> from;
    QString about; ///< what they are of, in a sentence: "own times"
};

/// For every stage of a spec. @error  the model does not fit it
Result<Costs> costsFor(const BenchCosts& costs, const PipelineSpec& spec);

/// An arrangement as it runs; none: it cannot.
std::optional<SimResult> runOf(const Arrangement& arrangement, const BenchCosts& costs);

} // namespace pw::ui
