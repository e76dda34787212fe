// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QObject>

namespace pw::ui {

class FindBar;
class PhaseBands;
class Playback;
class RunPage;

/// What helps to see a run, put into its page as into that of a schedule: phases above the lanes,
/// the find bar and the playback below the charts, the strand of the selected pass.
class RunTools : public QObject
{
    Q_OBJECT

public:
    /// The page takes the tools.
    explicit RunTools(RunPage& page);

    void setStrandShown(bool shown);

private:
    void showRun();
    void showPhases();
    void showStrand();

    RunPage& m_page;
    PhaseBands* m_phases;
    FindBar* m_find;
    Playback* m_playback;
    bool m_strandShown = true;
};

} // namespace pw::ui
