// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/block_search.h"

#include "core/block/lifespan.h"
#include "core/model/costs.h"

#include <algorithm>
#include <string>

namespace pw {

namespace {

class BlockSearch
{
public:
    BlockSearch(const BuildingBlock& block, Ticks interval, Share cap, std::int64_t mostNodes)
        : m_block(block)
        , m_interval(interval)
        , m_cap(cap)
        , m_mostNodes(mostNodes)
        , m_taken(static_cast<std::size_t>(block.devices), 0)
        , m_kept(static_cast<std::size_t>(block.devices), 0)
    {
        m_block.interval = interval;
        const int stages = block.routes.front().stages();
        m_forward.assign(static_cast<std::size_t>(stages), 0);
        m_shares = activationShares(specOf(block), 1, 0);
        for (const StageId s : Ids<StageId>(stages))
            add(PassKind::F, s);
        for (StageId s(stages - 1); s >= 0; --s) {
            add(PassKind::BW, s);
            add(PassKind::B, s);
        }
        // Nothing waits for W; it takes what is left.
        for (StageId s(stages - 1); s >= 0; --s)
            add(PassKind::W, s);
    }

    BlockAnswer run()
    {
        BlockAnswer answer;
        const bool found = place(0, 0);
        answer.finished = found || !m_stopped;
        answer.nodes = m_nodes;
        if (found)
            answer.block = m_block;
        return answer;
    }

private:
    void add(PassKind kind, StageId stage)
    {
        for (std::size_t i = 0; i < m_block.passes.size(); ++i) {
            if (m_block.passes[i].pass.kind == kind && m_block.passes[i].pass.stage == stage)
                m_sequence.push_back(i);
        }
    }

    std::uint64_t slots(Ticks start, Ticks duration) const
    {
        std::uint64_t mask = 0;
        for (Ticks t = 0; t < duration; ++t)
            mask |= std::uint64_t{1} << ((start + t) % m_interval);
        return mask;
    }

    /// Adds what a stage keeps from its F up to a time; above 0 where it is too much on average.
    bool keeps(StageId stage, std::size_t device, Ticks until)
    {
        const auto s = static_cast<std::size_t>(stage);
        m_kept[device] += m_shares[s].share * (until - m_forward[s]);
        return m_kept[device] <= m_cap * m_interval;
    }

    /// @param ready  end of the pass before it in the chain
    bool place(std::size_t index, Ticks ready)
    {
        if (index == m_sequence.size()) {
            const std::vector<Share> peaks = predictedPeak(m_block);
            return *std::max_element(peaks.begin(), peaks.end()) <= m_cap;
        }
        BlockPass& placed = m_block.passes[m_sequence[index]];
        const auto device = static_cast<std::size_t>(m_block.device(placed.pass));
        const bool weight = placed.pass.kind == PassKind::W;
        const Ticks from = weight ? endOfBackward(placed.pass.stage) : ready;
        for (Ticks gap = 0; gap < m_interval; ++gap) {
            if (++m_nodes > m_mostNodes) {
                m_stopped = true;
                return false;
            }
            // The whole may be turned in the interval as one likes.
            if (index == 0 && gap > 0)
                break;
            placed.start = from + gap;
            const std::uint64_t mask = slots(placed.start, placed.duration);
            if ((m_taken[device] & mask) != 0)
                continue;
            const Share kept = m_kept[device];
            if (placed.pass.kind == PassKind::F)
                m_forward[static_cast<std::size_t>(placed.pass.stage)] = placed.start;
            else if (!keepsBy(placed, device)) {
                m_kept[device] = kept;
                break; // later is more still
            }
            m_taken[device] |= mask;
            if (place(index + 1, weight ? ready : placed.end()))
                return true;
            m_taken[device] &= ~mask;
            m_kept[device] = kept;
            if (m_stopped)
                return false;
        }
        return false;
    }

    /// Counts what a backward or a W adds to the time that its activation is kept.
    bool keepsBy(const BlockPass& placed, std::size_t device)
    {
        const StageId stage = placed.pass.stage;
        if (placed.pass.kind != PassKind::W)
            return keeps(stage, device, placed.end());
        const auto s = static_cast<std::size_t>(stage);
        m_kept[device] += m_shares[s].share * (placed.end() - endOfBackward(stage));
        return m_kept[device] <= m_cap * m_interval;
    }

    Ticks endOfBackward(StageId stage) const
    {
        for (const BlockPass& other : m_block.passes) {
            if (other.pass.kind == PassKind::B && other.pass.stage == stage)
                return other.end();
        }
        return 0;
    }

    BuildingBlock m_block;
    Ticks m_interval;
    Share m_cap;
    std::int64_t m_mostNodes;
    std::int64_t m_nodes = 0;
    bool m_stopped = false;
    std::vector<std::size_t> m_sequence;
    std::vector<std::uint64_t> m_taken; // by device: places of the interval
    std::vector<Share> m_kept;          // by device: share times time
    std::vector<Ticks> m_forward;       // by stage: start of its F
    std::vector<ActivationCost> m_shares;
};

} // namespace

Result<BlockAnswer> findBlock(const BuildingBlock& block, Ticks interval, Share cap,
                              std::int64_t mostNodes)
{
    constexpr Ticks longest = 64;
    if (block.routes.size() != 1 || block.microBatches != 1 || block.segmentLengths.size() != 1)
        return fail(
            ErrorCode::BadValue,
            "only blocks of one micro-batch, one route and whole sequences can be searched");
    if (interval < 1 || interval > longest)
        return fail(ErrorCode::BadValue, "an interval of %1 cannot be searched; 1 to 64", interval);
    return BlockSearch(block, interval, std::min(cap, shareOne * 1000), mostNodes).run();
}

} // namespace pw
