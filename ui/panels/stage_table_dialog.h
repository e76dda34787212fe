// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/panels/cost_dialog.h"

class QPushButton;

namespace pw::ui {

class NumberTableView;
class StageTable;

/// Times and bytes of every stage as a table.
class StageTableDialog : public CostDialog
{
    Q_OBJECT

public:
    explicit StageTableDialog(const Project& project, QWidget* parent = nullptr);

private:
    void look();
    void applyTable();
    void applyEqual();

    PipelineSpec m_spec;
    Costs m_before;
    bool m_tables; ///< the project has tables already
    StageTable* m_table;
    NumberTableView* m_view;
    QPushButton* m_equal;
};

} // namespace pw::ui
