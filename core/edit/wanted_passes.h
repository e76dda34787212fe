// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/draft.h"
#include "core/model/schedule.h"

namespace pw {

/// An order in which every pass of a draft's spec stands, those that the draft has with their
/// kinds. It says what there is to do; who waits for whom is asked of `Dependencies`.
///
/// @param split    passes that are not there get B and W instead of BW
/// @error those of `Schedule::make`
Result<Schedule> wantedPasses(const Draft& draft, bool split);

} // namespace pw
