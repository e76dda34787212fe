// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/notes_panel.h"

#include "ui/document/schedule_document.h"

#include <QSignalBlocker>

#include <utility>

namespace pw::ui {

namespace {

constexpr int merge = 0x4E07; ///< notes typed in one go are one step
constexpr int pause = 700;    ///< milliseconds

} // namespace

NotesPanel::NotesPanel(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setAccessibleName(tr("Notes"));
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setToolTip(tr("On the stage every paragraph is a card: @12 at its beginning is a step of the "
                  "play, @3.5 ms a time, # a heading."));
    // The document's history is the one that counts.
    setUndoRedoEnabled(false);
    m_timer.setSingleShot(true);
    m_timer.setInterval(pause);
    connect(&m_timer, &QTimer::timeout, this, &NotesPanel::keep);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        m_typed = true;
        m_timer.start();
    });
    showNotes();
}

QSize NotesPanel::sizeHint() const
{
    const int em = fontMetrics().height();
    return {20 * em, 7 * em};
}

void NotesPanel::setDocument(ScheduleDocument* document)
{
    if (document == m_document)
        return;
    keep();
    if (m_document)
        disconnect(m_document, nullptr, this, nullptr);
    m_document = document;
    if (m_document)
        connect(m_document, &ScheduleDocument::resultChanged, this, &NotesPanel::showNotes);
    showNotes();
}

void NotesPanel::showNotes()
{
    setEnabled(m_document != nullptr);
    setPlaceholderText(m_document ? tr("What is worth remembering of this schedule. On the stage "
                                       "(F11) every paragraph is a card.")
                                  : tr("No schedule is open."));
    const QString notes = m_document ? text(m_document->project().notes) : QString();
    if (m_typed || notes == toPlainText())
        return; // what is being typed wins
    const QSignalBlocker quiet(this);
    setPlainText(notes);
}

void NotesPanel::keep()
{
    m_timer.stop();
    if (!std::exchange(m_typed, false) || !m_document)
        return;
    const std::string notes = toPlainText().toStdString();
    if (notes == m_document->project().notes)
        return;
    Edit edit;
    edit.changes.emplace_back(SetNotes{notes});
    // Any text can be kept, so this cannot fail.
    const Result<void> done = m_document->edit(edit, tr("Notes"), merge);
    Q_UNUSED(done)
}

void NotesPanel::focusOutEvent(QFocusEvent* event)
{
    keep();
    QPlainTextEdit::focusOutEvent(event);
}

} // namespace pw::ui
