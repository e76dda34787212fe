// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_view.h"

namespace pw::ui {

LaneView::LaneView(ViewRange& range, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_range(range)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
}

} // namespace pw::ui
