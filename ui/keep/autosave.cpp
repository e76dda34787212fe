// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/autosave.h"

#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/text.h"

#include <QSettings>

namespace pw::ui {

namespace {

QString autosaveKey()
{
    return QStringLiteral("files/autosave");
}

constexpr int usualSeconds = 3;

} // namespace

int Autosave::seconds()
{
    return QSettings().value(autosaveKey(), usualSeconds).toInt();
}

Autosave::Autosave(const QString& folder, Opener open, QObject* parent)
    : QObject(parent)
    , m_open(std::move(open))
    , m_recovery(folder)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::keepNow);
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
    QSettings().setValue(autosaveKey(), seconds);
    for (auto one = m_watched.begin(); one != m_watched.end(); ++one)
        noteChange(one.key());
}

void Autosave::watch(ScheduleDocument& document)
{
    Watched watched;
    watched.number = m_adopted != 0 ? m_adopted : m_recovery.add();
    m_watched.insert(&document, watched);
    connect(&document, &ScheduleDocument::resultChanged, this,
            [this, &document] { noteChange(&document); });
    connect(&document, &ScheduleDocument::titleChanged, this,
            [this, &document] { noteChange(&document); });
}

void Autosave::forget(ScheduleDocument& document)
{
    if (!m_watched.contains(&document))
        return;
    m_recovery.forget(m_watched.take(&document).number);
    disconnect(&document, nullptr, this, nullptr);
}

void Autosave::end()
{
    m_timer.stop();
    m_watched.clear();
    m_recovery.end();
}

void Autosave::noteChange(ScheduleDocument* document)
{
    const auto found = m_watched.find(document);
    if (found == m_watched.end())
        return;
    if (!document->modified()) {
        found->changed = false;
        m_recovery.forget(found->number);
        return;
    }
    found->changed = true;
    if (seconds() > 0 && !m_timer.isActive())
        m_timer.start(seconds() * 1000);
}

void Autosave::keepNow()
{
    for (auto one = m_watched.begin(); one != m_watched.end(); ++one) {
        const ScheduleDocument& document = *one.key();
        if (one->changed && m_recovery.keep(one->number, document.kept(), document.path()))
            one->changed = false;
    }
}

void Autosave::refuse(const QString& why)
{
    // Once a reason: the next change asks again, and editing goes on.
    if (why == m_refused)
        return;
    m_refused = why;
    Q_EMIT refused(tr("No copy for a crash can be kept, so save now and then: %1").arg(why));
}

bool Autosave::recover(const Recovery::Found& found)
{
    const int number = m_recovery.add();
    const QString path = found.path;
    Result<Project> project = m_recovery.recover(found.file, number);
    if (!project) {
        Q_EMIT refused(tr("Not recovered: %1").arg(coreSentence(project.error().message)));
        return false;
    }
    m_adopted = number;
    ScheduleDocument& document = m_open(std::move(*project), path);
    m_adopted = 0;
    document.undoStack().resetClean();
    return true;
}

} // namespace pw::ui
