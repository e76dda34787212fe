// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/activity_gantt.h"

#include "app/activity_report.h"
#include "app/text_table.h"
#include "core/analysis/activity_sums.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/trace/activity_export.h"
#include "core/trace/activity_kind.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace pw::app {

namespace {

constexpr int laneLabelColumns = 24;
constexpr int fewestLaneColumns = 20;
constexpr std::size_t mostTextLanes = 40;

using Column = std::array<Ticks, activityKindCount>;

/// A letter of each kind, so that lanes read without colour.
constexpr std::array<char, activityKindCount> kindLetters = {'#', 'C', 'N', 'M', 'o',
                                                             'l', 'w', 'a', 's'};

class LaneText
{
public:
    LaneText(const ActivitySource& source, const Screen& screen)
        : m_source(source)
        , m_screen(screen)
        , m_columns(screen.width - laneLabelColumns - 2)
    {
        bool first = true;
        for (const ActivityLane& lane : source.lanes()) {
            m_from = first ? lane.start : std::min(m_from, lane.start);
            m_to = first ? lane.end : std::max(m_to, lane.end);
            first = false;
        }
    }

    Result<std::string> text()
    {
        std::string out;
        if (m_columns < fewestLaneColumns || m_to <= m_from)
            return out;
        const std::vector<ActivityLane>& lanes = m_source.lanes();
        PW_TRY(const std::vector<std::size_t> drawnLanes, chosenLanes());
        std::string owner;
        for (const std::size_t i : drawnLanes) {
            std::string of = lanes[i].rankNumber < 0
                                 ? std::string()
                                 : "rank " + std::to_string(lanes[i].rankNumber);
            of += (of.empty() || lanes[i].owner.empty() ? "" : ", ") + lanes[i].owner;
            if (of != owner)
                out += "  " + m_screen.bold(oneLine(of)) + "\n";
            owner = of;
            const Result<std::string> drawn = line(i);
            if (!drawn)
                return drawn;
            out += *drawn;
        }
        if (lanes.size() > drawnLanes.size())
            out += "  and " +
                   groupedNumber(static_cast<std::int64_t>(lanes.size() - drawnLanes.size())) +
                   " more lanes, which do less\n";
        return out + ruler() + legend();
    }

private:
    /// How long something runs on a lane: of a stream its work, of a thread its outermost slices.
    Result<Ticks> busyTime(std::size_t lane) const
    {
        Ticks busy = 0;
        const bool device = m_source.lanes()[lane].device;
        PW_DO(m_source.each(lane, [&](const ActivitySlice& slice) {
            if (device ? isDeviceWork(slice.kind) : slice.depth == 0)
                busy += slice.end - slice.start;
            return true;
        }));
        return busy;
    }

    /// All lanes; of too many the busiest, those of devices first. They stand where they stood, and
    /// of one device or process the busiest first.
    Result<std::vector<std::size_t>> chosenLanes() const
    {
        const std::vector<ActivityLane>& lanes = m_source.lanes();
        std::vector<std::size_t> chosen(lanes.size());
        std::iota(chosen.begin(), chosen.end(), std::size_t{0});
        if (lanes.size() <= mostTextLanes)
            return chosen;
        std::vector<Ticks> busy;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            PW_TRY(const Ticks time, busyTime(i));
            busy.push_back(time);
        }
        const auto before = [&](std::size_t a, std::size_t b) {
            return std::tuple(lanes[b].device, busy[b], a) <
                   std::tuple(lanes[a].device, busy[a], b);
        };
        std::sort(chosen.begin(), chosen.end(), before);
        chosen.resize(mostTextLanes);
        // A line that shows next to nothing is counted with the others.
        constexpr Ticks part = 100;
        const Ticks most = busy[chosen.front()];
        while (lanes[chosen.back()].device && busy[chosen.back()] < most / part)
            chosen.pop_back();
        std::sort(chosen.begin(), chosen.end());
        const auto owner = [&](std::size_t lane) {
            return std::tie(lanes[lane].rankNumber, lanes[lane].device, lanes[lane].owner);
        };
        for (auto from = chosen.begin(); from != chosen.end();) {
            const auto to = std::find_if(
                from, chosen.end(), [&](std::size_t lane) { return owner(lane) != owner(*from); });
            std::sort(from, to, before);
            from = to;
        }
        return chosen;
    }

    Result<std::string> line(std::size_t index)
    {
        const ActivityLane& lane = m_source.lanes()[index];
        std::vector<ActivitySlice> slices;
        const Ticks grain = (m_to - m_from) / m_columns / 8;
        PW_DO(m_source.slices(index, m_from, m_to + 1, grain, slices));
        // A device's annotations stand around its work; of a thread the outermost slices count.
        const bool work = std::any_of(slices.begin(), slices.end(), [](const ActivitySlice& one) {
            return isDeviceWork(one.kind);
        });
        std::vector<Column> columns(static_cast<std::size_t>(m_columns), Column{});
        for (const ActivitySlice& slice : slices)
            if (work ? isDeviceWork(slice.kind) : slice.depth == 0)
                add(slice, columns);
        std::string name = oneLine(lane.name);
        if (displayWidth(name) > laneLabelColumns - 4) {
            name.resize(laneLabelColumns - 5);
            while (!name.empty() && (static_cast<unsigned char>(name.back()) & 0x80U) != 0)
                name.pop_back();
            name += "…";
        }
        name += std::string(
            static_cast<std::size_t>(std::max(0, laneLabelColumns - 4 - displayWidth(name))), ' ');
        std::string out = "    " + name;
        for (std::size_t column = 0; column < columns.size(); ++column)
            out += cell(columns[column], edge(column + 1) - edge(column));
        while (!out.empty() && out.back() == ' ')
            out.pop_back();
        return out + "\n";
    }

