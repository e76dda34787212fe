// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/slice_geometry.h"

class QPainter;

namespace pw::ui {

/// Paints what is selected in a trace, with its arrows, over rows that are painted already.
class SliceSelectionPainter
{
public:
    /// Outlives the painter.
    explicit SliceSelectionPainter(const SliceGeometry& geometry)
        : m_geometry(geometry)
    {
    }

    void paint(QPainter& painter, const SliceSelection& selection) const;

private:
    void paintGap(QPainter& painter, const ChosenGap& gap) const;
    void paintArrow(QPainter& painter, const SliceLink& link) const;

    const SliceGeometry& m_geometry;
};

} // namespace pw::ui
