// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/stop.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/document/schedule_document.h"

#include <utility>

// What a document does while a family is asked in another thread.

namespace pw::ui {

void ScheduleDocument::begin(Pending pending)
{
    if (m_pending)
        m_pending->stop->store(true);
    pending.stop = std::make_shared<std::atomic<bool>>(false);
    inBackground(this,
                 [this, project = pending.project, stop = pending.stop]() -> std::function<void()> {
                     const StopScope scope(*stop);
                     Simulators simulators;
                     auto found = std::make_shared<Evaluation>(evaluate(project, simulators));
                     return [this, stop, found] { end(stop, std::move(*found)); };
                 });
    m_pending = std::move(pending);
    showUnmade();
    Q_EMIT computingChanged();
}

void ScheduleDocument::end(const std::shared_ptr<std::atomic<bool>>& which, Evaluation evaluation)
{
    if (!m_pending || m_pending->stop != which)
        return; // something else is wanted by now
    const Pending done = *std::exchange(m_pending, std::nullopt);
    if (!done.edit) {
        adopt(std::move(evaluation));
        Q_EMIT resultChanged();
        Q_EMIT computingChanged();
        return;
    }
    const Result<void> result = perform(*done.edit, done.text, done.merge, &evaluation);
    showUnmade();
    Q_EMIT computingChanged();
    if (!result)
        Q_EMIT refused(coreSentence(result.error().message));
}

void ScheduleDocument::drop()
{
    if (!m_pending)
        return;
    m_pending->stop->store(true);
    m_pending.reset();
    showUnmade();
    Q_EMIT computingChanged();
}

/// Says what has become of a family that has made nothing yet.
void ScheduleDocument::showUnmade()
{
    if (!m_unmade)
        return;
    m_problem = m_pending ? tr("The schedule is being computed")
                          : tr("The schedule of the family was not computed");
}

void ScheduleDocument::cancelComputing()
{
    if (!m_pending)
        return;
    drop();
    Q_EMIT resultChanged();
}

void ScheduleDocument::compute()
{
    if (m_unmade && !m_pending)
        begin({m_project, std::nullopt, {}, 0, nullptr});
}

QString ScheduleDocument::computed() const
{
    return m_pending ? titleOf(m_pending->project) : QString();
}

const Project& ScheduleDocument::wanted() const
{
    return m_pending && m_pending->edit ? m_pending->project : m_project;
}

} // namespace pw::ui
