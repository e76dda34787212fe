// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/trace/records.h"
#include "executor/api/worker.h"

#include <string_view>

namespace pw::exec {

/// The books of a rank's memory: bytes by use as they were asked for, the most of each, and an
/// optional limit over all uses. Holds no memory itself; one thread.
class MemoryLedger
{
public:
    /// @param limit  bytes that may be in use at a time; 0: no limit
    explicit MemoryLedger(Bytes limit = 0)
        : m_limit(limit)
    {
    }

    /// Counts memory that is about to be taken.
    /// @throws DeviceError  beyond the limit, with nothing counted; the text says the use, what was
    ///                      wanted, what is in use and the limit
    void take(Bytes bytes, MemoryUse use);
    void giveBack(Bytes bytes, MemoryUse use) noexcept;
    void relabel(Bytes bytes, MemoryUse from, MemoryUse to);

    MemoryNow now() const { return m_now; }
    /// The most of each use, alone, since the last call or the beginning.
    MemoryNow takePeaks();
    Bytes total() const { return m_total; }
    /// The most of all uses together, ever or since `restartPeak`.
    Bytes peakTotal() const { return m_peakTotal; }
    void restartPeak() { m_peakTotal = m_total; }
    Bytes limit() const { return m_limit; }

    /// Says no, as a device does that is full: "out of memory: 64 bytes of activations wanted, 96
    /// in use, the device has 128" with "the device has" for `mostName`.
    /// @throws DeviceError
    [[noreturn]] void refuse(Bytes bytes, MemoryUse use, Bytes most,
                             std::string_view mostName) const;

private:
    void add(Bytes bytes, MemoryUse use) noexcept;

    MemoryNow m_now{};
    MemoryNow m_peaks{};
    Bytes m_total = 0;
    Bytes m_peakTotal = 0;
    Bytes m_limit = 0;
};

} // namespace pw::exec
