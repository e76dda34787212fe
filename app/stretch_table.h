// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/store/stored_adaptive.h"

#include <string>
#include <vector>

namespace pw::app {

/// A stretch of one k in the table of k over time.
struct StretchRow
{
    RunNumber run = 0; ///< that it is kept as; 0: it is not
    Ticks from = 0, to = 0;
    int iterations = 0;
    double slowdown = 1; ///< mean of its messages
    int group = 1;       ///< k
};

/// k over time over the network: a line a stretch, k as a bar.
std::string stretchTable(const std::vector<StretchRow>& rows, const Screen& screen);

/// The same of a stored training, with the sentence of each switch.
std::string adaptiveText(const StoredAdaptive& training, const Screen& screen);

} // namespace pw::app
