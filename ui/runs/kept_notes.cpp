// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/kept_notes.h"

#include "ui/runs/runs_panel.h"
#include "ui/text.h"

#include <QEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace pw::ui {

KeptNotes::KeptNotes(RunHistory& history, QWidget* parent)
    : QWidget(parent)
    , m_history(history)
    , m_title(new QLabel(this))
    , m_notes(new QPlainTextEdit(this))
{
    m_notes->setFrameShape(QFrame::NoFrame);
    m_notes->setTabChangesFocus(true);
    m_notes->setAccessibleName(RunsPanel::tr("Notes"));
    m_notes->installEventFilter(this);
    m_title->setBuddy(m_notes);
    m_title->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 4, 8, 4);
    layout->setSpacing(2);
    layout->addWidget(m_title);
    layout->addWidget(m_notes, 1);
    setMinimumWidth(fontMetrics().averageCharWidth() * 16);
    constexpr int restMs = 800;
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(m_notes, &QPlainTextEdit::textChanged, &m_rest, qOverload<>(&QTimer::start));
    connect(&m_rest, &QTimer::timeout, this, &KeptNotes::keepTyped);
}

void KeptNotes::showNotes(KeptNumber number, const QString& called)
{
    const std::optional<QString> notes = notesOf(number);
    if (number != m_shown)
        keep();
    m_notes->setEnabled(notes.has_value());
    m_title->setText(notes ? RunsPanel::tr("&Notes on %1").arg(called) : RunsPanel::tr("&Notes"));
    // What is being typed is not overwritten by what was kept a moment ago.
    if (number != m_shown || (!m_rest.isActive() && m_notes->toPlainText() != notes)) {
        m_shown = number;
        m_notes->setPlainText(notes.value_or(QString()));
        m_rest.stop();
    }
    m_notes->setPlaceholderText(notes ? RunsPanel::tr("What was special about it?")
                                      : RunsPanel::tr("Select one run to write about it."));
}

void KeptNotes::keep()
{
    if (!m_rest.isActive())
        return;
    m_rest.stop();
    keepTyped();
}

void KeptNotes::keepTyped()
{
    const std::optional<QString> kept = notesOf(m_shown);
    const QString notes = m_notes->toPlainText();
    if (kept && *kept != notes)
        m_history.annotate(m_shown, notes);
}

/// None where there is nothing of that number.
std::optional<QString> KeptNotes::notesOf(KeptNumber number) const
{
    if (const StoredAnswer* answer = number < 0 ? m_history.answer(-number) : nullptr)
        return text(answer->notes);
    if (const StoredRun* run = number > 0 ? m_history.run(number) : nullptr)
        return text(run->notes);
    return std::nullopt;
}

bool KeptNotes::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_notes && event->type() == QEvent::FocusOut)
        keep();
    return QWidget::eventFilter(watched, event);
}

} // namespace pw::ui
