// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/activity_rows.h"
#include "ui/traces/shown_activity.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <set>

class QComboBox;
class QLineEdit;

namespace pw::ui {

/// Which ranks of a trace have rows, as a list of numbers, and what they are grouped by: their
/// stages where passes are labelled, their replicas where files say them. Hidden where there is one
/// rank.
class RankChooser : public QWidget
{
    Q_OBJECT

public:
    explicit RankChooser(QWidget* parent = nullptr);

    /// Chooses all of them in their order, unless it is the same trace with other labels.
    void setActivity(const ShownActivityPtr& activity);
    const RankRows& chosen() const { return m_chosen; }
    /// All ranks have rows again.
    void showAll();

Q_SIGNALS:
    void changed(const pw::ui::RankRows& rows);
    /// Why the list is none; empty: it is one.
    void told(const QString& sentence);

private:
    enum class Group
    {
        None,
        Stage,
        Replica
    };
    void choose();
    std::map<std::int32_t, RankGroup> groups(Group by) const;

    ShownActivityPtr m_activity;
    QLineEdit* m_ranks;
    QComboBox* m_group;
    RankRows m_chosen;
};

/// "0-7, 42": ranks by number; nothing where it is no such list.
std::optional<std::set<std::int32_t>> rankList(const QString& words);

} // namespace pw::ui
