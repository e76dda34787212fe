// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/activity_store.h"

#include <cstdint>

namespace pw {

class Database;

/// Counts the rows of a trace that is being kept, and asks now and then whether to go on.
class KeepMeter
{
public:
    /// @param goOn  may be empty; outlives this, as the database does
    /// @param all   rows that will be written
    KeepMeter(Database& database, const KeepOn& goOn, std::int64_t all);

    /// One more row.
    /// @error Cancelled  it was asked, and said no
    /// @error            as of `Database`
    Result<void> step()
    {
        constexpr std::int64_t often = 8192;
        return ++m_done % often == 0 ? ask() : Result<void>();
    }
    /// Asks whatever the count. @error  as of `step`
    Result<void> ask();

private:
    /// Bytes of the store that are in use; room that was free before counts once it is used.
    Result<std::int64_t> used();

    Database& m_database;
    const KeepOn& m_goOn;
    std::int64_t m_all = 0;
    std::int64_t m_done = 0;
    std::int64_t m_usedBefore = -1;
};

} // namespace pw
