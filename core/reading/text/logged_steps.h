// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/training_log.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace pw {

/// What a line tells of an iteration.
struct StepLine
{
    LoggedStep step;
    std::vector<double> stageMemory; ///< GiB by stage; empty: not told
    std::int64_t planned = -1;       ///< iterations that are to run; −1: not told
    bool deepSpeed = false;          ///< DeepSpeed's own line
};

/// The iterations that a line tells, as a rule one; none where it tells no time of one. The line of
/// Megatron and those who followed it ("iteration 10/ 1000 | elapsed time per iteration (ms):
/// 1354.9 | …", GPT-NeoX and NeMo too), and DeepSpeed's ("steps: 10 loss: 2.1 iter time (s): 0.45
/// samples/sec: 35.5").
/// @param ended  the line has its end; the last one of a file that is cut has none
std::vector<StepLine> stepsOfLine(std::string_view line, bool ended);

/// Puts iterations into a log: the same one once, and where the numbers go back, because training
/// began anew from a checkpoint, those that are run again in place of the earlier ones.
class LoggedSteps
{
public:
    explicit LoggedSteps(TrainingLog& log)
        : m_log(log)
    {
    }

    /// @return  whether it is another iteration than the last one
    bool add(const StepLine& line);

private:
    bool completes(const StepLine& line);

    TrainingLog& m_log;
    bool m_deepSpeed = false; // the last one is of DeepSpeed's line alone
};

} // namespace pw
