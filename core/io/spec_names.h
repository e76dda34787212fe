// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/cost_origin.h"
#include "core/model/pipeline_spec.h"

#include <array>
#include <optional>
#include <string_view>

namespace pw {

constexpr std::array<UpdateRule, 3> allUpdateRules = {UpdateRule::Flush, UpdateRule::Stashed,
                                                      UpdateRule::DoubleBuffered};

constexpr std::array<MessageRule, 2> allMessageRules = {MessageRule::Early, MessageRule::Committed};

/// The rule as files write it.
constexpr std::string_view name(UpdateRule rule)
{
    constexpr std::array<std::string_view, 3> names = {"flush", "stashed", "double-buffered"};
    return names[static_cast<std::size_t>(rule)];
}

constexpr std::string_view name(MessageRule rule)
{
    constexpr std::array<std::string_view, 2> names = {"early", "committed"};
    return names[static_cast<std::size_t>(rule)];
}

constexpr std::array<RecomputeIn, 2> allRecomputeIn = {RecomputeIn::Backward, RecomputeIn::Passes};

constexpr std::string_view name(RecomputeIn place)
{
    constexpr std::array<std::string_view, 2> names = {"backward", "passes"};
    return names[static_cast<std::size_t>(place)];
}

/// The value of `all` that has the name, or nothing.
template<typename T, std::size_t n>
constexpr std::optional<T> named(const std::array<T, n>& all, std::string_view text)
{
    for (const T value : all) {
        if (name(value) == text)
            return value;
    }
    return std::nullopt;
}

} // namespace pw
