// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/rank_device.h"

#include <array>
#include <cstddef>

namespace pw::exec::cuda {

/// Uploads on their way to the device: host memory that the device reads by itself, so that neither
/// waits for the other. What is larger than a place goes piece by piece.
class Staging
{
public:
    /// @throws DeviceError
    explicit Staging(RankDevice& device);
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// Leaves the memory to the end of the process: the device may still read it.
    void abandon() noexcept { m_memory = nullptr; }

    /// Enqueues copies on the current stream; `host` may change when the call returns.
    /// @param patience  for a place to become free
    /// @throws DeviceError
    void upload(void* to, const void* host, Bytes bytes, Ticks patience);

private:
    static constexpr std::size_t placeBytes = std::size_t{256} << 10;
    static constexpr std::size_t placeCount = 16;

    RankDevice& m_device;
    std::byte* m_memory = nullptr;
    std::size_t m_next = 0;
    std::array<std::shared_ptr<Event>, placeCount> m_read; ///< when each place has been read
};

/// Copies to the host what the work on the current stream has made, and waits for it.
/// @param patience  for the work, and for the copy
/// @throws DeviceError
void download(RankDevice& device, void* host, const void* from, Bytes bytes, Ticks patience);

} // namespace pw::exec::cuda
