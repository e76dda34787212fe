// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/analysis/idle_gaps.h"
#include "core/io/json_text.h"

#include <cstddef>
#include <string>
#include <vector>

namespace pw::app {

/// Gaps of a device of a trace, the longest first.
struct DeviceGaps
{
    WorkDevice device;
    std::vector<IdleGap> gaps;
};

/// The longest gaps of every device. @param trace  its spans get their depth
std::vector<DeviceGaps> longestGaps(Trace& trace, const std::vector<MessagePair>& pairs,
                                    std::size_t count);

/// A table of them with their reasons; empty where there is none.
std::string gapsText(const Trace& trace, const std::vector<DeviceGaps>& devices,
                     const Screen& screen);

/// The member `gaps`.
void gapsJson(JsonText& text, const Trace& trace, const std::vector<DeviceGaps>& devices);

} // namespace pw::app
