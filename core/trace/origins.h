// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

#include <string_view>

namespace pw {

/// `Trace::origin` of Primus's files.
constexpr std::string_view primusOrigin = "Primus";

/// Whether the clocks of a trace's ranks begin anew with every step, which all ranks start
/// together: those of Primus do. No offset and drift over all steps says anything of them.
inline bool clocksBeginAnew(const Trace& trace)
{
    return trace.origin == primusOrigin;
}

} // namespace pw
