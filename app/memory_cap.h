// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/model/costs.h"
#include "core/sim/simulator.h"

#include <string>

namespace pw::app {

/// How much a device may hold, as --memory-limit says it.
class MemoryCap
{
public:
    /// Puts the cap into costs of a shape; what they had gives way.
    void apply(Costs& costs, const PipelineSpec& spec) const;
    /// "as much as the order given: 4 micro-batches a device".
    const std::string& text() const { return m_text; }

private:
    friend tl::expected<MemoryCap, Failure> memoryCapOf(const Arguments&, const Schedule&,
                                                        const Costs&, const SimResult*);

    bool m_costsOwn = false; ///< what the costs have stays
    Bytes m_bytes = 0;       ///< 0: none
    Share m_share = 0;       ///< 0: none
    std::string m_text;
};

/// --memory-limit of a search: in bytes too, and "none".
Option memoryCapOption(const char* section);

/// The cap of the command line; without one that of the costs, else what the worst device of the
/// schedule holds.
///
/// @param result  of the schedule; nullptr: it never ends, and what it holds is no cap
/// @error Usage  a text that is not a size
tl::expected<MemoryCap, Failure> memoryCapOf(const Arguments& arguments, const Schedule& schedule,
                                             const Costs& costs, const SimResult* result);

} // namespace pw::app
