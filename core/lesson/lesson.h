// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/io/project_file.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pw {

// A lesson is one JSON file; resources/manual/lessons.md is its reference. Times are milliseconds,
// of a full device share of the model where they are single numbers.

/// The longest lesson file that is read.
constexpr std::int64_t maxLessonBytes = std::int64_t{1} << 20;
/// The most passes that a schedule of a lesson may have.
constexpr std::int64_t maxLessonPasses = 100'000;

/// A text in one or several languages.
struct LessonText
{
    std::vector<std::pair<std::string, std::string>> languages; ///< "en", the text; first: default
    /// By language, the text of the file where it has marks of numbers, which are not shown; else
    /// empty.
    std::vector<std::string> marked;

    bool empty() const { return languages.empty(); }
    /// In a language; where it is not there, in the first one.
    const std::string& in(std::string_view language = "en") const;
    /// The same with its marks, as it stands in the file.
    const std::string& writtenIn(std::string_view language = "en") const;

    friend bool operator==(const LessonText&, const LessonText&) = default;
};

/// A picture that is made of a schedule when it is shown.
struct LessonPicture
{
    LessonText caption;
    Project project;
};

/// Predict first: answers that are chosen before the reveal.
struct LessonQuestion
{
    LessonText ask;
    std::vector<LessonText> answers; ///< at least two
    int right = 0;
    LessonText why; ///< the reveal
};

/// What a goal is about.
enum class GoalKind : std::uint8_t
{
    Complete,   ///< every pass stands, and the order runs: no deadlock
    Makespan,   ///< at most so many ticks; of a block, as Peak and bubbles: of the repeated one
    Peak,       ///< at most so much activation on any device
    SpanBubble, ///< rate, at most
    WallBubble,
    Messages,    ///< at most so many
    Gathers,     ///< of a stage's weights by a device, at most; see `gathersOf`
    Versions,    ///< weight versions on any device, at most
    Family,      ///< the order is that of a family
    Order,       ///< the order is the one given
    Interval,    ///< of the building block, at most; it repeats without collision
    BlockPeak,   ///< of the building block repeated for ever, at most
    MicroBatches ///< at most so many
};

struct LessonGoal
{
    GoalKind kind = GoalKind::Complete;
    double limit = 0; ///< ticks, share, rate or count
    std::string family;
    FamilyOptions options; ///< of `family`; devices and micro-batches are the level's
    std::vector<std::string> order;
};

/// What a person may decide in a level; the par is proven over all of it.
enum class Freedom : std::uint8_t
{
    Order,   ///< the order of the passes
    Choice,  ///< one of the families that are listed
    Block,   ///< the offsets and the interval of the building block
    Layers,  ///< how many layers each stage has
    Offload, ///< which activations wait in the host's memory
    Repair   ///< which of the things that make passes longer are mended
};

/// A step of a demonstration, or of a hint; each becomes an edit of core/edit.
struct LessonAct
{
    enum class Kind : std::uint8_t
    {
        Place,    ///< passes behind those of a device, or at a position of it
        Move,     ///< an entry of a device to another position
        Remove,   ///< an entry of a device
        Clear,    ///< all entries of all devices
        Finish,   ///< add every pass that is missing, by a rule
        Reorder,  ///< passes of warm-up and cool-down into idle time
        Family,   ///< the schedule of a family
        Shift,    ///< a pass of the block, earlier or later
        Interval, ///< of the block
        Stamp,    ///< the block for the next micro-batches
        Block,    ///< the block with all its places
        Layer,    ///< a layer from a stage to another one
        Toggle ///< the activation of a pass is offloaded or stays; what makes it longer is mended
    };

    Kind kind = Kind::Place;
    DeviceId device{0};
    int from = -1;      ///< position; of Place −1: the end; stage of Layer
    int to = 0;         ///< position of Move; stage of Layer
    std::string passes; ///< of Place, Toggle: text notation; of Shift: one pass "B0.1"
    std::string rule;   ///< of Finish: backward-first, forward-first, zero-bubble
    double amount = 0;  ///< of Shift and Interval: units; of Finish: the cap in micro-batches
    int count = 0;      ///< of Stamp
    FamilyChoice family;
    std::optional<BuildingBlock> block; ///< of Block
};

/// Help in three stages: say, show, do.
struct LessonHints
{
    LessonText say;
    LessonText show;
    int showDevice = 0;
    std::string showPass; ///< as text notation; glows on its device
    int steps = 0;        ///< of the demonstration that are done for a person; 0: none
};