    Ticks edge(std::size_t column) const
    {
        return m_from + static_cast<Ticks>(static_cast<double>(m_to - m_from) *
                                           static_cast<double>(column) / m_columns);
    }

    void add(const ActivitySlice& slice, std::vector<Column>& columns) const
    {
        const auto columnOf = [this](Ticks time) {
            const double part =
                static_cast<double>(time - m_from) / static_cast<double>(m_to - m_from);
            return static_cast<std::size_t>(
                std::clamp(part * m_columns, 0.0, static_cast<double>(m_columns - 1)));
        };
        for (std::size_t column = columnOf(slice.start); column <= columnOf(slice.end); ++column) {
            const Ticks inside =
                std::min(slice.end, edge(column + 1)) - std::max(slice.start, edge(column));
            columns[column][static_cast<std::size_t>(slice.kind)] += std::max<Ticks>(inside, 1);
        }
    }

    std::string cell(const Column& column, Ticks width) const
    {
        const auto most = std::max_element(column.begin(), column.end());
        if (*most == 0)
            return " ";
        const auto kind = static_cast<ActivityKind>(most - column.begin());
        Ticks filled = 0;
        for (const Ticks part : column)
            filled += part;
        if (m_screen.colors == ColorDepth::None)
            return std::string(1, filled * 8 < width ? '.'
                                                     : kindLetters[static_cast<std::size_t>(kind)]);
        const char* block = filled * 2 >= width ? "█" : filled * 8 >= width ? "▒" : "░";
        return m_screen.paint(block, roleOf(kind));
    }

    std::string ruler() const
    {
        const std::string end = timeText(m_to - m_from);
        const int room = m_columns - 1 - displayWidth(end);
        return std::string(laneLabelColumns, ' ') + "0" +
               std::string(static_cast<std::size_t>(std::max(room, 1)), ' ') + end + "\n";
    }

    std::string legend() const
    {
        std::string out = "    ";
        for (const ActivityKind kind :
             {ActivityKind::Compute, ActivityKind::Communication, ActivityKind::Memory,
              ActivityKind::Operator, ActivityKind::Launch, ActivityKind::Wait,
              ActivityKind::Annotation, ActivityKind::Script, ActivityKind::Other}) {
            const std::string letter(1, kindLetters[static_cast<std::size_t>(kind)]);
            out +=
                (m_screen.colors == ColorDepth::None ? letter : m_screen.paint("█", roleOf(kind))) +
                " " + std::string(name(kind)) + "  ";
        }
        while (out.back() == ' ')
            out.pop_back();
        return out + "\n";
    }

    const ActivitySource& m_source;
    const Screen& m_screen;
    int m_columns = 0;
    Ticks m_from = 0;
    Ticks m_to = 0;
};

/// What took most of a trace in which no device worked.
Result<std::string> namesText(const ActivitySource& source, const Screen& screen)
{
    const std::vector<ActivityLane>& lanes = source.lanes();
    const auto device = [](const ActivityLane& lane) { return lane.device; };
    if (lanes.empty() || std::any_of(lanes.begin(), lanes.end(), device))
        return std::string();
    Ticks from = lanes.front().start, to = lanes.front().end;
    for (const ActivityLane& lane : lanes) {
        from = std::min(from, lane.start);
        to = std::max(to, lane.end);
    }
    PW_TRY(const ActivitySums sums, activitySums(source, from, to + 1));
    TextTable table(screen, {{"kind", "", TextTable::Align::Left},
                             {"itself"},
                             {"in all"},
                             {"of"},
                             {"slice", "", TextTable::Align::Left}});
    constexpr std::size_t mostRows = 12;
    for (std::size_t i = 0; i < std::min(sums.names.size(), mostRows); ++i) {
        const NameSum& one = sums.names[i];
        PW_TRY(const std::string text, source.name(one.name));
        table.append({std::string(name(one.kind)), timeText(one.self), timeText(one.total),
                      groupedNumber(one.count), cutText(oneLine(text))});
    }
    std::string out = "\n" + table.text();
    if (sums.names.size() > mostRows)
        out += "  and " + groupedNumber(static_cast<std::int64_t>(sums.names.size() - mostRows)) +
               " more\n";
    return out;
}

} // namespace

Result<std::string> activityGantt(const ActivitySource& source, const Screen& screen)
{
    PW_TRY(const std::string lanes, LaneText(source, screen).text());
    PW_TRY(const std::string names, namesText(source, screen));
    return lanes + names;
}

} // namespace pw::app
