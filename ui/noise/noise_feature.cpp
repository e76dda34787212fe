// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/noise/noise_panel.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/page_docks.h"
#include "ui/window/schedule_page.h"
#include "ui/workspace/chart_stack.h"

#include <QAction>
#include <QDockWidget>
#include <QPointer>

namespace pw::ui {

namespace {

/// Noise as it is switched on: the panel, and bands in the charts of the schedule in front.
class NoiseShown : public QObject
{
public:
    explicit NoiseShown(MainWindow& window)
        : QObject(&window)
        , m_window(window)
        , m_study(this)
        , m_panel(new NoisePanel(m_study, &window))
        , m_dock(window.addDock(QStringLiteral("noise"), MainWindow::tr("Noise"), m_panel,
                                Qt::BottomDockWidgetArea, besideSchedules))
    {
        setObjectName(QStringLiteral("noise-shown"));
        if (auto* run = window.dock(QStringLiteral("run")))
            window.tabifyDockWidget(run, m_dock);
        m_dock->hide();
        connect(&window, &MainWindow::pageChanged, this, &NoiseShown::follow);
        connect(&window, &MainWindow::figuresChanged, this, &NoiseShown::follow);
        connect(m_panel, &NoisePanel::modelChanged, this, &NoiseShown::follow);
        connect(&m_study, &NoiseStudy::changed, this, &NoiseShown::showBands);
        m_action = window.commands().add(
            {.id = QStringLiteral("view.noise"),
             .menu = Menu::View,
             .text = MainWindow::tr("&Noise"),
             .tip = MainWindow::tr("Runs the schedule many times with passes and messages that "
                                   "vary: bands in the charts, and what the end depends on."),
             .group = 30,
             .submenu = MainWindow::tr("C&harts")},
            this, [] {});
        m_action->setCheckable(true);
        connect(m_action, &QAction::toggled, this, [this](bool on) {
            if (on == m_dock->isHidden())
                m_dock->setVisible(on);
            if (on)
                m_dock->raise();
        });
        connect(m_dock->toggleViewAction(), &QAction::toggled, this, [this](bool on) {
            m_action->setChecked(on);
            follow();
        });
    }

private:
    bool on() const { return !m_dock->isHidden(); }

    void follow()
    {
        SchedulePage* page = m_window.schedulePage();
        if (m_page != page) {
            if (m_page)
                m_page->charts().setNoise(nullptr);
            m_page = page;
            m_study.clear();
        }
        if (!on())
            return m_study.clear();
        if (page == nullptr) {
            m_panel->setProblem(MainWindow::tr("No schedule is in front."));
            return m_study.clear();
        }
        const ScheduleDocument& document = page->document();
        m_panel->setProblem(document.schedule() != nullptr ? QString() : document.problem());
        m_study.set(document.schedule(), document.costs(), m_panel->model());
    }

    void showBands()
    {
        if (m_page)
            m_page->charts().setNoise(m_study.bands());
    }

    MainWindow& m_window;
    NoiseStudy m_study;
    NoisePanel* m_panel;
    QDockWidget* m_dock;
    QAction* m_action = nullptr;
    QPointer<SchedulePage> m_page; ///< whose charts have bands
};

} // namespace

void addNoise(MainWindow& window)
{
    new NoiseShown(window);
}

} // namespace pw::ui
