// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/worker.h"

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

namespace pw::exec {

/// Memory for `bytes` on the host, at an address that 64 divides; undefined content, never null.
///
/// Goes back through `freeHost`, from any thread. What the CPU device allocates and what payloads
/// hold is of this one kind, so that a result changes hands without a copy.
/// @throws std::bad_alloc
inline void* allocateHost(Bytes bytes)
{
    constexpr std::size_t alignment = 64;
    const std::size_t whole =
        (static_cast<std::size_t>(bytes) + alignment - 1) / alignment * alignment;
    void* data = std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
    if (data == nullptr)
        throw std::bad_alloc();
    return data;
}

/// @param data  of `allocateHost`, or null
inline void freeHost(void* data) noexcept
{
    std::free(data);
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
