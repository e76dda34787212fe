// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/draft.h"

#include <cstdint>
#include <vector>

namespace pw {

/// The passes that a draft has, where they stand, and which of them wait for which. Of equal passes
/// the first counts; entries count through the devices' lists. The draft must outlive it and keep
/// its spec.
class Present
{
public:
    explicit Present(const Draft& draft);

    /// Entry of the pass, or of the other backward of its cell; −1 where there is none.
    EntryId entry(const Pass& pass) const;
    bool has(const Pass& pass) const { return entry(pass) >= 0; }
    /// The kind that stands at the place of a pass. @pre has(pass)
    PassKind kind(const Pass& pass) const
    {
        return m_kinds[static_cast<std::size_t>(m_table.id(pass).value)];
    }

    /// What a pass waits for, whether it is there or not; of a backward the kind may be the other
    /// one. Appends to `out`. Inputs of a U are its gradients that are there.
    void producers(const Pass& pass, std::vector<Pass>& out) const;

    /// What waits for a pass and is there, as entries. Appends to `out`.
    void consumers(const Pass& pass, std::vector<EntryId>& out) const;

private:
    void note(const Pass& pass, DeviceId device, EntryId index);

    const PipelineSpec& m_spec;
    PassTable m_table;
    std::vector<EntryId> m_entries; // by place
    std::vector<PassKind> m_kinds;  // by place
};

/// The same pass with another kind.
inline Pass withKind(Pass pass, PassKind kind)
{
    pass.kind = kind;
    return pass;
}

} // namespace pw
