// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"
#include "core/io/project_file.h"
#include "core/noise/noise.h"
#include "core/sim/simulator.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw::ui {

/// What schedules are ranked for: a shape, costs, a memory cap.
struct RankQuestion
{
    Project project;                  ///< its schedule's shape and costs count …
    std::optional<CostOrigin> origin; ///< … or the costs of a model on a machine
    int devices = 4;
    int microBatches = 8;
    Bytes capBytes = 0;                ///< of a device; 0: none
    Share capShare = 0;                ///< activation of a device; 0: none
    bool searches = true;              ///< families that search, too
    double linkFactor = 1;             ///< messages take so many times as long
    std::optional<NoiseModel> noise{}; ///< times vary in many runs; none: they do not
};

/// A family with some values of its parameters, as one way to run the question's model.
struct RankCandidate
{
    const Family* family = nullptr;
    FamilyOptions options;
    std::string name; ///< "kfkb, group 4"
};

/// What a candidate takes and needs, or why it cannot be.
struct Ranked
{
    RankCandidate candidate;
    Sentence refusal; ///< why it cannot be made; empty: it can
    Sentence overCap; ///< the pass that the memory cap does not let run; empty: it fits
    Ticks makespan = 0;
    Ticks low = 0;         ///< with noise, what 5 % of many runs stay below
    Ticks high = 0;        ///< and 95 %; 0: without noise
    double wallBubble = 0; ///< idle part of the worst device, 0 … 1
    double peakMicroBatches = 0;
    Bytes peakBytes = 0; ///< with weights, gradients and states; 0: nothing has a size
    bool asynchronous = false;
    Costs costs;
    /// With its times, to be looked at; null where it has very many passes.
    std::shared_ptr<const Schedule> schedule;
    SimResult result;

    bool made() const { return refusal.empty(); }
    bool fits() const { return made() && overCap.empty(); }
};

/// Which schedules of a ranking are kept to be looked at.
enum class RankKeep
{
    Small, ///< those of not very many passes: a ranking has some sixty schedules
    Every
};

/// What 5 % and 95 % of many noisy runs of a schedule stay below; none where noise cannot be drawn
/// for it.
struct Spread
{
    Ticks low = 0;
    Ticks high = 0;
};
std::optional<Spread> spreadOf(const Schedule& schedule, const Costs& costs,
                               const NoiseModel& noise);

/// Every family with the usual values of its parameters, one changed at a time; those that search
/// last.
std::vector<RankCandidate> rankCandidates(const RankQuestion& question);

/// The costs of the question for another shape of the same model: its work stays the same in all,
/// whatever the number of devices, chunks and segments.
/// @error  as of the model, or of `carryCosts`
Result<Costs> rankCosts(const RankQuestion& question, const PipelineSpec& spec);

/// Makes and simulates a candidate. Ends early, with any answer, where `stopAsked` says so.
Ranked rankOf(const RankQuestion& question, const RankCandidate& candidate,
              RankKeep keep = RankKeep::Small);

/// A candidate as a project of its own, with the question's costs and cap.
Result<Project> rankedProject(const RankQuestion& question, const RankCandidate& candidate);

/// A change of the question, and what it would bring.
struct RankHelp
{
    QString what;   ///< "10 % more memory"
    QString brings; ///< "0.4 ms less with zb-h2", or "nothing"
    bool good = false;
};

/// What more memory, faster links and more micro-batches would bring over the best row, with the
/// families that do not search and that of the best row. Ends early where `stopAsked` says so.
std::vector<RankHelp> whatHelps(const RankQuestion& question, const Ranked& best);

/// What a sweep changes.
enum class SweepOf : std::uint8_t
{
    Nothing,
    Devices,
    MicroBatches,
    Group, ///< k
    Chunks
};

/// A family over the values of a sweep; values that it cannot have are left out.
struct SweepCurve
{
    std::string name;
    std::vector<double> values;
    std::vector<Ranked> points; ///< one a value, without schedules
};

/// At most so many whole numbers from one to another, both ends among them.
std::vector<int> sweepValues(int from, int to, std::size_t most = 12);

/// The families that a sweep is about, with their usual parameters; none that searches.
std::vector<RankCandidate> sweepCandidates(const RankQuestion& question, SweepOf what);

/// One family over the values.
SweepCurve sweepOf(RankQuestion question, RankCandidate candidate, SweepOf what,
                   const std::vector<int>& values);

} // namespace pw::ui
