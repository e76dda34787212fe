// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

namespace pw::ui {

class ExecutorClient;
class RunSession;

/// "Run on cpu · iteration 3 of 5 · under way"
QString liveHeading(const ExecutorClient& client);

/// What stands below the plan where no pass has come.
QString liveWaiting(const RunSession& session);

} // namespace pw::ui
