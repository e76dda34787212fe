// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace pw {

/// The most that an import takes in. What is beyond is refused, with the limit's name and value.
struct ImportBudget
{
    std::int64_t spans = 50'000'000; ///< about 70 bytes of memory each
    std::int64_t tracks = 1'000'000;
    std::int64_t nameBytes = std::int64_t{1} << 30; ///< of all names that differ, together
    /// How many times its size a packed file may become, once it is larger than `freeUnpacked`:
    /// traces come to 10 to 50.
    std::int64_t unpacking = 200;
    std::int64_t freeUnpacked = std::int64_t{1} << 30;
    std::int64_t pipeBytes = std::int64_t{16} << 30; ///< of a pipe, which is kept on the disk
};

/// Watches what an import takes in.
class ImportGuard
{
public:
    /// @param trace  outlives this
    ImportGuard(const Trace& trace, const ImportBudget& budget)
        : m_trace(trace)
        , m_budget(budget)
    {
    }

    /// @param unpacked  bytes that came out of the file that is read
    /// @param size      bytes of it on the disk
    /// @return          false, from the first time on, where something is beyond its limit
    bool fine(const std::string& file, std::int64_t unpacked, std::int64_t size);
    /// What is beyond which limit; empty where nothing is.
    const std::string& refusal() const { return m_refusal; }

private:
    const Trace& m_trace;
    ImportBudget m_budget;
    std::size_t m_names = 0; // counted so far
    std::int64_t m_nameBytes = 0;
    std::string m_refusal;
};

} // namespace pw
