// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/gpu_seats.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace pw::exec::cuda {

namespace {

/// A matching of processes and GPUs; one finds its way to a free GPU over those of others that have
/// another choice.
class Seats
{
public:
    explicit Seats(std::span<const GpuSight> sights)
        : m_sights(sights)
        , m_seat(sights.size(), -1)
    {
    }

    /// Whether the process has a GPU afterwards. Nobody loses theirs.
    bool place(std::size_t rank)
    {
        std::set<Key> visited;
        return place(rank, visited);
    }
    std::vector<int> take() { return std::move(m_seat); }

    /// Ranks that have what a process sees.
    std::string holdersOf(std::size_t rank) const
    {
        std::set<std::size_t> ranks;
        for (int i = 0; i < m_sights[rank].count; ++i) {
            if (const auto holder = m_holders.find(keyOf(rank, i)); holder != m_holders.end())
                ranks.insert(holder->second);
        }
        std::string text;
        for (const std::size_t one : ranks)
            text += (text.empty() ? "" : ", ") + std::to_string(one);
        return text;
    }

private:
    /// A GPU with an identity; or one of a process.
    using Key = std::pair<GpuIdentity, std::pair<std::size_t, int>>;

    Key keyOf(std::size_t rank, int gpu) const
    {
        const GpuIdentity& identity = m_sights[rank].gpus[static_cast<std::size_t>(gpu)];
        if (identity == GpuIdentity{})
            return {identity, {rank + 1, gpu}};
        return {identity, {0, 0}};
    }

    bool place(std::size_t rank, std::set<Key>& visited)
    {
        const GpuSight& sight = m_sights[rank];
        for (int i = 0; i < sight.count; ++i) {
            // That of its place first.
            const int gpu = (sight.place + i) % sight.count;
            const Key key = keyOf(rank, gpu);
            if (!visited.insert(key).second)
                continue;
            const auto holder = m_holders.find(key);
            if (holder != m_holders.end() && !place(holder->second, visited))
                continue;
            m_holders[key] = rank;
            m_seat[rank] = gpu;
            return true;
        }
        return false;
    }

    std::span<const GpuSight> m_sights;
    std::vector<int> m_seat;
    std::map<Key, std::size_t> m_holders;
};

} // namespace

Result<std::vector<int>> seatsOf(std::span<const GpuSight> sights)
{
    Seats seats(sights);
    for (std::size_t rank = 0; rank < sights.size(); ++rank) {
        if (seats.place(rank))
            continue;
        if (sights[rank].count == 0)
            return fail(ErrorCode::BadValue, "rank %1 sees no GPU", rank);
        return fail(ErrorCode::BadValue,
                    "there is no GPU for rank %1: ranks %2 have all that it sees (%3); NCCL takes "
                    "one process a GPU",
                    rank, seats.holdersOf(rank), sights[rank].count);
    }
    return seats.take();
}

} // namespace pw::exec::cuda
