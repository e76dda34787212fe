// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/rank_device.h"

namespace pw::exec::cuda {

/// Memory of one operation, given back when it has been added to the rank's launches: whoever takes
/// it next uses it behind them.
class OpScratch
{
public:
    OpScratch(RankDevice& device, Bytes bytes)
        : m_device(device)
        , m_bytes(bytes)
    {
        if (bytes > 0)
            m_data = device.memory->take(bytes, MemoryUse::Workspace, device.launches.stream());
    }
    ~OpScratch()
    {
        if (m_data != nullptr)
            m_device.memory->release(m_data, m_bytes, MemoryUse::Workspace,
                                     m_device.launches.stream());
    }
    OpScratch(const OpScratch&) = delete;
    OpScratch& operator=(const OpScratch&) = delete;

    void* data() const { return m_data; }
    float* floats() const { return static_cast<float*>(m_data); }

private:
    RankDevice& m_device;
    Bytes m_bytes;
    void* m_data = nullptr;
};

} // namespace pw::exec::cuda
