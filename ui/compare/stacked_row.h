// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared.h"
#include "ui/compare/compared_source.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workspace/timeline_workspace.h"

class QLabel;
class QToolButton;

namespace pw::ui {

/// A row of a comparison: what it is called, what is shown in it, and its widgets.
struct StackedRow
{
    int id = 0;
    QString title;
    QString problem;
    ComparedPtr timeline;
    DifferencePtr difference;
    RunLengthsPtr lengths;
    ComparedPtr against;    ///< what the difference is to
    QWidget* box = nullptr; ///< all of it
    QLabel* name = nullptr;
    QLabel* about = nullptr;
    QToolButton* close = nullptr;
    ComparedSource* source = nullptr;
    TimelineWorkspace* board = nullptr; ///< over the page's range
    TimelineView* view = nullptr;

    /// Makes the widgets. @param called  its title until it has a timeline
    StackedRow(int number, QString called, ViewRange& range, QWidget* parent);
};

} // namespace pw::ui
