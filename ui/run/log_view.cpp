// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/log_view.h"

#include "ui/plural.h"
#include "ui/presentation.h"

#include <QFontDatabase>
#include <QScrollBar>
#include <QTextCursor>

namespace pw::ui {

namespace {

constexpr int keptLines = 5000;
constexpr qsizetype longestLine = 2000;

QColor colorOf(RunLine::Kind kind)
{
    switch (kind) {
    case RunLine::Kind::Fault:
        return color(Role::Refusal);
    case RunLine::Kind::Output:
        return color(Role::Secondary);
    case RunLine::Kind::Info:
    case RunLine::Kind::Warning:
        break;
    }
    return color(Role::Text);
}

} // namespace

LogView::LogView(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setMaximumBlockCount(keptLines);
    setUndoRedoEnabled(false);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setAccessibleName(tr("Log of the run"));
    setPlaceholderText(tr("What the executor says appears here when a schedule is run."));
}

void LogView::begin(const QString& heading)
{
    clear();
    append({{RunLine::Kind::Info, heading}}, 0);
}

void LogView::append(const std::vector<RunLine>& lines, qint64 leftOut)
{
    // Whoever reads further up stays there.
    QScrollBar* bar = verticalScrollBar();
    const bool atEnd = bar->value() == bar->maximum();
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    cursor.beginEditBlock();
    const auto write = [&](RunLine::Kind kind, const QString& text) {
        QTextCharFormat format;
        format.setForeground(colorOf(kind));
        if (!document()->isEmpty())
            cursor.insertBlock();
        cursor.insertText(kind == RunLine::Kind::Warning ? tr("warning: %1").arg(text) : text,
                          format);
    };
    if (leftOut > 0)
        write(RunLine::Kind::Output,
              tr("… %1 came too fast to be shown").arg(plural(leftOut, Noun::Line)));
    for (const RunLine& line : lines)
        write(line.kind, line.text.left(longestLine));
    cursor.endEditBlock();
    if (atEnd)
        bar->setValue(bar->maximum());
}

} // namespace pw::ui
