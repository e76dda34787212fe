// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/memory_ledger.h"

#include "executor/model/ops.h"

#include <algorithm>
#include <string>

namespace pw::exec {

namespace {

std::size_t indexOf(MemoryUse use)
{
    return static_cast<std::size_t>(use);
}

} // namespace

void MemoryLedger::add(Bytes bytes, MemoryUse use) noexcept
{
    Bytes& now = m_now[indexOf(use)];
    now += bytes;
    m_peaks[indexOf(use)] = std::max(m_peaks[indexOf(use)], now);
}

void MemoryLedger::take(Bytes bytes, MemoryUse use)
{
    if (m_limit != 0 && bytes > m_limit - m_total)
        refuse(bytes, use, m_limit, "the limit is");
    add(bytes, use);
    m_total += bytes;
    m_peakTotal = std::max(m_peakTotal, m_total);
}

void MemoryLedger::giveBack(Bytes bytes, MemoryUse use) noexcept
{
    add(-bytes, use);
    m_total -= bytes;
}

void MemoryLedger::relabel(Bytes bytes, MemoryUse from, MemoryUse to)
{
    add(-bytes, from);
    add(bytes, to);
}

MemoryNow MemoryLedger::takePeaks()
{
    return std::exchange(m_peaks, m_now);
}

void MemoryLedger::refuse(Bytes bytes, MemoryUse use, Bytes most, std::string_view mostName) const
{
    throw DeviceError("out of memory: " + std::to_string(bytes) + " bytes of " +
                      std::string(name(use)) + " wanted, " + std::to_string(m_total) + " in use, " +
                      std::string(mostName) + " " + std::to_string(most));
}

} // namespace pw::exec
