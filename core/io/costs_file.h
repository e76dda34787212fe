// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/cost/edge_costs.h"
#include "core/cost/measured_round.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// A costs file holds what passes and messages were measured to take on one machine. JSON in UTF-8,
// version 1, described in the manual (files); `pipewright costs calibrate` writes it, `--costs`
// reads it.

/// The longest costs file that is read.
constexpr std::int64_t maxCostsFileBytes = 32LL << 20;

/// How long something took, over repeats.
struct Spread
{
    std::int64_t count = 0;
    Ticks low = 0; ///< lower quartile
    Ticks median = 0;
    Ticks high = 0; ///< upper quartile
    /// Mean without the shortest and the longest tenth; what predictions are made of, since a
    /// makespan adds passes up.
    Ticks mean = 0;

    friend bool operator==(const Spread&, const Spread&) = default;
};

/// The spread of times; all 0 where there are none.
Spread spreadOf(std::vector<Ticks> times);

/// Passes of one kind on one segment of one stage.
struct MeasuredPass
{
    PassKind kind = PassKind::F;
    /// An F and a BW run as one overlapped pair; `kind` is F, stage and segment are those of the F.
    bool paired = false;
    StageId stage{0};
    int segment = 0;
    Spread time;

    friend bool operator==(const MeasuredPass&, const MeasuredPass&) = default;
};

/// Messages of one size, from the end of a pass to the start of one that was waiting for it.
struct MeasuredMessage
{
    Bytes bytes = 0;
    Spread time;

    friend bool operator==(const MeasuredMessage&, const MeasuredMessage&) = default;
};

/// Costs as they were measured.
struct CostsFile
{
    std::string title; ///< what was measured, in words
    std::string backend;
    std::string host;
    std::string hardware; ///< devices and libraries, in words
    std::string model;    ///< the trained model and its split, in words
    int devices = 1;
    int stages = 1;
    std::vector<int> segmentLengths = {1};

    std::vector<MeasuredPass> passes; ///< sorted by kind, pair, stage, segment
    Spread launchGap;                 ///< between two passes of a device that nothing separates
    Link link;                        ///< fitted to `messages`
    std::vector<MeasuredMessage> messages; ///< sorted by size
    /// The single times behind the spreads, round by round as they were measured; empty: not kept.
    std::vector<MeasuredRound> rounds;

    /// What an order has between its passes and at its ends, by device; empty: not known, or no
    /// better than without.
    PassEdges edges;

    // Bytes, in the tables of `Costs`; empty: not known. Of an activation only the bytes count.
    std::vector<ActivationCost> activation; ///< by cell
    std::vector<Bytes> forwardMessage;      ///< by cell
    std::vector<Bytes> backwardMessage;     ///< by cell
    std::vector<Bytes> weights;             ///< by stage, as are the next two
    std::vector<Bytes> gradients;
    std::vector<Bytes> optimizer;

    friend bool operator==(const CostsFile&, const CostsFile&) = default;
};

/// Measured costs for a spec: the launch gap is part of every pass.
///
/// B and W count half of BW each where only BW was measured; `assumedOf` says so.
///
/// @error BadValue  another number of stages or segments, or segments of other lengths; no F of a
///                  stage
Result<Costs> costsOf(const CostsFile& file, const PipelineSpec& spec);

/// The same for a schedule of the file's shape, with what it has between its passes and at its
/// ends: what the fit of the file replays.
///
/// @error BadValue  likewise
Result<Costs> costsOf(const CostsFile& file, const Schedule& schedule);

/// The part of a BW that counts as W where only whole backwards were measured.
constexpr double assumedWeightPart = 0.5;

/// What is assumed of passes of a schedule that were not measured as they are: B and W of a BW, or
/// the other way round. Empty where nothing is.
std::string assumedOf(const CostsFile& file, const Schedule& schedule);

/// Checks that every kind of pass of a schedule was measured, or follows from others as of
/// `assumedOf`.
/// @error BadValue  names the kind and the stage
Result<void> check(const CostsFile& file, const Schedule& schedule);

/// The text of a costs file; reading it gives an equal value.
std::string writeCosts(const CostsFile& file);

/// Reads the text of a costs file.
///
/// @error Syntax    with place or field: not JSON, or a missing, unknown, doubled or impossible
/// field
/// @error Version   of another version than 1
Result<CostsFile> readCosts(std::string_view text);

/// Reads and writes a file; writing replaces it as a whole or not at all.
/// @error Io  with the system's reason
Result<CostsFile> loadCosts(const std::string& path);
Result<void> saveCosts(const CostsFile& file, const std::string& path);

} // namespace pw
