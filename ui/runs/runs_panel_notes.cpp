// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/schedule_document.h"
#include "ui/runs/runs_panel.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QTimer>
#include <QVBoxLayout>

// What a person writes about a run, or about a kept answer.

namespace pw::ui {

QWidget* RunsPanel::makeNotes()
{
    auto* side = new QWidget(this);
    m_notes->setFrameShape(QFrame::NoFrame);
    m_notes->setTabChangesFocus(true);
    m_notes->setAccessibleName(tr("Notes"));
    m_notes->installEventFilter(this);
    m_notesTitle->setBuddy(m_notes);
    m_notesTitle->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(12, 4, 8, 4);
    layout->setSpacing(2);
    layout->addWidget(m_notesTitle);
    layout->addWidget(m_notes, 1);
    side->setMinimumWidth(fontMetrics().averageCharWidth() * 16);
    return side;
}

void RunsPanel::keepNotes()
{
    if (!m_notesTimer->isActive() && sender() != m_notesTimer)
        return;
    m_notesTimer->stop();
    const std::optional<QString> kept = notesOf(m_noted);
    const QString notes = m_notes->toPlainText();
    if (kept && *kept != notes)
        m_history.annotate(m_noted, notes);
}

/// None where there is nothing of that number.
std::optional<QString> RunsPanel::notesOf(KeptNumber number) const
{
    if (const StoredAnswer* answer = number < 0 ? m_history.answer(-number) : nullptr)
        return text(answer->notes);
    if (const StoredRun* run = number > 0 ? m_history.run(number) : nullptr)
        return text(run->notes);
    return std::nullopt;
}

} // namespace pw::ui
