// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/clocks.h"
#include "executor/api/transport.h"

namespace pw::exec {

RunClock::RunClock()
    : m_base(sys::steadyNow())
{
}

Ticks RunClock::now() const
{
    return sys::steadyNow() - m_base;
}

} // namespace pw::exec
