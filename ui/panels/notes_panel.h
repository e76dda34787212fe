// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QPlainTextEdit>
#include <QPointer>
#include <QTimer>

namespace pw::ui {

class ScheduleDocument;

/// The notes of a project: what a person wants to remember of it, and what a sample teaches.
class NotesPanel : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit NotesPanel(QWidget* parent = nullptr);

    /// @param document  null: none is open
    void setDocument(ScheduleDocument* document);

    QSize sizeHint() const override;

protected:
    void focusOutEvent(QFocusEvent* event) override;

private:
    void showNotes();
    void keep();

    QPointer<ScheduleDocument> m_document;
    QTimer m_timer; ///< from the last key to the step of the history
    bool m_typed = false;
};

} // namespace pw::ui
