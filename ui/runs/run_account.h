// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/account.h"
#include "core/analysis/exposure.h"
#include "ui/charts/account_chart.h"
#include "ui/runs/run_timeline.h"

#include <memory>
#include <vector>

namespace pw::ui {

/// Where the time of an iteration of a run went.
struct RunAccount
{
    std::shared_ptr<const Account> account;
    GuessedParts guessed;
    int iterations = 1; ///< that say what is usual
    /// Of the iteration, or, where its messages are not recorded, of the whole trace; may be empty.
    std::vector<DeviceTransfers> transfers;
    bool ofTrace = false; ///< transfers
};

using RunAccountPtr = std::shared_ptr<const RunAccount>;

/// Accounts for an iteration; what is usual, up to 64 counted iterations say, fewer of long ones.
/// @error  as of `RunStore`
Result<RunAccountPtr> loadAccount(RunStore& store, const RunTimeline& timeline,
                                  const RunRecords& records);

/// "device 3"
QStringList deviceNames(int devices);

} // namespace pw::ui
