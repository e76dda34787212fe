// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <vector>

namespace pw {

/// What of an activation stays: the parts that `activationShares` takes.
struct Retention
{
    double keptForWeight = 1; ///< part still held between B and W, 0 … 1
    double stash = 0;         ///< part that F leaves where an R follows, 0 … 1

    friend bool operator==(const Retention&, const Retention&) = default;
};

/// What a pass adds to the activation of its device at its start, and takes from it at its end.
struct Holding
{
    Share added = 0;
    Share freed = 0;
};

/// Tells what each pass of a spec adds and frees; the rules are those of `ActivationCost`.
class Holdings
{
public:
    Holdings(const PipelineSpec& spec, const Retention& keep);

    /// Tells that the order has this pass; every R of it has to be told before `of` is asked.
    void tell(const Pass& pass);

    Holding of(const Pass& pass) const;

private:
    std::size_t cell(const Pass& pass) const
    {
        return static_cast<std::size_t>(m_table.cell(pass.stage, pass.microBatch, pass.segment));
    }

    PassTable m_table;
    std::size_t m_segments;
    std::vector<ActivationCost> m_shares; // by stage and segment
    std::vector<bool> m_recomputed;       // by cell
};

} // namespace pw
