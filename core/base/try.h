// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

namespace pw {

/// The failure of a result as it is handed on; for `PW_TRY` and `PW_DO`.
template<typename T, typename E>
tl::unexpected<E> failureOf(tl::expected<T, E>&& failed)
{
    return tl::unexpected<E>(std::move(failed).error());
}

} // namespace pw

#define PW_TRY_JOINED(left, right) left##right
#define PW_TRY_NAME(line) PW_TRY_JOINED(tried, line)
#define PW_TRY_AS(tried, declaration, ...)                                                         \
    auto tried = __VA_ARGS__;                                                                      \
    if (!tried)                                                                                    \
        return ::pw::failureOf(std::move(tried));                                                  \
    declaration = *std::move(tried)
#define PW_DO_AS(tried, ...)                                                                       \
    do {                                                                                           \
        if (auto tried = __VA_ARGS__; !tried)                                                      \
            return ::pw::failureOf(std::move(tried));                                              \
    } while (false)

/// Declares a variable with the value of a result, or returns its failure from the function:
/// `PW_TRY(const Costs costs, costsOf(file, spec));`. Stands where a declaration may stand, in a
/// function whose failure the result's one turns into.
#define PW_TRY(declaration, ...) PW_TRY_AS(PW_TRY_NAME(__LINE__), declaration, __VA_ARGS__)

/// Does what may fail and has no value that is needed, or returns its failure from the function:
/// `PW_DO(check(costs, spec));`.
#define PW_DO(...) PW_DO_AS(PW_TRY_NAME(__LINE__), __VA_ARGS__)
