// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pass.h"
#include "core/trace/records.h"
#include "core/trace/trace.h"

// The numbers under which a store keeps what it counts. Stores that exist have them, and so have
// the views of `schema.cpp` ('FIWBRU' and the names of slices): a new kind takes the next number,
// and none is ever moved. Who reads a store refuses every other number.
namespace pw {

template<typename Kind>
constexpr bool isStoredAs(Kind kind, int number)
{
    return static_cast<int>(kind) == number;
}

static_assert(isStoredAs(PassKind::F, 0) && isStoredAs(PassKind::B, 1) &&
              isStoredAs(PassKind::W, 2) && isStoredAs(PassKind::BW, 3) &&
              isStoredAs(PassKind::R, 4) && isStoredAs(PassKind::U, 5) && passKindCount == 6);

static_assert(isStoredAs(Trust::Device, 0) && isStoredAs(Trust::Host, 1) &&
              isStoredAs(Trust::Contained, 2) && isStoredAs(Trust::Counted, 3) &&
              isStoredAs(Trust::Guessed, 4) && trustCount == 5);

static_assert(isStoredAs(ActivityKind::Other, 0) && isStoredAs(ActivityKind::Compute, 1) &&
              isStoredAs(ActivityKind::Communication, 2) && isStoredAs(ActivityKind::Memory, 3) &&
              isStoredAs(ActivityKind::Operator, 4) && isStoredAs(ActivityKind::Launch, 5) &&
              isStoredAs(ActivityKind::Wait, 6) && isStoredAs(ActivityKind::Annotation, 7) &&
              isStoredAs(ActivityKind::Script, 8) && activityKindCount == 9);

static_assert(isStoredAs(LogLevel::Info, 0) && isStoredAs(LogLevel::Warning, 1));

} // namespace pw
