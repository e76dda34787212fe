// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/costs.h"
#include "ui/models/number_table.h"

namespace pw::ui {

/// Times in milliseconds and bytes in MiB of every stage and segment, to be edited.
class StageTable : public NumberTable
{
    Q_OBJECT

public:
    enum Column
    {
        Forward,
        Backward,
        Weight,
        Fused,
        Recompute,
        Pair,
        Update,
        Activation,
        KeptForWeight,
        Stash,
        ForwardMessage,
        BackwardMessage,
        Weights,
        Gradients,
        Optimizer,
        ColumnCount
    };

    StageTable(const Costs& costs, const PipelineSpec& spec, QObject* parent = nullptr);

    /// The costs with what the table has.
    /// @error BadValue  a cell cannot be, or they do not fit each other; names it
    Result<Costs> costs() const;

private:
    /// @param table  whose empty cells follow from others; used later only
    static std::vector<NumberColumn> columns(const StageTable* table, const PipelineSpec& spec);

    Costs m_costs;
    PipelineSpec m_spec;
};

} // namespace pw::ui
