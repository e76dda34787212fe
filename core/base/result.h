// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"

#include <tl/expected.hpp>

#include <type_traits>
#include <utility>

namespace pw {

/// What kind of failure an `Error` is, for callers that act on it. People read the message; which
/// one it is, and of what, tells the message's pattern with its arguments.
enum class ErrorCode
{
    BadValue,    ///< a parameter, option or field is outside its range
    BadSchedule, ///< a pass is missing, doubled, misplaced or out of order
    Deadlock,    ///< devices wait for each other in a ring
    MemoryLimit, ///< no schedule fits the memory, or this one does not
    TooLarge,    ///< the request would need more passes or bytes than Pipewright allows
    Syntax,      ///< a file or text cannot be read
    Version,     ///< a file is of a version that this program does not know
    Io,          ///< the system refused to open, read or write
    Cancelled,   ///< stopped on request
    Fault        ///< a run ended by a failure of a device, a rank or a pass
};

/// A failure that a user can cause.
///
/// The message says which thing, which value, which limit: "micro-batch 9 of stage 2 has B before
/// F".
struct Error
{
    ErrorCode code = ErrorCode::BadValue;
    Sentence message;

    friend bool operator==(const Error&, const Error&) = default;
};

/// A value, or the reason why there is none.
template<typename T>
using Result = tl::expected<T, Error>;

/// What `fail` makes of its arguments; here once, not in every call.
tl::unexpected<Error> failure(ErrorCode code, Sentence message);

/// The failure side of a `Result`:
/// `return fail(ErrorCode::BadValue, "steps is %1; at least 1", spec.steps);`
template<typename... Arguments>
tl::unexpected<Error> fail(ErrorCode code, Pattern<Arguments...> pattern,
                           const Arguments&... arguments)
{
    return failure(code, Sentence(pattern.text(), {arguments...}));
}

/// The same of a sentence that is made already, or of a text that the core has from elsewhere.
template<typename Text>
requires(!std::is_array_v<std::remove_cvref_t<Text>> &&
         std::constructible_from<Sentence, Text&&>) tl::unexpected<Error> fail(ErrorCode code,
                                                                               Text&& message)
{
    return failure(code, Sentence(std::forward<Text>(message)));
}

/// Hands the failure of another `Result` on: `return fail(other.error());`
inline tl::unexpected<Error> fail(Error error)
{
    return tl::unexpected<Error>(std::move(error));
}

} // namespace pw
