// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/inspector_panel.h"
#include "ui/panels/spec_panel.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QDockWidget>
#include <QScrollArea>
#include <QVBoxLayout>

namespace pw::ui {

void addSpec(MainWindow& window)
{
    auto* spec = new SpecPanel(&window);
    auto* inspector = new InspectorPanel(&window);
    auto* content = new QWidget(&window);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(spec);
    layout->addWidget(inspector, 1);
    auto* scroll = new QScrollArea(&window);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(290);
    scroll->setWidget(content);
    window.addDock(QStringLiteral("schedule"), MainWindow::tr("Schedule"), scroll,
                   Qt::RightDockWidgetArea);

    const auto showNumbers = [&window, inspector] {
        SchedulePage* page = window.schedulePage();
        inspector->show(page != nullptr ? &page->document() : nullptr,
                        page != nullptr ? page->timeline().current() : SpanRef{});
    };
    QObject::connect(&window, &MainWindow::pageChanged, spec, [&window, spec] {
        SchedulePage* page = window.schedulePage();
        spec->setDocument(page != nullptr ? &page->document() : nullptr);
    });
    QObject::connect(&window, &MainWindow::figuresChanged, inspector, showNumbers);
    QObject::connect(&window, &MainWindow::selectionChanged, inspector, showNumbers);
    window.commands().add({.id = QStringLiteral("view.pin"),
                           .menu = Menu::View,
                           .text = MainWindow::tr("P&in for comparison"),
                           .tip = MainWindow::tr("Other schedules are held against this one."),
                           .group = 60},
                          inspector, [&window, inspector, showNumbers] {
                              SchedulePage* page = window.schedulePage();
                              inspector->pin(page != nullptr ? &page->document() : nullptr);
                              showNumbers();
                          });
}

} // namespace pw::ui
