// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/stop.h"

namespace pw {

namespace {

StopScope*& innermost()
{
    thread_local StopScope* scope = nullptr;
    return scope;
}

} // namespace

StopScope::StopScope(const std::atomic<bool>& flag)
    : m_flag(&flag)
    , m_outer(innermost())
{
    innermost() = this;
}

StopScope::StopScope(Time deadline)
    : m_deadline(deadline)
    , m_outer(innermost())
{
    innermost() = this;
}

StopScope::~StopScope()
{
    innermost() = m_outer;
}

bool StopScope::asked()
{
    m_asked = m_asked || (m_flag != nullptr ? m_flag->load(std::memory_order_relaxed)
                                            : std::chrono::steady_clock::now() >= m_deadline);
    return m_asked;
}

bool stopAsked()
{
    StopScope* scope = innermost();
    return scope != nullptr && scope->asked();
}

} // namespace pw
