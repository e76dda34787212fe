// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <atomic>

namespace pw::exec {

/// A wish to end, from any thread or a signal handler; once made it stays.
class Stop
{
public:
    void request() noexcept { m_requested.store(true, std::memory_order_release); }
    bool requested() const noexcept { return m_requested.load(std::memory_order_acquire); }

private:
    std::atomic<bool> m_requested{false};
};

} // namespace pw::exec
