// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/stacked_row.h"

#include <QObject>

#include <memory>
#include <vector>

class QLayout;

namespace pw::ui {

class FindBar;
class Playback;

/// Search and playback over timelines below each other: the search looks in the topmost one, and
/// one cursor goes through all of them, as long as the longest lasts.
class StackTools : public QObject
{
    Q_OBJECT

public:
    using Rows = std::vector<std::unique_ptr<StackedRow>>;

    /// @param owner  of the bars, which its layout takes
    explicit StackTools(QWidget* owner);

    /// To be called whenever rows came or went, with those that are left.
    void attach(const Rows& rows);
    FindBar* find() const { return m_find; }
    Playback* playback() const { return m_playback; }

Q_SIGNALS:
    /// The cursor is at another time; none: there is no cursor.
    void moved(std::optional<double> time);

private:
    void detach();

    QWidget* m_owner;
    TimelineWorkspace* m_searched = nullptr; ///< where the find bar looks
    FindBar* m_find = nullptr;
    TimelineWorkspace* m_played = nullptr; ///< what the playback goes over
    Playback* m_playback = nullptr;
};

} // namespace pw::ui
