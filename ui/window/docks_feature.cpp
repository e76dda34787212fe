// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/pages/page.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"

#include <QDockWidget>
#include <QPointer>

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
        connect(&window, &MainWindow::closing, this, &StepBack::bringBack);
    }

private:
    void follow()
    {
        const Page* page = m_window.page();
        const bool away = page != nullptr && !page->details().empty();
        if (away == m_away)
            return;
        m_away = away;
        if (!away)
            return bringBack();
        for (const char* id : {"palette", "problems"}) {
            auto* dock = m_window.findChild<QDockWidget*>(QString::fromLatin1(id));
            if (dock == nullptr || dock->isHidden() || dock->isFloating())
                continue;
            m_back.emplace_back(dock);
            dock->hide();
        }
    }

    void bringBack()
    {
        for (const QPointer<QDockWidget>& dock : m_back)
            if (dock)
                dock->show();
        m_back.clear();
    }

    MainWindow& m_window;
    std::vector<QPointer<QDockWidget>> m_back;
    bool m_away = false;
};

} // namespace

void addDocks(MainWindow& window)
{
    new StepBack(window);
}

} // namespace pw::ui
