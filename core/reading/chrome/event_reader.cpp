// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/event_reader.h"

#include "core/reading/events/event_time.h"

namespace pw {

bool EventReader::enter(Where inside)
{
    if (m_depth >= deepestJson) {
        m_tooDeep = true;
        return false;
    }
    m_where[++m_depth] = inside;
    m_field = EventField::None;
    return true;
}

bool EventReader::leave()
{
    --m_depth;
    m_field = EventField::None;
    return true;
}

void EventReader::argumentKey(const KeyMeaning& meaning, std::string_view key)
{
    m_field = meaning.field;
    if (m_field != EventField::None)
        return;
    m_event.collectiveField = m_event.phase == 'C' ? CollectiveField::None : meaning.collective;
    if (m_event.collectiveField != CollectiveField::None) {
        m_field = EventField::Collective;
    } else if (m_event.countsNumbers()) {
        constexpr std::size_t longestNumberName = 100;
        m_field = EventField::Number;
        m_event.numberName.assign(key.substr(0, longestNumberName));
    }
}

EventReader::KeyMeaning EventReader::meaningOf(std::string_view key) const
{
    KeyMeaning meaning;
    meaning.where = where();
    switch (meaning.where) {
    case Where::Event:
        meaning.field = eventField(key);
        meaning.inWire = wireField(key);
        return meaning;
    case Where::Arguments:
        meaning.field = argumentField(key);
        if (meaning.field == EventField::None)
            if (const std::optional<NameRule::Number> ruled = m_names.argument(key))
                meaning.field = fieldOf(*ruled);
        meaning.collective = collectiveField(key);
        return meaning;
    case Where::Flow:
        meaning.field = key == "local" || key == "global" ? EventField::Flow : EventField::None;
        break;
    case Where::File:
        meaning.field = fileField(key);
        break;
    case Where::Distributed:
        meaning.field = key == "rank"        ? EventField::Rank
                        : key == "pg_config" ? EventField::Groups
                                             : EventField::None;
        break;
    case Where::Group:
        meaning.collective = headGroupField(key);
        if (meaning.collective != CollectiveField::None)
            meaning.field = EventField::Collective;
        break;
    case Where::Root:
    case Where::Groups:
    case Where::GroupRanks:
    case Where::Events:
    case Where::Ranks:
    case Where::Elsewhere:
        break;
    }
    meaning.inWire = meaning.field;
    return meaning;
}

bool EventReader::Key(const char* text, rapidjson::SizeType length, bool)
{
    const std::string_view key(text, length);
    return takeKey(meaningOf(key), key);
}

bool EventReader::StartObject()
{
    switch (where()) {
    case Where::Root:
        return enter(Where::File);
    case Where::File:
        return enter(m_field == EventField::Distributed ? Where::Distributed : Where::Elsewhere);
    case Where::Events:
        m_event.clear();
        m_sawEvent = true;
        m_begin = position();
        return enter(Where::Event);
    case Where::Event:
        return enter(m_field == EventField::Arguments    ? Where::Arguments
                     : m_field == EventField::NestedFlow ? Where::Flow
                                                         : Where::Elsewhere);
    case Where::Groups:
        m_group.clear();
        m_begin = position();
        return enter(Where::Group);
    case Where::Distributed:
    case Where::Group:
    case Where::GroupRanks:
    case Where::Arguments:
    case Where::Ranks:
    case Where::Flow:
    case Where::Elsewhere:
        break;
    }
    return enter(Where::Elsewhere);
}

bool EventReader::EndObject(rapidjson::SizeType)
{
    if (where() == Where::Event) {
        if (doubtfulSince(m_begin))
            m_spans.leaveOut();
        else
            m_spans.take(m_event);
    } else if (where() == Where::Group && !doubtfulSince(m_begin)) {
        m_spans.takeGroup(m_group);
    }
    return leave();
}

bool EventReader::StartArray()
{
    const bool events =
        where() == Where::Root || (where() == Where::File && m_field == EventField::Events);
    m_sawEvents = m_sawEvents || events;
    const bool ranks = where() == Where::Arguments && m_field == EventField::Collective &&
                       m_event.collectiveField == CollectiveField::Ranks;
    if (where() == Where::Distributed && m_field == EventField::Groups)
        return enter(Where::Groups);
    if (where() == Where::Group && m_field == EventField::Collective &&
        m_groupField == CollectiveField::Ranks)
        return enter(Where::GroupRanks);
    return enter(events ? Where::Events : ranks ? Where::Ranks : Where::Elsewhere);
}

bool EventReader::EndArray(rapidjson::SizeType entries)
{
    // Numbers or lists where events belong are somebody's table.
    if (where() == Where::Events && entries > 0 && !m_sawEvent)
        m_sawTable = true;
    return leave();
}

bool EventReader::takeScalar(std::string_view text)
{
    if (where() == Where::File)
        fileScalar(text);
    else if (where() == Where::Event || where() == Where::Flow)
        m_event.take(m_field, text);
    else if (where() == Where::Arguments)
        m_event.takeArgument(m_field, text);
    else if (where() == Where::Ranks)
        m_event.collective.takeRank(text);
    else if (where() == Where::Group)
        m_group.take(m_groupField, text);
    else if (where() == Where::GroupRanks)
        m_group.takeRank(text);
    else if (m_field == EventField::Rank)
        m_spans.setRank(smallNumber(text));
    return value();
}

void EventReader::fileScalar(std::string_view text)
{
    if (m_field == EventField::Base) {
        // A program that passes a trace on may write it as 1.7e18.
        const std::optional<Ticks> base = ticksFromDecimal(text, 0);
        if (base && *base > -latestTime / 2 && *base < latestTime / 2)
            m_spans.setBase(*base);
    } else if (m_field == EventField::None) {
        if (!doubtfulSince(m_begin))
            m_timers.take(m_fileKey, text);
    }
}

EventFile EventReader::finish()
{
    return m_timers.any() && !m_sawEvents ? m_timers.finish() : m_spans.finish();
}

} // namespace pw
