// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"
#include "core/sim/draft_times.h"
#include "core/sim/ring.h"

#include <array>
#include <string>
#include <vector>

namespace pw {

/// Where a goal stands.
struct GoalStanding
{
    bool met = false;
    bool soFar = false;  ///< of an order that is not whole yet
    double now = 0;      ///< in the unit of the goal's limit, else 1 and 0; −1: there is none yet
    std::string text;    ///< "makespan at most 33 ms"
    std::string nowText; ///< "21 ms so far", "45 of 64"
};

/// A medal is won, or not yet, and by what.
struct MedalStanding
{
    bool offered = false;
    bool won = false;
    std::string par; ///< "33 ms"
    std::string now; ///< "21 ms", "–"
};

/// Why a level cannot count as it stands.
enum class LevelTrouble : std::uint8_t
{
    None,
    Unchosen,  ///< no schedule of the level is chosen
    NotListed, ///< the schedule is none of the level
    Times,     ///< passes take something else
    Order,     ///< the order of the passes, which is given
    Shape,     ///< other devices, stages or segments
    Count,     ///< other micro-batches
    Fixed,     ///< first passes of `Standing::device`
    Kind,      ///< `Standing::pass` is of a kind that the level does not have
    BlockGone,
    BlockPasses, ///< other passes in the block
    Collision,   ///< passes of the block meet
    Ring,        ///< devices wait for each other
    Other
};

/// Where a person stands in a level.
struct Standing
{
    std::int64_t passes = 0; ///< that are there
    std::int64_t wanted = 0; ///< of the whole
    bool complete = false;   ///< every pass is there, and the order runs
    Sentence trouble;        ///< a ring, a wrong pass, a locked thing that changed; a sentence
    LevelTrouble why = LevelTrouble::None; ///< what `trouble` is about
    DeviceId device{0};                    ///< of Fixed
    Pass pass;                             ///< of Kind
    std::vector<RingLink> ring;            ///< of Ring
    int mended = 0; ///< of repairs: causes that are mended, of `LessonLevel::repairs` that may be
    Ticks makespan = 0; ///< of a block its interval
    Ticks repeated = 0; ///< of a block: the makespan of the repeated one, where the level asks
    Share peak = 0;
    std::int64_t messages = 0;
    std::vector<GoalStanding> goals;
    MedalStanding time, memory, letters;

    /// All goals are met, and nothing that is locked has changed.
    bool solved() const;
    int medals() const { return time.won + memory.won + letters.won; }
};

/// What a par of memory may be off by: it is typed with a few decimals.
constexpr Share parSlack = shareOne / 2000;

/// Which of the level's choices a project is, from 0; −1: none.
int chosenOf(const LessonLevel& level, const Project& project);

/// Whether a shape has the devices, stages and segments that the level keeps; where schedules are
/// chosen, it keeps none.
bool hasShapeOf(const LessonLevel& level, const PipelineSpec& spec);

/// Whether a project can be worked on in a level.
///
/// @error BadValue  it has another shape than the level, or its family cannot be made
Result<void> checkShape(const LessonLevel& level, const Project& project);

/// Judges a project against a level.
Standing standingOf(const LessonLevel& level, const Project& project);

/// What passes of a level take, for whoever has to know it.
struct LevelTimes
{
    bool plain = true;  ///< F, B and W of 1 ms, and messages of none: the usual of lessons
    bool fused = false; ///< BW is one pass
    /// F, B and W of each stage and its first segment; of equal stages one.
    std::vector<std::array<Ticks, 3>> stages;
    Ticks hop = 0;
};

/// The times of a level that gives them; of layers, repairs and batches, which change them, plain
/// ones.
LevelTimes timesOf(const LessonLevel& level);

/// Results that go from one device to another in a whole schedule.
std::int64_t messagesOf(const Schedule& schedule);

/// How often devices gather the weights of a stage where these are spread over several (FSDP,
/// ZeRO-3) and a device keeps those of one stage at a time: with its first pass, and wherever a
/// pass is of another stage than the one before. W needs no weights.
std::int64_t gathersOf(const Schedule& schedule);

/// Whether a goal of a level counts them.
bool asksForGathers(const LessonLevel& level);

/// Where that happens: for each device the places in its order, first to last; an overlapped pair
/// of two stages stands there twice. Orders may be unfinished.
std::vector<std::vector<int>> gatheringPlaces(const DeviceOrders& orders);

/// Those of one micro-batch of a block.
std::int64_t blockMessages(const BuildingBlock& block);

/// A goal in words: "peak activation at most 4 micro-batches".
std::string goalText(const LessonGoal& goal);

/// What a whole schedule of a level comes to; for goals and pars.
struct LessonFigures
{
    Ticks makespan = 0;
    Share peak = 0;
    std::int64_t messages = 0;
    std::int64_t gathers = 0;
    double spanBubble = 0;
    double wallBubble = 0;
    int versions = 1;
    int microBatches = 0;
};
LessonFigures lessonFigures(const Schedule& schedule, const SimResult& result);

/// Whether figures meet a goal on numbers; true for goals of other kinds.
bool meets(const LessonGoal& goal, const LessonFigures& figures);

/// Whether a schedule is the one that a goal of Family or Order names; true for other goals.
Result<bool> isAsAsked(const LessonGoal& goal, const Schedule& schedule, const Costs& costs);

} // namespace pw
