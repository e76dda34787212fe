// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/trace_keeping.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace pw::ui {

/// How far a trace is that is being kept, with a button that stops it. Hidden while none is.
class KeepingBar : public QWidget
{
    Q_OBJECT

public:
    explicit KeepingBar(QWidget* parent = nullptr);

    /// Null: it is over.
    void follow(TraceKeeping* keeping);
    /// What is followed; null: nothing.
    TraceKeeping* keeping() const { return m_keeping; }

private:
    void showProgress();

    QPointer<TraceKeeping> m_keeping;
    QLabel* m_words;
    QProgressBar* m_progress;
    QPushButton* m_stop;
};

} // namespace pw::ui
