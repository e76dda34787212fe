// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/json.h"
#include "core/reading/chrome/event_spans.h"
#include "core/reading/chrome/json_mender.h"
#include "core/reading/chrome/megatron_timers.h"
#include "core/reading/chrome/text_values.h"

#include <rapidjson/rapidjson.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pw {

/// Takes JSON from RapidJSON and finds the events in it: in an array at the root, or in the root's
/// `traceEvents`. The marks of Megatron's pipeline timers, members of the root itself, count too.
class EventReader : public TextValues<EventReader>
{
public:
    EventReader(Trace& trace, TraceNames& names)
        : m_names(names)
        , m_spans(trace, names)
        , m_timers(trace, names)
    {
    }

    /// Whether there is a place for events, were it empty.
    bool anyEvents() const { return m_sawEvents || m_timers.any(); }
    bool anyEvent() const { return m_sawEvent || m_timers.any(); }
    /// Whether a list holds numbers, texts or lists where events belong, and no event.
    bool onlyTable() const { return m_sawTable && !anyEvent(); }
    bool tooDeep() const { return m_tooDeep; }
    /// See `EventSpans`.
    bool disordered() const { return m_spans.disordered(); }
    void holdPairs() { m_spans.holdPairs(); }

    /// Where the text is read and whether a stretch of it is in doubt.
    void watch(std::function<std::size_t()> position,
               std::function<bool(std::int64_t, std::int64_t)> doubtful)
    {
        m_position = std::move(position);
        m_doubtful = std::move(doubtful);
    }

    /// After the end of the text.
    EventFile finish();

    /// What a key means where it stands.
    struct KeyMeaning;
    KeyMeaning meaningOf(std::string_view key) const;
    /// @param meaning  of that key, perhaps where it stood elsewhere
    bool takeKey(const KeyMeaning& meaning, std::string_view key);

    // What RapidJSON calls.
    bool Key(const char* text, rapidjson::SizeType length, bool);
    bool StartObject();
    bool EndObject(rapidjson::SizeType);
    bool StartArray();
    bool EndArray(rapidjson::SizeType entries);

private:
    friend TextValues<EventReader>;

    enum class Where : std::uint8_t
    {
        Root,
        File,
        Distributed,
        Groups, ///< that the rank is of
        Group,
        GroupRanks,
        Events,
        Event,
        Arguments,
        Ranks, ///< of a process group, as a list
        Flow,  ///< the number of an asynchronous event, as an object
        Elsewhere
    };

    Where where() const { return m_where[m_depth]; }
    void argumentKey(const KeyMeaning& meaning, std::string_view key);
    bool enter(Where inside);
    bool leave();
    bool value()
    {
        m_field = EventField::None;
        return true;
    }
    bool word(std::string_view) { return value(); }
    bool scalar(std::string_view text)
    {
        // Most values are of keys that mean nothing here.
        return m_field == EventField::None && where() != Where::File && where() != Where::Ranks &&
                       where() != Where::GroupRanks
                   ? true
                   : takeScalar(text);
    }
    bool takeScalar(std::string_view text);
    void fileScalar(std::string_view text);
    std::int64_t position() const
    {
        return m_position ? static_cast<std::int64_t>(m_position()) : 0;
    }
    bool doubtfulSince(std::int64_t from) const
    {
        return m_doubtful && m_doubtful(from, position());
    }

    const TraceNames& m_names; // for what rules say of arguments
    EventSpans m_spans;
    MegatronTimers m_timers;
    std::array<Where, deepestJson + 2> m_where{};
    std::size_t m_depth = 0;
    EventField m_field = EventField::None;
    std::string m_fileKey;
    ChromeEvent m_event;
    CollectiveArguments m_group; // of the head
    CollectiveField m_groupField = CollectiveField::None;
    bool m_sawEvents = false;
    bool m_sawEvent = false;
    bool m_sawTable = false;
    bool m_tooDeep = false;
    std::int64_t m_begin = 0; // of the event, or of the member of the root
    std::function<std::size_t()> m_position;
    std::function<bool(std::int64_t, std::int64_t)> m_doubtful;
};

struct EventReader::KeyMeaning
{
    Where where = Where::Elsewhere;
    EventField field = EventField::None;
    EventField inWire = EventField::None; ///< the same in a line of the wire
    CollectiveField collective = CollectiveField::None;
};

inline bool EventReader::takeKey(const KeyMeaning& meaning, std::string_view key)
{
    if (meaning.where != where())
        return takeKey(meaningOf(key), key);
    if (meaning.where == Where::Arguments)
        argumentKey(meaning, key);
    else
        m_field = m_event.wirePass || m_event.wireEnds ? meaning.inWire : meaning.field;
    if (meaning.where == Where::Group)
        m_groupField = meaning.collective;
    if (meaning.where == Where::File) {
        m_fileKey.assign(key.substr(0, longestName));
        m_begin = position() - static_cast<std::int64_t>(key.size());
    }
    return true;
}

} // namespace pw
