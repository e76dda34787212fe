// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/order_search.h"

#include <utility>
#include <vector>

namespace pw {

/// Passes that are alike but for their micro-batch.
struct PassClass
{
    PassKind kind = PassKind::F;
    int route = 0, stage = 0, segment = 0, device = 0;
    Ticks duration = 1;
    Share change = 0; ///< above 0 at its start, below 0 at its end
    int count = 0;    ///< passes
    Ticks tail = 0;   ///< the shortest way from its end to the end of its micro-batch
    std::vector<std::pair<int, Ticks>> waitsFor; ///< class, time of the message
};

/// The classes of a space, each behind those that it waits for.
class ClassTable
{
public:
    explicit ClassTable(const OrderSpace& space);

    /// Place of a class; −1: the space has none.
    int find(PassKind kind, int route, StageId stage, int segment) const;

    std::vector<PassClass> classes;

private:
    bool has(PassKind kind) const;
    int add(PassKind kind, int route, StageId stage, int segment);
    void wait(int waiting, int producer);
    void addRoute(int route);

    const OrderSpace& m_space;
};

} // namespace pw
