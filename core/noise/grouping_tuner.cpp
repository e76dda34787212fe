// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/noise/grouping_tuner.h"

#include <algorithm>

namespace pw {

namespace {

std::size_t bestOf(const std::vector<double>& times)
{
    return static_cast<std::size_t>(std::min_element(times.begin(), times.end()) - times.begin());
}

} // namespace

void GroupingTuner::ran(const std::vector<double>& times)
{
    m_staying.resize(times.size(), 0);
    for (std::size_t pair = 0; pair < times.size(); ++pair)
        m_staying[pair] += times[pair];
    m_following += times[m_last];
    m_now = times;
}

void GroupingTuner::choose()
{
    m_last = bestOf(m_now);
    const std::size_t steady = bestOf(m_staying);
    constexpr double clearlyLess = 1.01; // times are those of links that stay as they were
    m_pair = m_following <= clearlyLess * m_staying[steady] ? m_last : steady;
}

} // namespace pw
