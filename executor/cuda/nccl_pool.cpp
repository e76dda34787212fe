// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/nccl_pool.h"

#include "executor/cuda/cuda_error.h"
#include "executor/cuda/helper_thread.h"
#include "executor/cuda/rank_device.h"

#include <functional>
#include <utility>

namespace pw::exec::cuda {

namespace {

std::function<void()> closing(const NcclApi& api, ncclComm_t comm, int gpu)
{
    return [nccl = &api, comm, gpu] {
        check("cudaSetDevice", cudaSetDevice(gpu));
        nccl->check("ncclCommFinalize", nccl->commFinalize(comm), comm);
        nccl->commDestroy(comm);
    };
}

} // namespace

void closeComm(const NcclApi& api, ncclComm_t comm, int gpu) noexcept
{
    try {
        onHelpers({closing(api, comm, gpu)}, {nullptr, closingLimit}, "ncclCommFinalize",
                  [nccl = &api, comm] { nccl->commAbort(comm); });
    } catch (const std::exception&) {
        // What could not be closed has been cut off.
    }
}

NcclPool::~NcclPool()
{
    // Both ends at once: the one may wait for the other.
    for (auto& [key, link] : m_links) {
        std::vector<std::function<void()>> ends;
        for (std::size_t i = 0; i < 2; ++i)
            ends.push_back(closing(m_api, link.comms[i], link.gpus[i]));
        try {
            onHelpers(std::move(ends), {nullptr, closingLimit}, "ncclCommFinalize",
                      [this, comms = link.comms] {
                          const NcclAborts all(m_api);
                          for (ncclComm_t comm : comms)
                              all.add(comm);
                      });
        } catch (const std::exception&) {
            // What could not be closed has been cut off.
        }
    }
}

std::optional<KeptLink> NcclPool::take(const LinkKey& key)
{
    const auto found = m_links.find(key);
    if (found == m_links.end())
        return std::nullopt;
    KeptLink link = std::move(found->second);
    m_links.erase(found);
    return link;
}

void NcclPool::give(const LinkKey& key, KeptLink link)
{
    m_links.insert_or_assign(key, std::move(link));
}

} // namespace pw::exec::cuda
