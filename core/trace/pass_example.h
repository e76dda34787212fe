// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/pass.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// A stretch that a person says is a pass, as the sequence of its kernels. Kept with the rules.
struct PassExample
{
    static constexpr std::size_t mostNames = 5000;

    PassKind kind = PassKind::F;
    StageId stage{0};
    std::vector<std::string> names; ///< of kernels in the order of their starts, on one stream

    friend bool operator==(const PassExample&, const PassExample&) = default;
};

/// Where a person finds an example: "F0=0:324.5..328.1" is F of stage 0 on rank 0 from 324.5 to
/// 328.1 ms.
struct ExamplePlace
{
    PassKind kind = PassKind::F;
    StageId stage{0};
    std::int32_t number = 0; ///< of the rank, as the files say it
    Ticks from = 0;
    Ticks to = 0;

    /// @error Syntax  says what is wrong
    static Result<ExamplePlace> parse(std::string_view text);
};

/// The kernels of a stretch as an example: those that begin in it, on the stream with most of them.
/// @error BadValue  no such rank, or fewer than 2 or more than `mostNames` kernels begin in it
Result<PassExample> exampleAt(const Trace& trace, const ExamplePlace& place);

/// A stretch of a sequence that is like an example.
struct ExampleMatch
{
    std::size_t first = 0;
    std::size_t behind = 0;
    std::size_t edits = 0; ///< kernels that are more, fewer or others

    friend bool operator==(const ExampleMatch&, const ExampleMatch&) = default;
};

/// Where a sequence is like a pattern, at least 85 of 100 kernels the same: not overlapping, the
/// best first where several could be, by place.
/// @param goOn  asked now and then; false stops; may be empty
std::vector<ExampleMatch> matchesOf(std::span<const std::int32_t> pattern,
                                    std::span<const std::int32_t> sequence,
                                    const std::function<bool()>& goOn = {});

} // namespace pw
