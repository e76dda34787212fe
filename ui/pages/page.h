// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/export/figure.h"
#include "ui/panels/details_panel.h"

#include <QString>
#include <QUndoStack>
#include <QWidget>

#include <vector>

class QLineEdit;

namespace pw::ui {

class FindBar;
class Playback;
class LaneView;
class TimelineView;
class TimelineWorkspace;

/// A tab of the window: an open schedule, a run, a comparison, the welcome.
class Page : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// "ZB-V · 4 × 8"
    virtual QString title() const = 0;
    /// What the tab's tool tip says: the file, the store.
    virtual QString detail() const { return {}; }
    /// Has changes that would be lost with it.
    virtual bool modified() const { return false; }
    /// Keeps the changes. @param ask  for a place, also where there is one
    /// @return  false: they are not kept, and the page has said why
    virtual bool save(bool /*ask*/) { return true; }
    /// History of what is done in the page; null: it has none.
    virtual QUndoStack* undoStack() { return nullptr; }
    /// Why what is shown can be no figure; empty: it can.
    virtual QString whyNoFigure() const;
    /// What is shown, as a figure. @pre it can be one
    virtual FigureContent figure() const { return {}; }
    /// The timeline that the switches of the view are for; null: it has none.
    virtual TimelineWorkspace* workspace() { return nullptr; }
    /// The timelines that the commands of the view are for, the topmost first; those of the
    /// workspace where the page says nothing else.
    virtual std::vector<TimelineView*> timelines();
    /// The search and the playback of the page; null: it has none.
    virtual FindBar* findBar();
    virtual Playback* playback();
    /// What is around the timelines and no part of a play, such as fields and tables: a room does
    /// not see them.
    virtual std::vector<QWidget*> beside() { return {}; }
    /// The field that the page is searched with, where it is no find bar; null: it has none.
    virtual QLineEdit* searchField() { return nullptr; }
    /// On to the next (+1) of what has the words in that field, or back to the one before (−1).
    virtual void findNext(int /*direction*/) {}
    /// All views of lanes that the commands of markers are for, the topmost first.
    virtual std::vector<LaneView*> laneViews();
    /// The page's numbers for the status line.
    virtual QString figures() const { return {}; }
    /// Lines of text that a window is high in which there is room for the page and for the panels
    /// below it; in a lower one it takes theirs. 0: it needs no room.
    virtual int linesWanted() const { return 0; }
    /// What is shown beside the page; empty: what its panels for schedules show.
    virtual PageDetails details() const { return {}; }

Q_SIGNALS:
    /// Title, detail or the mark of unsaved changes is new.
    void titleChanged();
    /// What the page shows is new, and with it its numbers.
    void figuresChanged();
    void selectionChanged();
    /// Numbers for the status line while something is dragged; nothing else is new.
    void figuresTried(const QString& figures);
    /// What is under the pointer, in a sentence; empty: nothing.
    void told(const QString& sentence);
};

} // namespace pw::ui
