// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_rows.h"

#include <QObject>

#include <algorithm>
#include <limits>
#include <utility>

namespace pw::ui {

namespace {

/// Beyond those of lanes and what is around them.
constexpr std::size_t pinnedKey = std::size_t{1} << 41U;

} // namespace

LaneRows::LaneRows(std::vector<Row> outline, int headHeight)
{
    setOutline(std::move(outline), headHeight);
}

void LaneRows::setOutline(std::vector<Row> outline, int headHeight)
{
    m_outline = std::move(outline);
    m_headHeight = headHeight;
    for (std::size_t i = 0; i < m_outline.size(); ++i)
        m_outline[i].inner =
            i + 1 < m_outline.size() && m_outline[i + 1].depth > m_outline[i].depth;
    std::erase_if(m_pinned, [this](int lane) { return placeOf(lane) < 0; });
    layOut();
}

int LaneRows::placeOf(int lane) const
{
    const auto found = std::find_if(m_outline.begin(), m_outline.end(),
                                    [lane](const Row& row) { return row.lane == lane; });
    return lane < 0 || found == m_outline.end() ? -1 : static_cast<int>(found - m_outline.begin());
}

void LaneRows::layOut()
{
    m_rows.clear();
    int top = 0, lanes = 0;
    const auto append = [&](Row row) {
        row.folded = m_folded.count(row.key) > 0;
        if (row.folded && row.levels > 1) {
            row.levels = 1;
            row.height = row.foldedHeight;
        }
        row.top = top;
        top += row.height;
        m_rows.push_back(std::move(row));
    };
    if (!m_pinned.empty()) {
        Row head;
        head.title = QObject::tr("pinned");
        head.key = pinnedKey;
        head.height = m_headHeight;
        append(head);
        for (const int lane : m_pinned) {
            Row row = m_outline[static_cast<std::size_t>(placeOf(lane))];
            row.pinned = true;
            if (!row.pinnedTitle.isEmpty())
                row.title = row.pinnedTitle;
            append(std::move(row));
        }
    }
    int hiddenBelow = std::numeric_limits<int>::max();
    for (const Row& row : m_outline) {
        lanes = std::max(lanes, row.lane + 1);
        if (row.depth > hiddenBelow)
            continue;
        hiddenBelow = m_folded.count(row.key) > 0 ? row.depth : std::numeric_limits<int>::max();
        if (row.lane < 0 || m_pinned.count(row.lane) == 0)
            append(row);
    }
    m_rowOf.assign(static_cast<std::size_t>(lanes), -1);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].lane >= 0)
            m_rowOf[static_cast<std::size_t>(m_rows[i].lane)] = static_cast<int>(i);
}

int LaneRows::height() const
{
    return m_rows.empty() ? 0 : m_rows.back().top + m_rows.back().height;
}

int LaneRows::rowAt(int y) const
{
    const auto after = std::upper_bound(m_rows.begin(), m_rows.end(), y,
                                        [](int place, const Row& row) { return place < row.top; });
    if (after == m_rows.begin() || y >= height())
        return -1;
    return static_cast<int>(std::prev(after) - m_rows.begin());
}

const LaneRows::Row* LaneRows::rowOf(int lane) const
{
    if (lane < 0 || static_cast<std::size_t>(lane) >= m_rowOf.size())
        return nullptr;
    const int row = m_rowOf[static_cast<std::size_t>(lane)];
    return row < 0 ? nullptr : &m_rows[static_cast<std::size_t>(row)];
}

int LaneRows::laneBeside(int lane, int direction) const
{
    const Row* own = rowOf(lane);
    if (own == nullptr)
        return -1;
    for (auto place = own - m_rows.data() + direction;
         place >= 0 && place < static_cast<std::ptrdiff_t>(m_rows.size()); place += direction)
        if (const int beside = m_rows[static_cast<std::size_t>(place)].lane; beside >= 0)
            return beside;
    return -1;
}

void LaneRows::toggle(std::size_t key)
{
    if (m_folded.erase(key) == 0)
        m_folded.insert(key);
    layOut();
}

void LaneRows::togglePin(int lane)
{
    if (placeOf(lane) < 0)
        return;
    if (m_pinned.erase(lane) == 0)
        m_pinned.insert(lane);
    layOut();
}

int LaneRows::openLane(int lane)
{
    int place = placeOf(lane);
    if (place < 0)
        return -1;
    // Upwards from row to row that is around it.
    for (int depth = m_outline[static_cast<std::size_t>(place)].depth; place-- > 0;) {
        const Row& row = m_outline[static_cast<std::size_t>(place)];
        if (row.depth >= depth)
            continue;
        depth = row.depth;
        m_folded.erase(row.key);
    }
    layOut();
    return m_rowOf[static_cast<std::size_t>(lane)];
}

} // namespace pw::ui
