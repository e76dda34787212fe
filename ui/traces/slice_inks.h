// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/shown_activity.h"

#include <QRgb>

#include <array>
#include <cstdint>

namespace pw::ui {

/// What colours of slices tell.
enum class SliceColors : std::uint8_t
{
    Kind,
    Name,
    Pass,
    Stage
};

/// The colours of slices on the ground of this thread, found once for a picture of many.
class SliceInks
{
public:
    /// @param activity  outlives this
    SliceInks(const ShownActivity& activity, SliceColors by);

    /// By kind: of a labelled pass that of its kind of pass, else that of its kind.
    /// @param rank  of the lane that it is on
    QRgb of(const ActivitySlice& slice, TraceRankId rank) const;

    QRgb lane() const { return m_lane; }                    ///< where nothing is
    QRgb found() const { return m_found; }                  ///< of what is searched for
    QRgb several(QRgb ink) const { return faded(ink, 64); } ///< for several that stand as one
    QRgb aside(QRgb ink) const { return faded(ink, 154); }  ///< not what is meant

private:
    /// @param part  of 256, of the lane's colour
    QRgb faded(QRgb ink, int part) const;
    QRgb ofKind(const ActivitySlice& slice) const;

    const ShownActivity& m_activity;
    SliceColors m_by;
    QRgb m_lane;
    QRgb m_found;
    std::array<QRgb, activityKindCount> m_kinds{};
    std::array<QRgb, passKindCount> m_passes{};
    std::array<QRgb, 360> m_many{}; ///< that can be told apart
};

} // namespace pw::ui
