// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/stacked_row.h"

#include <QObject>

#include <memory>
#include <vector>

namespace pw::ui {

/// The one pass that is selected in all of several timelines.
class StackSelection : public QObject
{
    Q_OBJECT

public:
    using Rows = std::vector<std::unique_ptr<StackedRow>>;

    /// @param rows, range  outlive it
    StackSelection(const Rows& rows, ViewRange& range, QObject* parent);

    /// Selects a pass in every row that has it, and brings it into view.
    void reveal(const Pass& pass);
    /// Takes what a row selects over into the others.
    void follow(const StackedRow& row);

Q_SIGNALS:
    void changed();

private:
    const Rows& m_rows;
    ViewRange& m_range;
    bool m_following = false; ///< what the views select now is what was asked for
};

} // namespace pw::ui
