// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <QLabel>

namespace pw {
struct IdleShare;
}

namespace pw::ui {

class Lanes;
class TimelineView;

/// What the lanes of a timeline do between its two markers: how much of them computes, and how much
/// is idle while another one computes or while none does. Hidden while nothing is marked.
class StretchLine : public QLabel
{
    Q_OBJECT

public:
    explicit StretchLine(TimelineView& timeline, QWidget* parent = nullptr);

    /// The lanes are others, or the markers stand elsewhere.
    void refresh();

private:
    TimelineView& m_timeline;
};

/// The devices or ranks of lanes, without what is nested in them.
IdleShare idleShare(const Lanes& lanes, Ticks from, Ticks to);

/// "33.3 ms marked, on 8 lanes: busy 61.2 %, idle 36.1 % while others compute and 2.7 % while none
/// does."
QString idleShareSentence(const IdleShare& share);

} // namespace pw::ui
