// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/base/text.h"
#include "core/sim/simulator.h"

#include <optional>
#include <string>

namespace pw::app {

/// The timeline as text: a lane a device, a ruler in time, and what the letters mean.
///
/// Colour is kind, tint is chunk, text is micro-batch. A lane has two lines where every pass is at
/// least one column wide: the kind above, the micro-batch below; of an overlapped pair one pass
/// above and one below. Chunks after the first are written small, so that everything reads without
/// colour. A longer timeline has one line a lane, in which a column shows the kind that fills most
/// of it.
///
/// @param unit  of the ruler; none: µs, ms or s
/// @return      empty where the screen is too narrow for lanes, or there are more devices than
/// people read
std::string gantt(const Schedule& schedule, const SimResult& result, const Screen& screen,
                  std::optional<Unit> unit = std::nullopt);

} // namespace pw::app
