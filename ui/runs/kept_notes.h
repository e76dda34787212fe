// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/runs/run_history.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QPlainTextEdit;

namespace pw::ui {

/// What a person writes about a run, or about a kept answer: kept after a rest, and when it is
/// left.
class KeptNotes : public QWidget
{
    Q_OBJECT

public:
    /// @param history  outlives it
    explicit KeptNotes(RunHistory& history, QWidget* parent = nullptr);

    /// Shows the notes on something, and keeps those on what was shown before.
    /// @param number  0: on nothing
    /// @param called  "run 3"
    void showNotes(KeptNumber number, const QString& called);
    /// Keeps what is typed without a rest.
    void keep();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void keepTyped();
    std::optional<QString> notesOf(KeptNumber number) const;

    RunHistory& m_history;
    QLabel* m_title;
    QPlainTextEdit* m_notes;
    QTimer m_rest;
    KeptNumber m_shown = 0; ///< 0: none
};

} // namespace pw::ui
