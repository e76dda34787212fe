// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/workspace/order_curves.h"

#include <QString>

#include <string_view>
#include <vector>

namespace pw::ui {

/// A chart that can stand below a timeline: a file of `charts/`, named in the registry by its stem.
/// Menu, setting, place and curves follow from what stands there.
struct TimelineChart
{
    std::string_view id; ///< of its command and its setting: "in-flight"
    /// Above its numbers, and in the menu with its key: `QT_TRANSLATE_NOOP("TimelineChart", …)`.
    const char* title = nullptr;
    const char* menu = nullptr;
    int place = 0;      ///< from the timeline down; no two have the same
    bool usual = false; ///< shown until somebody says otherwise
    /// Of a device of an order; null: the bar of bubbles of every device.
    Curves (*curves)(const TimedOrder& order, DeviceId device) = nullptr;
    /// The last of its curves says enough of a trial: the edge of a stack, the device itself.
    bool lastIsTrial = false;

    QString titleText() const;
    QString menuText() const;
};

/// All of them, in their places.
const std::vector<TimelineChart>& timelineCharts();

/// Those that other code knows.
inline constexpr std::string_view memoryChart = "memory";
inline constexpr std::string_view linkChart = "links";
inline constexpr std::string_view flightChart = "in-flight";
inline constexpr std::string_view bubbleChart = "bubble";

/// @pre there is one of that id
const TimelineChart& timelineChart(std::string_view id);

} // namespace pw::ui
