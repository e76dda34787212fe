// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/par.h"

#include <cstdint>
#include <string>

namespace pw {

/// Practice: a small pipeline with random times, a cap or none, split or not, in English and
/// German. The same seed gives the same lesson everywhere.
Result<std::string> practiceLesson(std::uint64_t seed);

} // namespace pw
