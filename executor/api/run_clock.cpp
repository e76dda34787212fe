// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/transport.h"

#include <ctime>

namespace pw::exec {

namespace {

/// CLOCK_MONOTONIC: what sleeping until a moment counts in, too.
Ticks monotonic()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<Ticks>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

} // namespace

RunClock::RunClock()
    : m_base(monotonic())
{
}

Ticks RunClock::now() const
{
    return monotonic() - m_base;
}

} // namespace pw::exec
