// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/slice_inks.h"

#include "ui/presentation.h"

#include <algorithm>

namespace pw::ui {

SliceInks::SliceInks(const ShownActivity& activity, SliceColors by)
    : m_activity(activity)
    , m_by(by)
    , m_lane(color(Role::Lane).rgb())
    , m_found(color(Role::Accent).rgb())
{
    for (std::size_t kind = 0; kind < m_kinds.size(); ++kind)
        m_kinds[kind] = activityColor(static_cast<ActivityKind>(kind)).rgb();
    for (const PassKind kind : allPassKinds)
        m_passes[static_cast<std::size_t>(kind)] = color(roleOf(kind, false)).rgb();
    // Neighbours are far from each other, and the same number has the same colour everywhere.
    constexpr int golden = 137;
    const bool light = ground() == Ground::Light;
    const int turn = static_cast<int>(m_many.size());
    for (int number = 0; number < turn; ++number)
        m_many[static_cast<std::size_t>(number)] =
            QColor::fromHsl(number * golden % turn, light ? 105 : 90, light ? 165 : 110).rgb();
}

QRgb SliceInks::faded(QRgb ink, int part) const
{
    constexpr int whole = 256;
    const auto mix = [part](int one, int other) { return one + (other - one) * part / whole; };
    return qRgb(mix(qRed(ink), qRed(m_lane)), mix(qGreen(ink), qGreen(m_lane)),
                mix(qBlue(ink), qBlue(m_lane)));
}

QRgb SliceInks::ofKind(const ActivitySlice& slice) const
{
    const Trace& trace = m_activity.trace;
    if (!trace.labels.empty() && slice.id >= 0 &&
        static_cast<std::size_t>(slice.id) < trace.spans.size()) {
        const SpanLabel* label = trace.labelOf(trace.spans[static_cast<std::size_t>(slice.id)]);
        if (label != nullptr && label->role == SpanRole::Pass)
            return m_passes[static_cast<std::size_t>(label->kind)];
    }
    return m_kinds[static_cast<std::size_t>(slice.kind)];
}

QRgb SliceInks::of(const ActivitySlice& slice, TraceRankId rank) const
{
    const auto many = [this](std::uint32_t number) { return m_many[number % m_many.size()]; };
    switch (m_by) {
    case SliceColors::Kind:
        break;
    case SliceColors::Name:
        return many(static_cast<std::uint32_t>(std::max(slice.name, 0)) * 7U);
    case SliceColors::Pass:
    case SliceColors::Stage: {
        const Ticks middle = slice.start + (slice.end - slice.start) / 2;
        const ShownActivity::PassTime* pass = m_activity.passAt(rank, middle);
        if (pass == nullptr || (m_by == SliceColors::Stage && pass->stage < 0))
            return aside(m_kinds[static_cast<std::size_t>(slice.kind)]);
        return m_by == SliceColors::Pass ? m_passes[static_cast<std::size_t>(pass->kind)]
                                         : many(static_cast<std::uint32_t>(pass->stage) * 3U + 1U);
    }
    }
    return ofKind(slice);
}

} // namespace pw::ui
