// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/found_slices.h"

#include "ui/text.h"

#include <QObject>

#include <algorithm>
#include <tuple>

namespace pw::ui {

void FoundSlices::setActivity(ShownActivityPtr activity)
{
    m_activity = std::move(activity);
    // Names of another trace have other numbers.
    m_only = -1;
    find();
}

QString FoundSlices::search(const QString& words)
{
    constexpr QChar slash = QLatin1Char('/');
    QString why;
    m_pattern.reset();
    m_part = words;
    m_only = -1;
    if (words.size() >= 2 && words.startsWith(slash) && words.endsWith(slash)) {
        const QRegularExpression pattern(words.mid(1, words.size() - 2));
        m_part.clear();
        if (pattern.isValid())
            m_pattern = pattern;
        else
            why = QObject::tr("The pattern cannot be read: %1.").arg(pattern.errorString());
    }
    find();
    return why;
}

void FoundSlices::searchName(std::int32_t name)
{
    m_part.clear();
    m_pattern.reset();
    m_only = name;
    find();
}

bool FoundSlices::matches(std::int32_t name) const
{
    return name >= 0 && static_cast<std::size_t>(name) < m_names.size() &&
           m_names[static_cast<std::size_t>(name)];
}

std::int64_t FoundSlices::names() const
{
    return std::count(m_names.begin(), m_names.end(), true);
}

void FoundSlices::find()
{
    m_names.clear();
    m_places.clear();
    if (m_activity == nullptr || !isSearching())
        return;
    const Trace& trace = m_activity->trace;
    m_names.assign(trace.names.size(), false);
    for (std::size_t i = 0; i < m_names.size(); ++i) {
        if (m_only >= 0) {
            m_names[i] = static_cast<std::int32_t>(i) == m_only;
            continue;
        }
        const Result<std::string> read = m_activity->source.name(static_cast<std::int32_t>(i));
        const QString name = read ? text(*read) : QString();
        m_names[i] = m_pattern ? m_pattern->match(name).hasMatch()
                               : name.contains(m_part, Qt::CaseInsensitive);
    }
    const std::vector<std::int32_t>& spans = m_activity->source.order().spans;
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (matches(trace.spans[static_cast<std::size_t>(spans[i])].name))
            m_places.push_back(static_cast<std::uint32_t>(i));
}

std::size_t FoundSlices::orderOf(const ChosenSlice& slice) const
{
    const ActivityLanes& order = m_activity->source.order();
    const auto lane = static_cast<std::size_t>(slice.lane);
    const auto begin = order.spans.begin() + static_cast<std::ptrdiff_t>(order.firstSpan[lane]),
               end = order.spans.begin() + static_cast<std::ptrdiff_t>(order.firstSpan[lane + 1]);
    const auto at = std::partition_point(begin, end, [&](std::int32_t span) {
        const TraceSpan& one = m_activity->trace.spans[static_cast<std::size_t>(span)];
        return std::tuple(one.start, one.depth) < std::tuple(slice.slice.start, slice.slice.depth);
    });
    return static_cast<std::size_t>(at - order.spans.begin());
}

std::int64_t FoundSlices::placeOf(const ChosenSlice& slice) const
{
    if (m_activity == nullptr || slice.lane < 0 || !matches(slice.slice.name))
        return -1;
    const std::size_t order = orderOf(slice);
    const auto at = std::lower_bound(m_places.begin(), m_places.end(), order);
    return at != m_places.end() && *at == order ? at - m_places.begin() : -1;
}

std::int64_t FoundSlices::beside(const std::optional<ChosenSlice>& from, int direction) const
{
    if (m_places.empty())
        return -1;
    const std::int64_t all = count();
    if (!from || from->lane < 0)
        return direction > 0 ? 0 : all - 1;
    const std::size_t order = orderOf(*from);
    const auto at = std::lower_bound(m_places.begin(), m_places.end(), order);
    const std::int64_t place = at - m_places.begin();
    const bool here = at != m_places.end() && *at == order;
    const std::int64_t next = direction > 0 ? place + (here ? 1 : 0) : place - 1;
    return (next + all) % all;
}

std::int32_t FoundSlices::spanAt(std::int64_t place) const
{
    return m_activity->source.order().spans[m_places[static_cast<std::size_t>(place)]];
}

FoundSlices::Lengths FoundSlices::lengths() const
{
    std::vector<std::uint32_t> sorted = m_places;
    const std::vector<std::int32_t>& spans = m_activity->source.order().spans;
    const auto length = [&](std::uint32_t place) {
        const TraceSpan& span = m_activity->trace.spans[static_cast<std::size_t>(spans[place])];
        return span.end - span.start;
    };
    const auto shorter = [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(length(a), a) < std::tuple(length(b), b);
    };
    const auto longest =
        std::max_element(sorted.begin(), sorted.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return length(a) < length(b); });
    Lengths lengths;
    lengths.longest = spans[*longest];
    lengths.shortest = spans[*std::min_element(sorted.begin(), sorted.end(), shorter)];
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
    std::nth_element(sorted.begin(), middle, sorted.end(), shorter);
    lengths.median = spans[*middle];
    return lengths;
}

} // namespace pw::ui
