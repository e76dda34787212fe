// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/run/run_news.h"

#include <QPlainTextEdit>

#include <vector>

namespace pw::ui {

/// What an executor says, the last few thousand lines.
class LogView : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);

    /// @param leftOut  lines before these that are not shown
    void append(const std::vector<pw::ui::RunLine>& lines, qint64 leftOut);
    /// A line that stands out: the next run begins.
    void begin(const QString& heading);
};

} // namespace pw::ui
