// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/noise/noise_panel.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/workspace/chart_stack.h"

#include <QAction>
#include <QPointer>

namespace pw::ui {

namespace {

/// Noise as it is switched on: bands in the charts of the schedule in front. How noisy it is says
/// the page of alternatives.
class NoiseShown : public QObject
{
public:
    explicit NoiseShown(MainWindow& window)
        : QObject(&window)
        , m_window(window)
        , m_study(this)
    {
        setObjectName(QStringLiteral("noise-shown"));
        connect(&window, &MainWindow::pageChanged, this, &NoiseShown::follow);
        connect(&window, &MainWindow::figuresChanged, this, &NoiseShown::follow);
        connect(&m_study, &NoiseStudy::changed, this, &NoiseShown::showBands);
        m_action = window.commands().add(
            {.id = QStringLiteral("view.noise"),
             .menu = Menu::View,
             .text = MainWindow::tr("&Noise"),
             .tip = MainWindow::tr("Runs the schedule many times with passes and messages that "
                                   "vary: bands in the charts. Alternatives says how far the "
                                   "makespan spreads, and what the end depends on."),
             .group = 30,
             .submenu = MainWindow::tr("C&harts")},
            this, [] {});
        m_action->setCheckable(true);
        connect(m_action, &QAction::toggled, this, &NoiseShown::follow);
    }

private:
    void follow()
    {
        SchedulePage* page = m_window.schedulePage();
        if (m_page != page) {
            if (m_page)
                m_page->charts().setNoise(nullptr);
            m_page = page;
            m_study.clear();
        }
        if (!m_action->isChecked() || page == nullptr)
            return m_study.clear();
        const ScheduleDocument& document = page->document();
        m_study.set(document.schedule(), document.costs(), keptNoise());
    }

    void showBands()
    {
        if (m_page)
            m_page->charts().setNoise(m_study.bands());
    }

    MainWindow& m_window;
    NoiseStudy m_study;
    QAction* m_action = nullptr;
    QPointer<SchedulePage> m_page; ///< whose charts have bands
};

} // namespace

void addNoise(MainWindow& window)
{
    new NoiseShown(window);
}

} // namespace pw::ui
