// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"

#include <vector>

namespace pw {

/// A pass that another one waits for.
struct Dependency
{
    PassId producer;
    bool message = false; ///< the producer ran on another device and sends its result
};

/// Who waits for whom. The only place that knows: checker, lowering and explanations ask here, and
/// the simulator's inner loop, which spells the rules out, is tested against it.
///
/// For stage s, micro-batch j, segment q of k, S stages:
/// - F(s,j,q) waits for F(s−1,j,q) and F(s,j,q−1);
/// - B or BW(s,j,q) waits for the backward (s+1,j,q), for the backward (s,j,q+1), and for F(s,j,q),
///   or for R(s,j,q) where the cell is recomputed; BW(s+1,…) counts when it is complete;
/// - R(s,j,q) waits for F(s,j,q); W(s,j,q) waits for B(s,j,q);
/// - U of a stage waits for every W or BW of its micro-batches, on both routes where the stage is
///   hosted twice.
///
/// @source arXiv:2401.10241 §2; segments arXiv:2406.03488
class Dependencies
{
public:
    explicit Dependencies(const Schedule& schedule)
        : m_schedule(&schedule)
    {
    }

    /// Everything that a pass waits for, apart from its device being free. Appends to `out`.
    void append(PassId id, std::vector<Dependency>& out) const;

    /// Everything that waits for a pass. Appends the waiting passes to `out`.
    void appendConsumers(PassId id, std::vector<PassId>& out) const;

    /// Every pass on another device that takes a message of a pass. Appends to `out`. An update
    /// takes none: gradients that come from another device are reduced.
    void appendReceivers(PassId id, std::vector<PassId>& out) const;

private:
    void appendUpdate(const Pass& update, std::vector<Dependency>& out) const;

    const Schedule* m_schedule;
};

} // namespace pw
