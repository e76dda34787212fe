// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/core_sentences.h"
#include "ui/keep/autosave.h"
#include "ui/keep/samples.h"
#include "ui/keep/welcome_page.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/opening.h"
#include "ui/window/schedule_page.h"
#include "ui/window/session.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QDockWidget>
#include <QTimer>

#include <algorithm>

namespace pw::ui {

namespace {

WelcomePage* welcomeOf(const MainWindow& window)
{
    for (Page* page : window.pages())
        if (auto* welcome = qobject_cast<WelcomePage*>(page))
            return welcome;
    return nullptr;
}

void openSample(MainWindow& window, const QString& name)
{
    Result<Project> project = readSample(name);
    if (!project) {
        window.refuse(coreSentence(project.error().message));
        return;
    }
    window.openProject(std::move(*project));
    // A sample teaches by its notes.
    if (auto* notes = window.dock(QStringLiteral("notes"))) {
        notes->show();
        notes->raise();
    }
}

void trigger(MainWindow& window, const char* id)
{
    if (QAction* action = window.commands().action(QString::fromLatin1(id)))
        action->trigger();
}

void recover(Autosave& autosave, const QString& file)
{
    const std::vector<Recovery::Found> all = autosave.recovery().found();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Recovery::Found& one) { return one.file == file; });
    if (found != all.end())
        autosave.recover(*found);
}

void showWelcome(MainWindow& window)
{
    if (WelcomePage* there = welcomeOf(window)) {
        window.showPage(there);
        return;
    }
    Autosave* autosave = &window.studio().autosave;
    auto* page = new WelcomePage(autosave->recovery());
    QObject::connect(page, &WelcomePage::learnAsked, &window,
                     [&window] { trigger(window, "learn.continue"); });
    QObject::connect(page, &WelcomePage::traceAsked, &window,
                     [&window] { trigger(window, "file.import-trace"); });
    QObject::connect(page, &WelcomePage::newAsked, &window,
                     [&window] { trigger(window, "file.new"); });
    QObject::connect(page, &WelcomePage::openAsked, &window,
                     [&window] { trigger(window, "file.open"); });
    QObject::connect(page, &WelcomePage::fileChosen, &window,
                     [&window](const QString& path) { window.open(path); });
    QObject::connect(page, &WelcomePage::sampleChosen, &window,
                     [&window](const QString& name) { openSample(window, name); });
    QObject::connect(page, &WelcomePage::recoverAsked, autosave,
                     [autosave](const QString& file) { recover(*autosave, file); });
    QObject::connect(page, &WelcomePage::discardAsked, autosave,
                     [autosave](const QString& file) { autosave->recovery().discard(file); });
    QObject::connect(&window, &MainWindow::fileUsed, page, &WelcomePage::showRecent);
    window.addPage(page);
}

/// The welcome makes room for what is opened, unless it still has something to offer.
void makeRoom(MainWindow& window, Autosave& autosave)
{
    WelcomePage* welcome = welcomeOf(window);
    if (welcome != nullptr && window.pages().size() > 1 && autosave.recovery().found().empty())
        window.closePage(welcome);
}

} // namespace

void addWelcome(MainWindow& window)
{
    window.commands().add({.id = QStringLiteral("help.welcome"),
                           .menu = Menu::Help,
                           .text = MainWindow::tr("&Welcome and samples"),
                           .tip = MainWindow::tr("Recent files, samples, what to do first."),
                           .group = -10},
                          &window, [&window] { showWelcome(window); });
}

void beginSession(MainWindow& window, const QStringList& files)
{
    window.show();
    openFiles(window, files);
    beginWelcome(window);
    tellNews(window);
}

void beginWelcome(MainWindow& window)
{
    Autosave* autosave = &window.studio().autosave;
    autosave->recovery().look();
    if (window.pages().empty() || !autosave->recovery().found().empty())
        showWelcome(window);
    QObject::connect(&window, &MainWindow::pageAdded, autosave, [&window, autosave](Page* page) {
        if (qobject_cast<WelcomePage*>(page) == nullptr)
            QTimer::singleShot(0, autosave, [&window, autosave] { makeRoom(window, *autosave); });
    });
    QObject::connect(&window, &MainWindow::pageClosing, autosave, [&window, autosave] {
        QTimer::singleShot(0, autosave, [&window] {
            if (window.pages().empty())
                showWelcome(window);
        });
    });
}

} // namespace pw::ui
