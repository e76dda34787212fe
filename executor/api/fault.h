// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"
#include "core/model/pass.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace pw::exec {

/// What goes wrong on purpose, so that tests see how a run ends.
enum class FaultKind : std::uint8_t
{
    Throw,       ///< the pass throws an exception
    Stall,       ///< the rank stops doing anything, as a hung device does
    WrongTag,    ///< the pass's message leaves under another tag
    LoseMessage, ///< it does not leave at all
    Die,         ///< the process ends at once, as by kill -9
    OutOfMemory, ///< the device refuses the pass's memory
    SkipWeight   ///< the weight gradients of the pass are not added: only the numbers are wrong
};

/// A fault and where it strikes: before the pass, once.
struct InjectedFault
{
    FaultKind kind = FaultKind::Throw;
    Pass pass;
    std::int32_t iteration = 0;

    friend bool operator==(const InjectedFault&, const InjectedFault&) = default;
};

/// Reads "stall:F3.1" or "throw:BW0@2": kind (throw, stall, wrong-tag, lose-message, die,
/// out-of-memory, skip-weight), a pass in the text notation with its stage after a dot, and the
/// iteration after @ (0 where absent).
/// @error Syntax  names the part
Result<InjectedFault> parseFault(std::string_view text);

} // namespace pw::exec
