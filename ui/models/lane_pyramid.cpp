// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/models/lane_pyramid.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pw::ui {

namespace {

using Sums = std::array<float, Fill::looks>;

Fill quantised(const Sums& sums, float width)
{
    Fill fill;
    for (std::size_t i = 0; i < sums.size(); ++i)
        fill.part[i] =
            static_cast<std::uint8_t>(std::clamp(std::lround(255.0F * sums[i] / width), 0L, 255L));
    return fill;
}

} // namespace

LanePyramid::LanePyramid(const LaneSpans& lane, Ticks begin, Ticks end)
    : m_begin(static_cast<double>(begin))
{
    // About four spans a stretch: finer than that, painting the spans is as quick.
    const std::size_t count =
        std::clamp<std::size_t>(std::bit_ceil(lane.size() / 4), 4096, 1 << 20);
    m_width = static_cast<double>(end - begin) / static_cast<double>(count);
    std::vector<Fill> finest(count);
    Sums sums{};
    std::size_t current = 0;
    const auto flush = [&](std::size_t next) {
        finest[current] = quantised(sums, static_cast<float>(m_width));
        sums = {};
        current = next;
    };
    for (std::size_t i = 0; i < lane.size(); ++i) {
        const double from = (static_cast<double>(lane.start[i]) - m_begin) / m_width;
        const double to = (static_cast<double>(lane.end[i]) - m_begin) / m_width;
        const SpanLook look = lane.look[i];
        for (auto bin = static_cast<std::size_t>(from);
             bin < count && static_cast<double>(bin) < to; ++bin) {
            if (bin != current)
                flush(bin);
            const double left = std::max(from, static_cast<double>(bin));
            const double right = std::min(to, static_cast<double>(bin) + 1);
            const auto half = static_cast<float>((right - left) * m_width / 2);
            Fill::add(sums, look.kind, look.tint, look.paired ? half : 2 * half);
            if (look.paired)
                Fill::add(sums, look.partner, look.partnerTint, half);
        }
    }
    flush(0);
    m_levels.push_back(std::move(finest));
    while (m_levels.back().size() > 512) {
        const std::vector<Fill>& below = m_levels.back();
        std::vector<Fill> level(below.size() / 2);
        for (std::size_t i = 0; i < level.size(); ++i)
            for (std::size_t look = 0; look < level[i].part.size(); ++look)
                // Rounded up and down in turn, so that no level drifts.
                level[i].part[look] = static_cast<std::uint8_t>((below[2 * i].part[look] +
                                                                 below[2 * i + 1].part[look] +
                                                                 static_cast<int>(i & 1)) /
                                                                2);
        m_levels.push_back(std::move(level));
    }
}

bool LanePyramid::sample(double from, double width, int columns, Fill* out) const
{
    if (width < m_width)
        return false;
    // The coarsest level with a few stretches to a column: those at its edges count by their part.
    std::size_t level = 0;
    double stretch = m_width;
    while (level + 1 < m_levels.size() && 4 * stretch <= width) {
        stretch *= 2;
        ++level;
    }
    const std::vector<Fill>& fills = m_levels[level];
    const auto count = static_cast<std::int64_t>(fills.size());
    for (int column = 0; column < columns; ++column) {
        const double left = (from + column * width - m_begin) / stretch;
        const double right = left + width / stretch;
        const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(left)));
        const auto last =
            std::min<std::int64_t>(count, static_cast<std::int64_t>(std::ceil(right)));
        Sums sums{};
        for (std::int64_t i = first; i < last; ++i) {
            const double weight = std::min(right, static_cast<double>(i) + 1) -
                                  std::max(left, static_cast<double>(i));
            for (std::size_t look = 0; look < sums.size(); ++look)
                sums[look] += static_cast<float>(weight) *
                              static_cast<float>(fills[static_cast<std::size_t>(i)].part[look]);
        }
        const auto share = static_cast<float>(stretch / width);
        for (std::size_t look = 0; look < sums.size(); ++look)
            out[column].part[look] =
                static_cast<std::uint8_t>(std::min(sums[look] * share + 0.5F, 255.0F));
    }
    return true;
}

std::size_t LanePyramid::bytes() const
{
    std::size_t sum = 0;
    for (const std::vector<Fill>& level : m_levels)
        sum += level.size() * sizeof(Fill);
    return sum;
}

} // namespace pw::ui
