// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/worker.h"

#include <cstddef>
#include <new>
#include <utility>

namespace pw::exec {

constexpr std::align_val_t hostAlignment{64};

/// Memory for `bytes` on the host, at an address that 64 divides; undefined content, never null.
///
/// Goes back through `freeHost`, from any thread. What the CPU device allocates and what payloads
/// hold is of this one kind, so that a result changes hands without a copy.
/// @throws std::bad_alloc
inline void* allocateHost(Bytes bytes)
{
    return ::operator new(static_cast<std::size_t>(bytes), hostAlignment);
}

/// @param data  of `allocateHost`, or null
inline void freeHost(void* data) noexcept
{
    ::operator delete(data, hostAlignment);
}

/// A result in host memory, which the payload owns until somebody takes it over.
///
/// Made and read by different threads, one at a time; whoever hands it over synchronises.
class HostPayload final : public Payload
{
public:
    /// Memory of its own, to be filled: a message that comes from another process.
    explicit HostPayload(Bytes bytes)
        : m_data(allocateHost(bytes))
        , m_bytes(bytes)
    {
    }
    /// Takes memory of `allocateHost` over.
    HostPayload(void* data, Bytes bytes)
        : m_data(data)
        , m_bytes(bytes)
    {
    }
    ~HostPayload() override { freeHost(m_data); }
    HostPayload(const HostPayload&) = delete;
    HostPayload& operator=(const HostPayload&) = delete;

    Bytes bytes() const override { return m_bytes; }
    void* data() { return m_data; } ///< null once surrendered
    const void* data() const { return m_data; }
    /// Gives the memory away; the caller frees it.
    void* surrender() { return std::exchange(m_data, nullptr); }

private:
    void* m_data = nullptr;
    Bytes m_bytes = 0;
};

} // namespace pw::exec
