// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/alternatives/alternative_rows.h"

#include <QObject>

#include <map>
#include <vector>

namespace pw::ui {

class StackedTimelines;

/// The timelines of chosen rows below each other: those that are there at once, others as soon as
/// they are made.
class RowPictures : public QObject
{
    Q_OBJECT

public:
    /// More of them would leave each no room.
    static constexpr std::size_t most = 8;

    /// @param rows, stack  outlive it
    RowPictures(const AlternativeRows& rows, StackedTimelines& stack, QObject* parent);

    /// Shows these rows, those that are there already in the place that they have.
    /// @return  false: some have no room, the first ones are shown
    bool show(const std::vector<int>& ids);
    /// How long the passes of a row's run took in all iterations.
    void setLengths(int id, RunLengthsPtr lengths);

Q_SIGNALS:
    /// A row was closed by its button.
    void closed(int id);

private:
    struct Shown
    {
        int place = 0;        ///< in the stack
        ComparedPtr timeline; ///< null: none yet
        std::shared_ptr<const Ranked> ranked;
        QString problem;
    };

    void follow();
    void fill(int id, Shown& shown);
    void make(int id, Shown& shown);

    const AlternativeRows& m_rows;
    StackedTimelines& m_stack;
    std::map<int, Shown> m_shown; ///< by the id of the row
    std::map<int, RunLengthsPtr> m_lengths;
};

} // namespace pw::ui
