// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <map>
#include <set>

class QDockWidget;

namespace pw::ui {

class MainWindow;
class Page;
struct InFront;

/// Whether a schedule is in front that is no level, or nothing at all.
bool besideSchedules(const InFront& front);
/// The same, or a run.
bool besideRuns(const InFront& front);

/// Panels belong to pages: beside a page stand those that have something to say of it and that a
/// person has not closed, whatever was in front before. In a window too low for both, a page that
/// wants the room has that of the panels below it.
///
/// One that a person brings up beside another page, or in a low window, stays until something else
/// is in front.
class PageDocks : public QObject
{
public:
    explicit PageDocks(MainWindow& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void watch(QDockWidget* dock);
    /// Takes what is shown now as what a person wants.
    void adopt();
    void followPage();
    void followDetails();
    void arrange();
    void arrangeFor(const InFront& front, bool low);
    void bringToFront();
    void noteFront();
    void noteToggle(QDockWidget* dock, bool on);
    InFront inFront() const;
    bool tooLow() const;
    bool isBelow(QDockWidget* dock) const;

    MainWindow& m_window;
    std::set<QDockWidget*> m_unwanted; ///< closed by a person
    std::set<QDockWidget*> m_extra;    ///< beside a page that they say nothing of
    std::set<QDockWidget*> m_inLow;    ///< asked for in a low window
    /// Of those below, the one in front, by the kind of page.
    std::map<QString, QPointer<QDockWidget>> m_fronts;
    QString m_kind; ///< of the page in front; empty: nothing was in front yet
    QTimer m_resized;
    bool m_adopted = false;
    bool m_arranging = false;
    bool m_low = false;
};

} // namespace pw::ui
