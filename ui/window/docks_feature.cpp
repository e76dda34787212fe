// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/pages/page.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QDockWidget>
#include <QPointer>
#include <QTimer>

#include <vector>

namespace pw::ui {

namespace {

/// Panels that only serve a schedule step back while another kind of page is in front, and come
/// back with the next schedule. One that a person brings back meanwhile stays.
class StepBack : public QObject
{
public:
    explicit StepBack(MainWindow& window)
        : QObject(&window)
        , m_window(window)
    {
        connect(&window, &MainWindow::pageChanged, this, &StepBack::follow);
        // The layout that is kept is that of schedules.
        connect(&window, &MainWindow::closing, this, [this] {
            bringBack(m_back);
            bringBack(m_behindLesson);
        });
    }

private:
    void follow()
    {
        // The lesson's panel is made after this, and shown before its first level.
        if (m_lesson == nullptr) {
            m_lesson = m_window.dock(QStringLiteral("lesson"));
            if (m_lesson != nullptr) {
                connect(m_lesson->toggleViewAction(), &QAction::toggled, this,
                        &StepBack::followLesson);
                followLesson(!m_lesson->isHidden());
            }
        }
        const Page* page = m_window.page();
        const bool away = page != nullptr && !page->details().empty();
        if (away == m_away)
            return;
        m_away = away;
        if (!away)
            return bringBack(m_back);
        for (const char* id : {"palette", "problems"})
            stepBack(id, m_back);
    }

    /// While a lesson is open it has the room of what is not taught yet.
    void followLesson(bool open)
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

    void stepBack(const char* id, std::vector<QPointer<QDockWidget>>& back)
    {
        auto* dock = m_window.dock(QString::fromLatin1(id));
        if (dock == nullptr || dock->isHidden() || dock->isFloating())
            return;
        back.emplace_back(dock);
        dock->hide();
    }

    static void bringBack(std::vector<QPointer<QDockWidget>>& back)
    {
        for (const QPointer<QDockWidget>& dock : back)
            if (dock)
                dock->show();
        back.clear();
    }

    MainWindow& m_window;
    std::vector<QPointer<QDockWidget>> m_back;
    std::vector<QPointer<QDockWidget>> m_behindLesson;
    QPointer<QDockWidget> m_lesson;
    bool m_away = false;
};

} // namespace

void addDocks(MainWindow& window)
{
    new StepBack(window);
}

} // namespace pw::ui
