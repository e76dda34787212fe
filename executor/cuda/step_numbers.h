// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/kernels.h"
#include "executor/cuda/staging.h"
#include "executor/model/ops.h"

#include <array>
#include <optional>

namespace pw::exec::cuda {

SgdRule sgdRule(const Optimizer& optimizer);
/// @param step   counted from 1
/// @param decay  whether the parameters decay
AdamWRule adamWRule(const Optimizer& optimizer, int step, bool decay);

/// The numbers of an optimizer that differ at every step, in memory of the device: a launch that
/// is given their place is the same at every step, and so may be part of a graph.
class StepNumbers
{
public:
    /// @throws DeviceError
    StepNumbers();
    ~StepNumbers();
    StepNumbers(const StepNumbers&) = delete;
    StepNumbers& operator=(const StepNumbers&) = delete;

    /// Leaves the memory to the end of the process: the device may still read it.
    void abandon() noexcept { m_memory = nullptr; }

    /// Has a rule find its step's numbers here, for launches before those of another step are put
    /// here.
    /// @throws DeviceError
    void put(AdamWRule& rule, Staging& staging, Ticks patience);

private:
    using Numbers = std::array<float, 2>;

    float* m_memory = nullptr;
    std::optional<Numbers> m_now;
};

} // namespace pw::exec::cuda
