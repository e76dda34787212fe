// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/advice.h"

#include <cstddef>
#include <optional>
#include <string>

namespace pw {

/// A promise held against the step that came of it.
struct AfterCheck
{
    std::optional<std::size_t> change; ///< `Advice::at`; none: the order is none of these
    Ticks before = 0;                  ///< steps
    Ticks after = 0;
    double promised = 0; ///< ticks; 0 where no change is known
    double low = 0;      ///< the shortest step that the promise allows
    double high = 0;     ///< the longest
    double gain = 0;     ///< measured, part of the step before
    bool held = false;   ///< comparable, and the step is within the promise, or shorter still
    bool comparable = false;
    Sentence why;                       ///< why it is, or is not; without full stop
    AdviceHint hint = AdviceHint::None; ///< what a caller could tell
    // Where the difference to the promise lies, ticks of the step; below 0: shorter than promised.
    double passes = 0;
    double messages = 0; ///< and what lies between passes
    double rest = 0;     ///< waits that nothing explains, and work around the passes
    Sentence where;      ///< the same in words, with the pass that differs most
};

/// Holds advice on a step against another step.
///
/// The change is the one, of those that are not told as well, whose order the second step has and
/// whose passes are nearest to the measured ones, but for a factor that all have in common. Steps
/// are comparable on as many ranks and with passes that take together what was promised, up to 8 %.
/// Of steps that are not, nothing is said of the promise.
///
/// @param chosen  of the advice; none: the nearest
Result<AfterCheck> checkAfter(const AdviceSource& before, const Advice& advice,
                              const AdviceSource& after, std::optional<std::size_t> chosen = {});

} // namespace pw
