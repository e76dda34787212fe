// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/colors.h"

#include "core/sim/memory.h"

#include <array>
#include <cmath>

namespace pw {

namespace {

struct Pair
{
    Rgb dark, light;
};

// In the order of Role.
constexpr std::array<Pair, roleCount> roleColors = {{
    {{0xdf, 0xe4, 0xea}, {0x1f, 0x29, 0x33}},                                           // Text
    {{0x98, 0xa2, 0xad}, {0x66, 0x71, 0x7e}},                                           // Secondary
    {{0x6e, 0xa8, 0xdc}, {0x2f, 0x6d, 0xb0}},                                           // Accent
    {{0xef, 0x7a, 0x85}, {0xd6, 0x45, 0x50}},                                           // Refusal
    {{0x4f, 0xb0, 0x72}, {0x1e, 0x7d, 0x32}},                                           // Good
    {{0x5b, 0x8f, 0xc4}, {0x44, 0x77, 0xaa}},                                           // Forward
    {{0xa9, 0xc8, 0xe6}, {0xa9, 0xc5, 0xe0}}, {{0x3f, 0x9a, 0x5f}, {0x22, 0x88, 0x33}}, // Backward
    {{0x9f, 0xd6, 0xb2}, {0xa5, 0xd6, 0xb0}}, {{0xc9, 0xa9, 0x3c}, {0xcc, 0xbb, 0x44}}, // Weight
    {{0xea, 0xd9, 0x94}, {0xee, 0xe3, 0xa6}}, {{0xaa, 0x33, 0x77}, {0xaa, 0x33, 0x77}}, // Recompute
    {{0xd9, 0xa5, 0xc3}, {0xd9, 0xa5, 0xc3}}, {{0x88, 0x88, 0x88}, {0x88, 0x88, 0x88}}, // Update
    {{0xc4, 0xc4, 0xc4}, {0xc4, 0xc4, 0xc4}}, {{0x26, 0x2b, 0x32}, {0xff, 0xff, 0xff}}, // Paper
    {{0x21, 0x25, 0x2b}, {0xf3, 0xf5, 0xf7}},                                           // Panel
    {{0x22, 0x27, 0x2d}, {0xfa, 0xfb, 0xfc}},                                           // Lane
    {{0x3a, 0x41, 0x4a}, {0xd9, 0xdd, 0xe2}},                                           // Line
    {{0x3a, 0x41, 0x4a}, {0xcf, 0xd5, 0xdc}},                                           // Hatch
    {{0x8d, 0x7f, 0xc9}, {0x5e, 0x4f, 0xa2}},                                           // Sooner
    {{0x4a, 0x51, 0x5a}, {0xe4, 0xe6, 0xea}},                                           // Same
    {{0xe8, 0x9a, 0x3c}, {0xd9, 0x7a, 0x06}},                                           // Later
}};

double luminance(Rgb color)
{
    const auto linear = [](std::uint8_t channel) {
        const double c = channel / 255.0;
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

} // namespace

Rgb colorOf(Role role, Ground ground)
{
    const Pair& pair = roleColors[static_cast<std::size_t>(role)];
    return ground == Ground::Light ? pair.light : pair.dark;
}

std::string hexOf(Rgb color)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "#";
    for (const std::uint8_t channel : {color.red, color.green, color.blue}) {
        text += digits[channel / 16];
        text += digits[channel % 16];
    }
    return text;
}

Role roleOf(PassKind kind, bool tint)
{
    switch (kind) {
    case PassKind::F:
        return tint ? Role::ForwardTint : Role::Forward;
    case PassKind::B:
    case PassKind::BW:
        return tint ? Role::BackwardTint : Role::Backward;
    case PassKind::W:
        return tint ? Role::WeightTint : Role::Weight;
    case PassKind::R:
        return tint ? Role::RecomputeTint : Role::Recompute;
    case PassKind::U:
        break;
    }
    return tint ? Role::UpdateTint : Role::Update;
}

Role roleOf(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::Weights:
        return Role::Update;
    case MemoryKind::Versions:
        return Role::UpdateTint;
    case MemoryKind::Gradients:
        return Role::RecomputeTint;
    case MemoryKind::Optimizer:
        return Role::Recompute;
    case MemoryKind::Activations:
        return Role::Forward;
    case MemoryKind::HeldForWeight:
        return Role::Weight;
    case MemoryKind::Buffers:
        return Role::BackwardTint;
    case MemoryKind::Workspace:
        return Role::Hatch;
    case MemoryKind::Fragments:
        return Role::WeightTint;
    }
    return Role::Secondary;
}

bool wantsWhiteText(Rgb ground)
{
    const double dark = luminance(colorOf(Role::Text, Ground::Light)) + 0.05;
    const double own = luminance(ground) + 0.05;
    return 1.05 / own > own / dark;
}

} // namespace pw
