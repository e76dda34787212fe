// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/measured_round.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"

#include <vector>

namespace pw {

/// The single times of a costs file, as its field "rounds".
void writeRounds(JsonText& json, const std::vector<MeasuredRound>& rounds);

/// Reads them from the fields of a costs file; empty where there are none.
///
/// @param stages, segments  of the file; stages and segments of the times are below
std::vector<MeasuredRound> readRounds(JsonFields& file, int stages, int segments,
                                      JsonFields::Failure& failure);

} // namespace pw
