// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pass.h"

#include <cstdint>
#include <string>

namespace pw {

enum class MemoryKind : std::uint8_t;

/// What a colour stands for, in the terminal, in figures and in the window. The table behind it is
/// the only one; kinds can be told apart by colour-blind readers on both grounds.
enum class Role : std::uint8_t
{
    Text,
    Secondary, ///< units, notes, axes
    Accent,    ///< what to look at, what to press
    Refusal,   ///< cap, overflow, refusal; nothing else is red
    Good,      ///< a formula that is met
    Forward,   ///< F, first chunk of a device
    ForwardTint,
    Backward, ///< B, and the upper part of BW
    BackwardTint,
    Weight, ///< W, and the lower part of BW
    WeightTint,
    Recompute,
    RecomputeTint,
    Update,
    UpdateTint,
    Paper,  ///< ground of documents and fields
    Panel,  ///< ground of panels and bars
    Lane,   ///< ground of a lane and of a chart
    Line,   ///< borders and grid
    Hatch,  ///< idle time
    Sooner, ///< differences: a pass that ends sooner than in the timeline above
    Same,
    Later
};

constexpr int roleCount = 23;

struct Rgb
{
    std::uint8_t red = 0, green = 0, blue = 0;

    friend bool operator==(const Rgb&, const Rgb&) = default;
};

enum class Ground : bool
{
    Dark,
    Light
};

Rgb colorOf(Role role, Ground ground);

/// "#4477aa"
std::string hexOf(Rgb color);

/// Colour of a pass: the first chunk of a device in full, later ones as tint. BW is B's.
Role roleOf(PassKind kind, bool tint);

/// Colour of a part of a memory chart.
Role roleOf(MemoryKind kind);

/// Whether white reads better on a colour than the dark text does. @source WCAG 2.1 contrast ratio
bool wantsWhiteText(Rgb ground);

} // namespace pw
