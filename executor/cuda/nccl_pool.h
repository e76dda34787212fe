// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/nccl_api.h"
#include "executor/cuda/rank_links.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace pw::exec::cuda {

/// What a connection is set up for by its first use, each with transports of its own in NCCL.
enum class FirstUse
{
    Message,
    Sum,
    Swap
};

/// A connection of two ranks of this process that no run uses now: nothing is under way on it.
struct KeptLink
{
    std::array<ncclComm_t, 2> comms{};
    std::array<cudaStream_t, 2> streams{};
    std::array<int, 2> gpus{};
    std::vector<FirstUse> tried; ///< what it has been used for
};

/// Connections from run to run, since NCCL takes a second and more for each. One thread at a time.
class NcclPool
{
public:
    explicit NcclPool(const NcclApi& api)
        : m_api(api)
    {
    }
    /// Closes all of them, those that do not end in time by cutting them off.
    ~NcclPool();
    NcclPool(const NcclPool&) = delete;
    NcclPool& operator=(const NcclPool&) = delete;

    std::optional<KeptLink> take(const LinkKey& key);
    void give(const LinkKey& key, KeptLink link);

private:
    const NcclApi& m_api;
    std::map<LinkKey, KeptLink> m_links;
};

/// Closes a communicator on its GPU, and cuts it off where that takes longer than a closing may.
void closeComm(const NcclApi& api, ncclComm_t comm, int gpu) noexcept;

} // namespace pw::exec::cuda
