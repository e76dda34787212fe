// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/removed_rows.h"

#include <algorithm>

namespace pw::ui {

bool RemovedRows::holds(KeptNumber number) const
{
    return std::any_of(m_deletions.begin(), m_deletions.end(), [number](const Deletion& deletion) {
        return std::find(deletion.begin(), deletion.end(), number) != deletion.end();
    });
}

bool RemovedRows::takeBack(const Deletion& rows)
{
    const auto at = std::find(m_deletions.begin(), m_deletions.end(), rows);
    if (at == m_deletions.end())
        return false;
    m_deletions.erase(at);
    return true;
}

RemovedRows::Deletion RemovedRows::takeAll()
{
    Deletion all;
    for (const Deletion& deletion : m_deletions)
        all.insert(all.end(), deletion.begin(), deletion.end());
    m_deletions.clear();
    return all;
}

} // namespace pw::ui
