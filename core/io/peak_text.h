// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/text.h"
#include "core/sim/metrics.h"

#include <string>

namespace pw {

/// Most activation that a device holds, in micro-batches: "1 micro-batch", "2.5 micro-batches".
inline std::string peakText(const SimResult& result)
{
    const double peak = peakMicroBatches(result);
    return plainNumber(peak) + (peak == 1 ? " micro-batch" : " micro-batches");
}

} // namespace pw
