// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/optimise.h"

#include <limits>
#include <memory>

namespace pw::test {

/// Ends a search where it has found what is looked for, so that its time may be long where a
/// machine is slow and is not used up where it is not.
inline void stopAt(Ticks goal, OptimiseOptions& options)
{
    const auto best = std::make_shared<Ticks>(std::numeric_limits<Ticks>::max());
    options.improved = [best](const OptimiseProgress& progress) { *best = progress.best; };
    options.stopped = [best, goal] { return *best <= goal; };
}

} // namespace pw::test
