// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/families/family.h"
#include "core/io/project_file.h"

#include <QString>

#include <vector>

namespace pw::ui {

// What the fields of a shape and its costs say, and what is typed into them.

/// "chunks" → "Chunks"; "memory-limit" → "Memory limit".
QString parameterTitle(const Parameter& parameter);
/// What a parameter is and its range.
QString parameterTip(const Parameter& parameter);

/// What stands in the field of a parameter that is not given: "p".
QString fallbackTitle(const Parameter& parameter);

/// "2, 1, 1"
QString listText(const std::vector<int>& numbers);
/// Lengths of segments; nothing typed: none.
/// @error BadValue  says what they should look like
Result<std::vector<int>> lengthsOf(const QString& typed);

/// "v"; of two routes "linear; reversed".
QString placementsText(const PipelineSpec& spec);
/// Which stages every device holds, as far as it can be read.
QString placementTip(const PipelineSpec& spec, bool ofFamily);
/// @error Syntax, BadValue  of `parsePlacement`, or more than two routes
Result<std::vector<Placement>> placementsOf(const QString& typed, int devices);

/// Caps as costs have them: bytes by device, empty: none; most activation of every device, 0: none.
struct Caps
{
    std::vector<Bytes> bytes;
    Share share = 0;

    friend bool operator==(const Caps&, const Caps&) = default;
};

/// Whether caps are shown in GiB; else in micro-batches, since nothing has bytes, or since they are
/// given so.
bool capsInBytes(const Costs& costs);
/// GiB of every device, one number where all are the same, or micro-batches; empty: none.
QString capText(const Costs& costs);
/// What is typed, in the unit that the costs' caps are shown in where it names none.
/// @error BadValue  another number of caps than devices, no number, or bytes where nothing has any
Result<Caps> capsOf(const QString& typed, int devices, const Costs& costs);
/// Why a cap of the costs caps nothing, a sentence; empty where it does, or where there is none.
QString idleCapText(const Costs& costs);

/// "0.93 – 1.2", or one number where all are the same.
QString rangeText(const std::vector<std::int64_t>& values, double unit);

/// Where the costs come from, in a sentence without full stop.
QString costsFromText(const Project& project);

/// What messages between devices take: "0.1 ms, 25 GB/s", "12 links"; empty: no time.
QString linkText(const Costs& costs);
/// That the network is slower at times: "up to 5 times slower, 3 phases"; empty: never.
QString networkText(const Costs& costs);

/// The message of a failure as a sentence.
QString sentence(const Error& error);

} // namespace pw::ui
