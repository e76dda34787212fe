// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <atomic>
#include <chrono>

namespace pw {

/// While it lives, long work of this thread may be ended early: by a flag that another thread sets,
/// or by a time. What a search gives then is worth nothing, whether it is a value or an error.
///
/// Scopes nest; the innermost counts.
class StopScope
{
public:
    using Time = std::chrono::steady_clock::time_point;

    /// @param flag  outlives the scope
    explicit StopScope(const std::atomic<bool>& flag);
    explicit StopScope(Time deadline);
    ~StopScope();
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

private:
    friend bool stopAsked();
    bool asked();

    const std::atomic<bool>* m_flag = nullptr;
    Time m_deadline = Time::max();
    bool m_asked = false;
    StopScope* m_outer;
};

/// Whether the work of this thread is to end. Long searches ask it now and then; once it is true it
/// stays true as long as the scope lives. Without a scope: false.
bool stopAsked();

} // namespace pw
