// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"

#include <cstdint>
#include <vector>

namespace pw::exec {

/// A matrix of a layer with what Muon reads and keeps for it, row after row.
struct MuonNumbers
{
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::vector<float> values;
    std::vector<float> gradient;
    std::vector<float> momentum;
};

/// What `muonStep` is held against: the same step in plain loops and doubles, on the host.
void referenceMuonStep(const Optimizer& optimizer, MuonNumbers& numbers);

} // namespace pw::exec
