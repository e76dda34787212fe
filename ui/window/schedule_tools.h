// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/gap_reasons.h"

#include <QObject>

namespace pw::ui {

class FindBar;
class PhaseBands;
class Playback;
class SchedulePage;

/// What helps to see a schedule, put into its page: phases above the lanes, the find bar and the
/// playback below the charts, the strand of the selected pass.
class ScheduleTools : public QObject
{
    Q_OBJECT

public:
    /// The page takes the tools.
    explicit ScheduleTools(SchedulePage& page);

    void setStrandShown(bool shown);

private:
    void showPhases();
    void showStrand();

    SchedulePage& m_page;
    GapReasons m_gaps;
    PhaseBands* m_phases;
    FindBar* m_find;
    Playback* m_playback;
    bool m_strandShown = true;
};

} // namespace pw::ui
