// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/ids.h"
#include "core/reading/events/collective_arguments.h"
#include "core/trace/name_rule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What a key means in an event, in its arguments, or in the file around the events.
enum class EventField : std::uint8_t
{
    None,
    Name,
    Phase,
    Time,
    Duration,
    Process,
    Thread,
    Category,
    Arguments,
    // of arguments, some also of a line of the wire
    Iteration,
    MicroBatch,
    Chunk,
    Stage,
    Segment,
    Route,
    Kind,
    PipelineRank,
    Replica,
    SecondSegment,
    SecondRoute,
    ArgumentName,
    Entry,
    Correlation,
    Sequence,
    ForwardThread,
    Collective, ///< see `ChromeEvent::collectiveField`
    // of a counter, or of an event of memory
    Number,
    Scope, ///< of an instant
    // of an arrow, or of an asynchronous event
    Flow,
    NestedFlow,
    // of a line of the wire
    WireType,
    WireStart,
    WireEnd,
    WireStatus,
    // of the file
    Events,
    Distributed,
    Base,
    Rank,
    Groups ///< that the rank is of
};

EventField eventField(std::string_view key);
/// The same in a line of the wire that is a pass.
EventField wireField(std::string_view key);
EventField argumentField(std::string_view key);
/// The field that a rule's number is.
EventField fieldOf(NameRule::Number number);
EventField fileField(std::string_view key);

/// Arguments that say where a pass belongs. −1: not given.
struct EventArguments
{
    std::int32_t iteration = -1;
    std::int32_t microBatch = -1;
    std::int32_t chunk = -1;
    StageId stage;
    std::int32_t segment = -1;
    std::int32_t route = -1;
    std::int32_t pipelineRank = -1; ///< its number
    std::int32_t replica = -1;      ///< of the pipeline: a data-parallel rank
    std::int32_t secondSegment = -1;
    std::int32_t secondRoute = -1;
    std::int32_t kind = -1;
    EntryId entry; ///< of the order; both halves of an overlapped pair have the same

    /// Takes what another end of the event says and this one does not.
    void fillFrom(const EventArguments& other);

    friend bool operator==(const EventArguments&, const EventArguments&) = default;
};

/// A number among the arguments of a counter.
struct NamedNumber
{
    std::string name;
    double value = 0;
};

/// One event while it is read; kept, so that its texts keep their memory.
struct ChromeEvent
{
    std::string name;
    std::string process;
    std::string thread;
    std::string category;
    std::string argumentName;
    char phase = '\0';
    char scope =
        '\0'; ///< of an instant: 'g' of the whole trace, 'p' of a process, else of a thread
    bool wirePass = false; ///< a line "pass" of the wire, with its times below
    bool wireEnds = false; ///< a line "finished" of it
    std::string status;    ///< of that line: "finished", "stopped", "failed"
    std::optional<Ticks> time;
    std::optional<Ticks> duration;
    std::optional<Ticks> end;
    EventArguments arguments;
    CollectiveField collectiveField = CollectiveField::None; ///< of the argument that comes next
    CollectiveArguments collective;
    std::optional<std::int32_t> device; ///< number of the device that it ran on, −1: not told;
                                        ///< none: the process is the device
    // Of Kineto's events. −1: not given.
    std::int64_t correlation = -1;    ///< of a launch, and of what it launched
    std::int64_t sequence = -1;       ///< of an operator and of its backward
    std::int64_t forwardThread = -1;  ///< of a backward: above 0
    std::int64_t flow = -1;           ///< of both ends of an arrow
    std::string id;                   ///< of both ends of what is asynchronous
    std::string numberName;           ///< of the argument that comes next
    std::vector<NamedNumber> numbers; ///< the first few, of events that may be counters

    /// Whether numbers among the arguments count: a counter, a mark, or not yet known what.
    bool countsNumbers() const { return phase == 'C' || phase == 'i' || phase == '\0'; }

    void clear();
    void take(EventField field, std::string_view text);
    void takeArgument(EventField field, std::string_view text);
};

} // namespace pw
