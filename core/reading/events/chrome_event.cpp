// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/chrome_event.h"

#include "core/base/number.h"
#include "core/model/pass.h"
#include "core/reading/events/event_time.h"
#include "core/reading/events/importer.h"
#include "core/reading/events/trace_names.h"

#include <array>
#include <cstring>

namespace pw {

namespace {

/// The same as ==, for a length that the compiler knows.
template<std::size_t size>
bool isKey(std::string_view key, const char (&word)[size])
{
    return key.size() == size - 1 && std::memcmp(key.data(), word, size - 1) == 0;
}

} // namespace

EventField eventField(std::string_view key)
{
    using enum EventField;
    switch (key.size()) {
    case 1:
        return isKey(key, "t") ? WireType : isKey(key, "s") ? Scope : None;
    case 2:
        return isKey(key, "ph") ? Phase : isKey(key, "ts") ? Time : isKey(key, "id") ? Flow : None;
    case 3:
        return isKey(key, "dur")   ? Duration
               : isKey(key, "pid") ? Process
               : isKey(key, "tid") ? Thread
               : isKey(key, "cat") ? Category
               : isKey(key, "id2") ? NestedFlow
                                   : None;
    case 4:
        return isKey(key, "name") ? Name : isKey(key, "args") ? Arguments : None;
    default:
        return None;
    }
}

EventField wireField(std::string_view key)
{
    struct Known
    {
        std::string_view key;
        EventField field;
    };
    using enum EventField;
    constexpr std::array<Known, 11> known = {{{"label", Name},
                                              {"it", Iteration},
                                              {"rank", PipelineRank},
                                              {"kind", Kind},
                                              {"stage", Stage},
                                              {"mb", MicroBatch},
                                              {"seg", Segment},
                                              {"route", Route},
                                              {"start", WireStart},
                                              {"end", WireEnd},
                                              {"status", WireStatus}}};
    for (const Known& one : known)
        if (one.key == key)
            return one.field;
    return None;
}

namespace {

EventField usualArgument(std::string_view key)
{
    using enum EventField;
    switch (key.size()) {
    case 4:
        return isKey(key, "name") ? ArgumentName : isKey(key, "kind") ? Kind : None;
    case 5:
        return isKey(key, "entry")   ? Entry
               : isKey(key, "mb_id") ? MicroBatch
               : isKey(key, "stage") ? Stage
               : isKey(key, "route") ? Route
               : isKey(key, "chunk") ? Chunk
                                     : None;
    case 6:
        return isKey(key, "update") ? MicroBatch : isKey(key, "labels") ? ArgumentName : None;
    case 7:
        return isKey(key, "pp_rank")   ? PipelineRank
               : isKey(key, "dp_rank") ? Replica
               : isKey(key, "segment") ? Segment
                                       : None;
    case 9:
        return isKey(key, "iteration") ? Iteration : None;
    case 10:
        return isKey(key, "microbatch") ? MicroBatch : None;
    case 11:
        return isKey(key, "correlation")   ? Correlation
               : isKey(key, "micro_batch") ? MicroBatch
               : isKey(key, "model_chunk") ? Chunk
                                           : None;
    case 12:
        return isKey(key, "second_route") ? SecondRoute : None;
    case 13:
        return isKey(key, "Fwd thread id") ? ForwardThread : None;
    case 14:
        return isKey(key, "second_segment")   ? SecondSegment
               : isKey(key, "micro_batch_id") ? MicroBatch
                                              : None;
    case 15:
        return isKey(key, "Sequence number") ? Sequence : None;
    default:
        return None;
    }
}

} // namespace

EventField argumentField(std::string_view key)
{
    const EventField usual = usualArgument(key);
    return usual == EventField::None ? dialectArgument(key) : usual;
}

EventField fieldOf(NameRule::Number number)
{
    using Number = NameRule::Number;
    switch (number) {
    case Number::Stage:
        return EventField::Stage;
    case Number::MicroBatch:
        return EventField::MicroBatch;
    case Number::Chunk:
        return EventField::Chunk;
    case Number::Rank:
        return EventField::PipelineRank;
    case Number::Segment:
        return EventField::Segment;
    case Number::Iteration:
        return EventField::Iteration;
    case Number::Replica:
        return EventField::Replica;
    }
    return EventField::None;
}

EventField fileField(std::string_view key)
{
    return key == "traceEvents"           ? EventField::Events
           : key == "distributedInfo"     ? EventField::Distributed
           : key == "baseTimeNanoseconds" ? EventField::Base
                                          : EventField::None;
}

void EventArguments::fillFrom(const EventArguments& other)
{
    const auto fill = [](auto& mine, auto theirs) { mine = mine < 0 ? theirs : mine; };
    fill(iteration, other.iteration);
    fill(microBatch, other.microBatch);
    fill(chunk, other.chunk);
    fill(stage, other.stage);
    fill(segment, other.segment);
    fill(route, other.route);
    fill(pipelineRank, other.pipelineRank);
    fill(replica, other.replica);
    fill(secondSegment, other.secondSegment);
    fill(secondRoute, other.secondRoute);
    fill(kind, other.kind);
    fill(entry, other.entry);
}

void ChromeEvent::clear()
{
    name.clear();
    process.clear();
    thread.clear();
    category.clear();
    argumentName.clear();
    phase = scope = '\0';
    id.clear();
    wirePass = wireEnds = false;
    status.clear();
    time.reset();
    duration.reset();
    end.reset();
    device.reset();
    arguments = {};
    collective.clear();
    numbers.clear();
    correlation = sequence = forwardThread = flow = -1;
}

void ChromeEvent::take(EventField field, std::string_view text)
{
    const std::string_view cut = text.substr(0, longestName);
    switch (field) {
    case EventField::Name:
        name.assign(cut);
        break;
    case EventField::Phase:
        phase = text.size() == 1 ? text[0] : '?';
        break;
    case EventField::Scope:
        scope = text.size() == 1 ? text[0] : '\0';
        break;
    case EventField::Time:
        time = ticksFromDecimal(text, microsecondDigits);
        break;
    case EventField::Duration:
        duration = ticksFromDecimal(text, microsecondDigits);
        break;
    case EventField::Process:
        process.assign(cut);
        break;
    case EventField::Thread:
        thread.assign(cut);
        break;
    case EventField::Category:
        category.assign(cut);
        break;
    case EventField::WireType:
        wirePass = text == "pass";
        wireEnds = text == "finished";
        break;
    case EventField::WireStart:
        time = ticksFromDecimal(text, 0);
        break;
    case EventField::WireEnd:
        end = ticksFromDecimal(text, 0);
        break;
    case EventField::WireStatus:
        status.assign(cut);
        break;
    case EventField::Flow:
        flow = largeNumber(text);
        id.assign(cut);
        break;
    default:
        takeArgument(field, text);
    }
}

void ChromeEvent::takeArgument(EventField field, std::string_view text)
{
    switch (field) {
    case EventField::ArgumentName:
        argumentName.assign(text.substr(0, longestName));
        break;
    case EventField::Kind:
        for (const PassKind kind : allPassKinds)
            if (text == pw::name(kind))
                arguments.kind = static_cast<std::int32_t>(kind);
        break;
    case EventField::Iteration:
        arguments.iteration = smallNumber(text);
        break;
    case EventField::MicroBatch:
        arguments.microBatch = smallNumber(text);
        break;
    case EventField::Chunk:
        arguments.chunk = smallNumber(text);
        break;
    case EventField::Stage:
        arguments.stage = StageId(smallNumber(text));
        break;
    case EventField::Segment:
        arguments.segment = smallNumber(text);
        break;
    case EventField::Route:
        arguments.route = smallNumber(text);
        break;
    case EventField::PipelineRank:
        arguments.pipelineRank = smallNumber(text);
        break;
    case EventField::Replica:
        arguments.replica = smallNumber(text);
        break;
    case EventField::SecondSegment:
        arguments.secondSegment = smallNumber(text);
        break;
    case EventField::Entry:
        arguments.entry = EntryId(smallNumber(text));
        break;
    case EventField::Correlation:
        correlation = largeNumber(text);
        break;
    case EventField::Sequence:
        sequence = largeNumber(text);
        break;
    case EventField::ForwardThread:
        forwardThread = largeNumber(text);
        break;
    case EventField::Collective:
        collective.take(collectiveField, text);
        break;
    case EventField::SecondRoute:
        arguments.secondRoute = smallNumber(text);
        break;
    case EventField::Number: {
        constexpr std::size_t mostNumbers = 12;
        const std::optional<double> value =
            numbers.size() < mostNumbers ? decimalNumber(text) : std::nullopt;
        if (value)
            numbers.push_back({numberName, *value});
        break;
    }
    default:
        break;
    }
}

} // namespace pw