/// Numbers that nobody can beat in a level; each only where it has a medal.
struct LessonPar
{
    std::optional<Ticks> time; ///< makespan; of a block its interval, or as `repeated` says
    bool repeated = false;     ///< of a block: the time is the makespan of the repeated block
    std::optional<Share> memory;
    /// Instead of `memory`: every least memory with the least time that it needs, by time; without
    /// one micro-batch after the other.
    std::vector<std::pair<Ticks, Share>> curve;
    std::optional<std::int64_t> messages;

    friend bool operator==(const LessonPar&, const LessonPar&) = default;
};

/// A batch of fixed size, which a level of choices is about: more micro-batches are smaller ones.
struct LessonBatch
{
    UniformCosts whole; ///< what passes would take with the whole batch as one micro-batch
    Ticks each = 0;     ///< that F, B and W take in any case, however small the micro-batch
};

/// A model whose layers a level spreads over its stages, each of one segment. A stage takes the
/// times of its layers and `besides`, all as many times as long as its device is slow, and keeps
/// activations in proportion to its layers.
struct LessonLayers
{
    std::vector<int> split;                      ///< layers by stage at first; at least one each
    Ticks forward = 0, backward = 0, weight = 0; ///< of a layer
    std::vector<Ticks> besides; ///< by stage, of its F, B and W each: vocabulary, loss
    std::vector<double> pace;   ///< by stage: 1.5 takes half as long again
    double keptForWeight = 1;   ///< part of an activation that is held between B and W
};

/// Something that makes passes longer than their tables say.
using LessonCause = std::vector<PassTime>;

struct LessonLevel
{
    LessonLevel();
    PW_VALUE(LessonLevel);

    LessonText task;
    Project start;
    Freedom freedom = Freedom::Order;
    std::vector<PassKind> kinds; ///< of Order: what each stage does with a micro-batch
    DeviceOrders fixed;          ///< first entries of each device, which stay; empty: none
    std::vector<FamilyChoice> choices;
    std::optional<LessonBatch> batch;   ///< of Choice: cut into the micro-batches that are chosen
    std::optional<LessonLayers> layers; ///< of Layers
    std::vector<LessonCause> causes;    ///< of Repair, as the start has them; no pass in two
    int repairs = 1;                    ///< of Repair: how many of them may be mended
    std::vector<LessonGoal> goals;
    LessonPar par;
    LessonHints hints;
    std::vector<LessonAct> demonstration;
};

struct LessonStep
{
    LessonText title;
    LessonText text; ///< paragraphs with an empty line between them; **bold**, `code`
    std::vector<LessonPicture> pictures;
    std::vector<LessonQuestion> questions;
    std::optional<LessonLevel> level;
};

/// What texts of a lesson speak of: a number that is given, or a schedule that is computed.
struct LessonFact
{
    std::string name;
    std::optional<double> value; ///< given, not computed
    std::string source;          ///< where a given value is from
    Project project;             ///< of a schedule
};

struct Lesson
{
    Lesson();
    PW_VALUE(Lesson);

    std::string id; ///< stem of the file: "05-1f1b"
    LessonText title;
    LessonText summary;
    std::string source; ///< papers
    std::string next;   ///< id of the lesson that comes next; may be empty
    std::vector<LessonFact> facts;
    std::vector<LessonStep> steps;

    int levels() const;
    /// The step of a level, counted from 0. @pre 0 ≤ level < levels()
    std::size_t stepOfLevel(int level) const;
    const LessonLevel& level(int number) const { return *steps[stepOfLevel(number)].level; }
};

/// Reads the text of a lesson file.
/// @error Syntax    with place or field: not JSON, or a missing, unknown, doubled or impossible
/// field
/// @error Version   of another version than 1
/// @error TooLarge, BadValue  of a schedule in it, with its place
Result<Lesson> readLesson(std::string_view text, std::string id);

/// Reads a file; its stem is the id. @error Io  with the system's reason; else as `readLesson`
Result<Lesson> loadLesson(const std::string& path);

/// A lesson that is part of the program.
struct ShippedLesson
{
    std::string_view id;
    std::string_view text;
};

/// All files of resources/lessons, by name.
std::span<const ShippedLesson> shippedLessons();

/// The shipped lesson of an id. @error BadValue  names the one that was probably meant
Result<Lesson> shippedLesson(std::string_view id);

} // namespace pw
