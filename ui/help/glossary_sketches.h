// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string_view>

namespace pw::ui {

/// What the picture of a word shows. Lists are words with blanks between.
struct GlossarySketch
{
    std::string_view word;
    std::string_view family;
    int devices = 3;
    int microBatches = 4;
    /// Options of the family: "steps=2", "updates", or a parameter with its value.
    std::string_view options{};
    /// What is in full colour: all, F (a kind), mb1, device1, route1, chunk1, warm, steady, cool,
    /// pairs, critical, F1@0 (a pass on a device); gaps: idle time has a frame.
    std::string_view lit = "all";
    /// Marks: memory@0, F0@0>F0@1 (a message), F0@0-BW0@0 (a stretch, from start to end),
    /// F0@0|F1@0 (from start to start), cap@3 (a line in the memory).
    std::string_view marks{};
};

/// The sketch of a word; null: it has none.
const GlossarySketch* glossarySketch(std::string_view word);

} // namespace pw::ui
