// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/autosave.h"

#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QSettings>

namespace pw::ui {

namespace {

QString key()
{
    return QStringLiteral("files/autosave");
}

constexpr int usualSeconds = 3;

} // namespace

int Autosave::seconds()
{
    return QSettings().value(key(), usualSeconds).toInt();
}

Autosave::Autosave(MainWindow& window, const QString& folder)
    : QObject(&window)
    , m_window(window)
    , m_recovery(folder)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::keepNow);
    connect(&window, &MainWindow::pageAdded, this, [this](Page* page) {
        if (auto* schedule = qobject_cast<SchedulePage*>(page))
            watch(schedule);
    });
    connect(&window, &MainWindow::pageClosing, this, [this](Page* page) {
        auto* schedule = qobject_cast<SchedulePage*>(page);
        if (schedule != nullptr && m_watched.contains(schedule)) {
            m_recovery.forget(m_watched.value(schedule).document);
            m_watched.remove(schedule);
            disconnect(&schedule->document(), nullptr, this, nullptr);
        }
    });
    connect(&window, &MainWindow::closing, this, [this] {
        m_timer.stop();
        m_watched.clear();
        m_recovery.end();
    });
    connect(&m_recovery, &Recovery::failed, this, &Autosave::refuse);
    connect(&m_recovery, &Recovery::written, this, [this] {
        // What changed while its copy was being written is due again.
        for (auto one = m_watched.cbegin(); one != m_watched.cend(); ++one)
            if (one->changed && !m_timer.isActive() && seconds() > 0)
                m_timer.start(seconds() * 1000);
    });
}

void Autosave::setSeconds(int seconds)
{
    QSettings().setValue(key(), seconds);
    for (auto one = m_watched.begin(); one != m_watched.end(); ++one)
        noteChange(one.key());
}

void Autosave::watch(SchedulePage* page)
{
    Watched watched;
    watched.document = m_adopted != 0 ? m_adopted : m_recovery.add();
    m_watched.insert(page, watched);
    connect(&page->document(), &ScheduleDocument::resultChanged, this,
            [this, page] { noteChange(page); });
    connect(&page->document(), &ScheduleDocument::titleChanged, this,
            [this, page] { noteChange(page); });
}

void Autosave::noteChange(SchedulePage* page)
{
    const auto found = m_watched.find(page);
    if (found == m_watched.end())
        return;
    if (!page->document().modified()) {
        found->changed = false;
        m_recovery.forget(found->document);
        return;
    }
    found->changed = true;
    if (seconds() > 0 && !m_timer.isActive())
        m_timer.start(seconds() * 1000);
}

void Autosave::keepNow()
{
    for (auto one = m_watched.begin(); one != m_watched.end(); ++one) {
        const ScheduleDocument& document = one.key()->document();
        if (one->changed && m_recovery.keep(one->document, document.project(), document.path()))
            one->changed = false;
    }
}

void Autosave::refuse(const QString& why)
{
    // Once a reason: the next change asks again, and editing goes on.
    if (why == m_refused)
        return;
    m_refused = why;
    m_window.refuse(tr("No copy for a crash can be kept, so save now and then: %1").arg(why));
}

bool Autosave::recover(const Recovery::Found& found)
{
    const int document = m_recovery.add();
    const QString path = found.path;
    Result<Project> project = m_recovery.recover(found.file, document);
    if (!project) {
        m_window.refuse(tr("Not recovered: %1").arg(text(project.error().message)));
        return false;
    }
    m_adopted = document;
    SchedulePage& page = m_window.openProject(std::move(*project), path);
    m_adopted = 0;
    page.document().undoStack().resetClean();
    return true;
}

} // namespace pw::ui
