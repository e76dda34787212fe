// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/annotation.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"
#include "core/sim/simulator.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// A timeline of a web page. What it points to outlives the writing.
struct WebTrack
{
    std::string title; ///< "planned", "measured"
    const Schedule* schedule = nullptr;
    const Costs* costs = nullptr; ///< says what passes keep
    const SimResult* result = nullptr;
    const std::vector<Annotation>* annotations = nullptr; ///< over its lanes; null: none
};

/// What a web page shows.
struct WebPage
{
    std::string title;
    std::string notes;
    std::vector<WebTrack> tracks; ///< one, or several under each other on one axis of time
};

/// One HTML file with everything in it: timelines to move, zoom, hover and play, what goes to the
/// host's memory and back, memory and bubbles, notes. It loads nothing and talks to nobody; its
/// content security policy forbids it to.
///
/// Texts are shown as texts, whatever they hold. Some 20 to 40 bytes a pass.
///
/// @pre every result is of its schedule
std::string writeWebPage(const WebPage& page);

/// JSON that no HTML parser takes for the end of the script element that it stands in.
std::string insideScript(std::string_view json);

} // namespace pw
