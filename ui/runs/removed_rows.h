// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <vector>

namespace pw::ui {

/// What a row of a store's list stands for: a run by its number, a kept answer by its number with a
/// minus.
using KeptNumber = std::int64_t;

/// Rows of a store's list that were deleted, and can still be brought back: they are only hidden
/// until the store is left.
class RemovedRows
{
public:
    using Deletion = std::vector<KeptNumber>;

    bool holds(KeptNumber number) const;
    void add(const Deletion& rows) { m_deletions.push_back(rows); }
    /// Brings back what one deletion took away. @return  false: there is no such deletion
    bool takeBack(const Deletion& rows);
    /// What the last deletion took away; empty: there is none.
    Deletion last() const { return m_deletions.empty() ? Deletion{} : m_deletions.back(); }
    /// All rows at once, of which nothing is hidden any more.
    Deletion takeAll();

private:
    std::vector<Deletion> m_deletions; ///< in the order in which they came
};

} // namespace pw::ui
