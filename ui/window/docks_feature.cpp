// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/pages/page.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/step_back.h"

#include <QAction>
#include <QDockWidget>
#include <QTimer>

namespace pw::ui {

StepBack::StepBack(MainWindow& window)
    : QObject(&window)
    , m_window(window)
{
    connect(&window, &MainWindow::pageChanged, this, &StepBack::followPage);
    // The layout that is kept is that of schedules.
    connect(&window, &MainWindow::closing, this, [this] {
        bringBack(m_back);
        followHeight(nullptr);
        bringBack(m_behindLesson);
    });
}

void StepBack::setLesson(QDockWidget& lesson)
{
    m_lesson = &lesson;
    connect(lesson.toggleViewAction(), &QAction::toggled, this, &StepBack::followLesson);
    followLesson(!lesson.isHidden());
}

void StepBack::followPage()
{
    const Page* page = m_window.page();
    const bool roomAgain = followHeight(page);
    const bool away = page != nullptr && !page->details().empty();
    const bool left = away && !m_away;
    m_away = away;
    if (!away) {
        bringBack(m_back);
        if (m_notesInFront)
            m_window.dock(QStringLiteral("notes"))->raise();
        m_notesInFront = false;
        return;
    }
    if (left) {
        const auto* notes = m_window.dock(QStringLiteral("notes"));
        m_notesInFront = notes != nullptr && !notes->visibleRegion().isEmpty();
        stepBack("palette", m_back);
    }
    // What is below has come back by itself where the page before wanted its room.
    if (left || roomAgain)
        for (const char* id : {"problems", "notes"})
            stepBack(id, m_back);
}

/// The height that a window has when the page in front changes counts: nothing moves while it is
/// resized.
/// @return  whether panels came back
bool StepBack::followHeight(const Page* page)
{
    const bool low = page != nullptr &&
                     m_window.height() < page->linesWanted() * m_window.fontMetrics().height();
    if (low == m_low)
        return false;
    m_low = low;
    if (!low) {
        bringBack(m_below);
        if (m_front)
            m_front->raise();
        return true;
    }
    m_front = nullptr;
    for (const char* id :
         {"runs", "run", "losses", "log", "improve", "noise", "problems", "notes"}) {
        auto* dock = m_window.dock(QString::fromLatin1(id));
        if (dock != nullptr && !dock->visibleRegion().isEmpty())
            m_front = dock;
        if (dock != nullptr && m_window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea)
            stepBack(id, m_below);
    }
    return false;
}

void StepBack::followLesson(bool open)
{
    if (!open)
        return bringBack(m_behindLesson);
    for (const char* id :
         {"schedule", "runs", "run", "losses", "log", "improve", "noise", "problems"})
        stepBack(id, m_behindLesson);
    // Once the layout has taken the panel in.
    QTimer::singleShot(0, this, [this] {
        auto* palette = m_window.dock(QStringLiteral("palette"));
        if (palette == nullptr || !palette->isVisible() || m_lesson->isFloating())
            return;
        const int high = m_window.height();
        m_window.resizeDocks({palette, m_lesson}, {high / 4, high * 3 / 4}, Qt::Vertical);
    });
}

void StepBack::stepBack(const char* id, std::vector<QPointer<QDockWidget>>& back)
{
    auto* dock = m_window.dock(QString::fromLatin1(id));
    if (dock == nullptr || dock->isHidden() || dock->isFloating())
        return;
    back.emplace_back(dock);
    dock->hide();
}

void StepBack::bringBack(std::vector<QPointer<QDockWidget>>& back)
{
    for (const QPointer<QDockWidget>& dock : back)
        if (dock)
            dock->show();
    back.clear();
}

StepBack& addDocks(MainWindow& window)
{
    return *new StepBack(window);
}

} // namespace pw::ui
