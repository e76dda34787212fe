// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/activity_sums.h"
#include "ui/traces/found_slices.h"

#include <QWidget>

class QLabel;
class QTableWidget;

namespace pw::ui {

/// The sums of a stretch of a trace: busy time by kind in a sentence, and a row a name, those of
/// devices first. A row leads to its slices; rows can be copied as cells of a spreadsheet.
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
    /// How often the name of the selected row occurs in the whole trace, with ways to the shortest,
    /// the middle and the longest slice; null: no name is selected.
    void setFound(const ShownActivityPtr& activity, const FoundSlices* found);
    /// Selects the row of a name, and says nothing of it; −1: none.
    void selectName(std::int32_t name);

Q_SIGNALS:
    /// Somebody selects the row of a name; −1: none any more.
    void nameChosen(std::int32_t name);
    /// On to the next slice of the selected name.
    void nextAsked();
    /// To a slice, of `Trace::spans`.
    void spanAsked(std::int32_t span);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::int32_t selectedName() const;

    QLabel* m_sentence;
    QTableWidget* m_table;
    QLabel* m_instances;
};

/// "6.62 ms: compute 1.2 ms (18 %), communication …, idle …": what the kinds did.
QString sumsSentence(const ActivitySums& sums, bool whole);

} // namespace pw::ui
