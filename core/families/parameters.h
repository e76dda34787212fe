// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"

#include <array>

// Parameters that several families have. A family with another default or other words copies one
// and changes it.
namespace pw::families {

inline double asManyAsDevices(const FamilyOptions& options)
{
    return options.devices;
}

constexpr Parameter chunksParameter = {
    .name = "chunks", .summary = "chunks a device", .fallback = 2, .role = ParameterRole::Chunks};

constexpr Parameter segmentsParameter = {.name = "segments",
                                         .summary = "segments a sequence",
                                         .fallback = 4,
                                         .role = ParameterRole::Segments};

constexpr Parameter overlapParameter =
    flagParameter("overlap", "runs each forward and backward of the steady state as an overlapped "
                             "pair");

constexpr Parameter memoryLimitParameter = {.name = "memory-limit",
                                            .summary =
                                                "most micro-batches of activation on a device",
                                            .fallbackText = "p",
                                            .type = ParameterType::Number,
                                            .role = ParameterRole::MemoryLimit,
                                            .rule = asManyAsDevices};

inline constexpr std::array<std::string_view, 2> aims = {"span", "makespan"};

constexpr Parameter aimParameter = [] {
    Parameter aim = choiceParameter(
        "aim", "what is made short: the longest span of a device, or the makespan", aims);
    aim.role = ParameterRole::Aim;
    return aim;
}();

} // namespace pw::families
