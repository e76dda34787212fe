// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "ui/timeline/time_scale.h"

#include <cstdint>
#include <utility>

namespace pw::ui {

/// Where times are on a picture that can be moved, in whole pixels of the device from the left edge
/// of its axis. Pixels are counted from time zero, so that a time stands on the same pixel of the
/// trace wherever the picture begins; the picture is off the axis by half a pixel at most.
class PixelScale
{
public:
    PixelScale() = default;
    /// @param ratio  pixels of the device in a pixel of the view
    PixelScale(const TimeScale& scale, double ratio);

    double ticksPerPixel() const { return m_ticksPerPixel; }
    /// Pixels from time zero to the left edge of the axis.
    std::int64_t origin() const { return m_origin; }
    /// Slices shorter than this may come as one.
    Ticks grain() const { return static_cast<Ticks>(m_ticksPerPixel); }

    std::int64_t pixel(Ticks time) const
    {
        return rounded(static_cast<double>(time) * m_pixelsPerTick) - m_origin;
    }
    /// Times between which everything that is seen in pixels [from, to) can be read: in whole
    /// grains, so that what is put together for being short is the same in every window.
    std::pair<Ticks, Ticks> window(std::int64_t from, std::int64_t to) const;

    /// Moves the left edge.
    void setOrigin(std::int64_t origin) { m_origin = origin; }

private:
    static std::int64_t rounded(double value)
    {
        const auto whole = static_cast<std::int64_t>(value + 0.5);
        return whole - (static_cast<double>(whole) > value + 0.5 ? 1 : 0);
    }

    double m_ticksPerPixel = 1;
    double m_pixelsPerTick = 1;
    std::int64_t m_origin = 0;
};

} // namespace pw::ui
