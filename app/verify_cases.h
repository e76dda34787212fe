// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"
#include "executor/api/run_plan.h"
#include "executor/model/training.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace pw::app {

/// What `verify` runs of each family.
struct VerifyGrid
{
    std::vector<int> devices = {2, 4};
    std::vector<int> microBatches; ///< empty: from 1 to four times the devices
    bool variants = true; ///< recompute, segments, steps, other values of the family's parameters
    exec::Element element = exec::Element::Float32;
    bool flashAttention = false;
    exec::Optimizer optimizer{};
    int replicas = 1;
    /// Nobody said how many: replicas of stages are run as well.
    bool impliedReplicas = false;
    bool shardedOptimizer = false;
    bool postValidation = false;
    /// Activations that go to the host's memory, as `parseOffload` has them; empty: none.
    std::string offload{};
    /// Of weights and data. How much of a gradient cancels, and with it how much rounding counts,
    /// depends on it.
    std::uint64_t seed = 3;
};

/// One schedule that is verified.
struct VerifyCase
{
    const Family* family = nullptr;
    FamilyOptions options;
    std::string variant; ///< "", "recompute", "3 segments", "chunks 3" …
    bool recompute = false;
    bool offload = false;           ///< of every activation, whatever the grid says
    int segments = 0;               ///< that a schedule without segments is cut into; 0: none
    std::vector<int> stageReplicas; ///< empty: a device a stage
    int iterations = 3;
};

/// All cases of a family. Whether a family can do a shape shows when its plan is made.
std::vector<VerifyCase> casesOf(const Family& family, const VerifyGrid& grid);

/// The plan of a case: a small model of odd sizes with one layer more than stages, three optimizer
/// steps or more.
/// @error  the family's reason why it cannot be
Result<exec::RunPlan> planOf(const VerifyCase& one, const VerifyGrid& grid);

/// References, each trained once: that of a flushed schedule depends on its shape alone.
class References
{
public:
    /// Lives as long as this.
    Result<const exec::ReferenceRun*> of(const exec::RunPlan& plan);

private:
    using Key = std::tuple<int, int, int, int>; ///< stages, micro-batches, steps, iterations
    std::map<Key, exec::ReferenceRun> m_flushed;
    exec::ReferenceRun m_last;
};

} // namespace pw::app
