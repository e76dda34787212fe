// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/activity_sums.h"
#include "ui/traces/shown_activity.h"

#include <QWidget>

class QLabel;
class QTableWidget;

namespace pw::ui {

/// The sums of a stretch of a trace: busy time by kind in a sentence, and a row a name. Rows can be
/// copied as cells of a spreadsheet.
class ActivityTable : public QWidget
{
    Q_OBJECT

public:
    static constexpr int mostRows = 500;

    explicit ActivityTable(QWidget* parent = nullptr);

    /// @param whole  all of the trace; else the stretch that is marked
    void setSums(const ShownActivityPtr& activity, const ActivitySums& sums, bool whole);
    /// Says that sums are on their way, or why there are none.
    void say(const QString& sentence);
    QString sentence() const;
    /// The selected rows, else all, with their heads; tabs between cells.
    QString cells() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLabel* m_sentence;
    QTableWidget* m_table;
};

/// "6.62 ms: compute 1.2 ms (18 %), communication …, idle …": what the kinds did.
QString sumsSentence(const ActivitySums& sums, bool whole);

} // namespace pw::ui
