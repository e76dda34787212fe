// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QObject>

namespace pw::ui {

class ComparePage;
class FindBar;
class Playback;
class TimelineView;

/// What helps to see a comparison, put into its page as into that of a schedule: the find bar looks
/// in the topmost timeline, and the others follow to the pass that is found; one cursor of playback
/// goes through all of them, as long as the longest lasts.
class CompareTools : public QObject
{
    Q_OBJECT

public:
    /// The page takes the tools.
    explicit CompareTools(ComparePage& page);

private:
    void attach();
    void attachFind();
    void attachPlayback();

    ComparePage& m_page;
    FindBar* m_find = nullptr;
    TimelineView* m_searched = nullptr;
    Playback* m_playback = nullptr;
    TimelineView* m_played = nullptr;
};

} // namespace pw::ui
