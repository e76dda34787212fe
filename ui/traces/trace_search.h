// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QWidget>

#include <cstdint>

class QLabel;
class QLineEdit;

namespace pw::ui {

class ActivityTable;
class ActivityView;

/// Where slices of a trace are searched for: by words in a field, or by the row of a table of
/// names. Beside the field stands which of the slices is selected; one that is selected in the
/// lanes selects its row.
class TraceSearch : public QWidget
{
    Q_OBJECT

public:
    TraceSearch(ActivityView& view, ActivityTable& table, QWidget* parent = nullptr);

    QLineEdit& field() { return *m_field; }
    /// On to the next slice (+1), or back to the one before (−1).
    void showNext(int direction);

Q_SIGNALS:
    void told(const QString& sentence);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search(const QString& words);
    void searchName(std::int32_t name);
    void showRow();
    void showPlace();

    ActivityView& m_view;
    ActivityTable& m_table;
    QLineEdit* m_field;
    QLabel* m_place;         ///< which of the found slices is selected
    bool m_keepsRow = false; ///< the field is cleared for the row that was selected
};

} // namespace pw::ui
