// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/support/chrome_traces.h"

#include <vector>

namespace pw::test {

// Traces of PyTorch's Schedule1F1B, which labels nothing. Times are in microseconds.

constexpr int linkedForwardTime = 100, linkedBackwardTime = 200;

/// Files "rank0.json" … of a pipeline of 1F1B. @param device  whether a device computes, far behind
/// the host. @param without  a rank that lacks the last step; −1: none
std::vector<TraceText> unlabelledFiles(int ranks, int microBatches, int steps, bool device,
                                       int without = -1);

} // namespace pw::test
