// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <string_view>

namespace pw::nsys {

/// Of a rank that a range names.
constexpr std::int32_t mostRanks = 65'536;

/// What the text of a range says beside its name.
struct RangeText
{
    std::string_view name;
    std::int32_t iteration = -1;
    std::int32_t rankNumber = -1;
    std::int32_t segment = -1;
};

/// Cuts off what PyTorch adds, "aten::mm, seq = 7, op_id = 9", and reads what Pipewright's executor
/// adds, "PP:0F3, iteration 2, rank 1".
RangeText readRangeText(std::string_view text);

} // namespace pw::nsys
