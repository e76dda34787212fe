// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw {

/// What a look through a whole store found.
struct StoreCheck
{
    std::int64_t runs = 0;
    std::vector<std::string> problems; ///< a sentence each, the first few of many

    bool sound() const { return problems.empty(); }
};

/// Reads every page and every row of a store.
///
/// @return     the problems; none of a store that is whole
/// @error Io   not a file, or none that is or was a store
Result<StoreCheck> checkStore(const std::string& path);

/// What a repair kept.
struct StoreRepair
{
    std::int64_t runs = 0;
    std::int64_t rows = 0;               ///< of all tables
    std::int64_t refused = 0;            ///< rows that could be read and hold what no run can
    std::vector<std::string> unreadable; ///< what could be read in part only: "pass of run 3"
    std::string damaged;                 ///< where the store as it was lies now
};

/// Makes a new store of what can be read, in the place of the damaged one, which stays beside it.
/// Runs that lost something are marked as incomplete and say so in their log.
///
/// @error Io  another program uses the store, or the new one cannot be written; nothing has changed
Result<StoreRepair> repairStore(const std::string& path);

} // namespace pw
