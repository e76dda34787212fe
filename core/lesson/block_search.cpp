// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/block_search.h"

#include "core/block/lifespan.h"
#include "core/model/costs.h"

#include <algorithm>
#include <string>

namespace pw {

namespace {

/// What looking at a whole repeated block counts as, in choices: it takes that much longer.
constexpr std::int64_t acceptNodes = 200;

class BlockSearch
{
public:
    BlockSearch(const BlockWanted& wanted, std::int64_t mostNodes)
        : m_wanted(wanted)
        , m_block(wanted.block)
        , m_interval(wanted.interval)
        , m_mostNodes(mostNodes)
        , m_taken(static_cast<std::size_t>(m_block.devices), 0)
        , m_alive(static_cast<std::size_t>(m_block.devices * m_interval), 0)
    {
        m_block.interval = m_interval;
        const PipelineSpec spec = specOf(m_block);
        const std::vector<ActivationCost> shares = activationShares(spec, 1, 0);
        m_lives.resize(shares.size());
        for (std::size_t s = 0; s < shares.size(); ++s)
            m_lives[s].share = shares[s].share;
        for (const StageId s : Ids<StageId>(spec.stages()))
            add(PassKind::F, s);
        for (StageId s(spec.stages() - 1); s >= 0; --s) {
            add(PassKind::BW, s);
            add(PassKind::B, s);
        }
        m_chain = m_sequence.size();
        // Nothing waits for W; it takes what is left.
        for (StageId s(spec.stages() - 1); s >= 0; --s)
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
    /// From the F of a stage to the end of what frees its activation, as far as passes have places;
    /// the rest as soon as the chain of the micro-batch allows.
    struct Life
    {
        std::size_t device = 0;
        Share share = 0;
        std::size_t forward = 0, backward = 0; // places in the sequence
        std::size_t weight = 0;                // 0: the backward frees it
        Ticks weightTime = 0;
    };

    void add(PassKind kind, StageId stage)
    {
        for (std::size_t i = 0; i < m_block.passes.size(); ++i) {
            const BlockPass& placed = m_block.passes[i];
            if (placed.pass.kind != kind || placed.pass.stage != stage)
                continue;
            Life& life = m_lives[static_cast<std::size_t>(stage)];
            life.device = static_cast<std::size_t>(m_block.device(placed.pass));
            const std::size_t at = m_sequence.size();
            if (kind == PassKind::F)
                life.forward = at;
            else if (kind == PassKind::W)
                life.weight = at, life.weightTime = placed.duration;
            else
                life.backward = at;
            m_sequence.push_back(i);
            m_soonest.push_back((m_soonest.empty() ? 0 : m_soonest.back()) + placed.duration);
        }
    }

    const BlockPass& at(std::size_t index) const { return m_block.passes[m_sequence[index]]; }

    std::uint64_t slots(Ticks start, Ticks duration) const
    {
        std::uint64_t mask = 0;
        for (Ticks t = 0; t < duration; ++t)
            mask |= std::uint64_t{1} << ((start + t) % m_interval);
        return mask;
    }

    /// The end of a pass of the chain: as it stands, or the soonest.
    Ticks endOf(std::size_t index, std::size_t placed, Ticks ready) const
    {
        if (index < placed)
            return at(index).end();
        const std::size_t last = std::min(placed, m_chain);
        return ready + m_soonest[index] - (last == 0 ? 0 : m_soonest[last - 1]);
    }

    /// Whether what is placed leaves room under the cap on every device, if all the rest came as
    /// soon as its chain allows: lives only become longer.
    /// @param ready  end of the last pass of the chain that has a place
    bool fits(std::size_t placed, Ticks ready)
    {
        std::fill(m_alive.begin(), m_alive.end(), 0);
        m_sum.assign(m_taken.size(), 0);
        for (const Life& life : m_lives) {
            Ticks end = endOf(life.backward, placed, ready);
            if (life.weight > 0)
                end = life.weight < placed ? at(life.weight).end() : end + life.weightTime;
            const bool begun = life.forward < placed;
            const Ticks start = endOf(life.forward, placed, ready) - at(life.forward).duration;
            m_sum[life.device] += life.share * (end - start);
            if (m_sum[life.device] > m_wanted.cap * m_interval)
                return false;
            if (begun && !keeps(life, start, end))
                return false;
        }
        return true;
    }

    /// Counts a life in the places of the interval.
    bool keeps(const Life& life, Ticks start, Ticks end)
    {
        const Ticks whole = (end - start) / m_interval, rest = (end - start) % m_interval;
        Share* alive = m_alive.data() + life.device * static_cast<std::size_t>(m_interval);
        for (Ticks t = 0; t < m_interval; ++t) {
            Share& here = alive[(start + t) % m_interval];
            here += life.share * (whole + (t < rest ? 1 : 0));
            if (here > m_wanted.cap)
                return false;
        }
        return true;
    }

    /// @param ready  end of the pass before it in the chain
    bool place(std::size_t index, Ticks ready)
    {
        if (index == m_sequence.size())
            return isWanted();
        BlockPass& placed = m_block.passes[m_sequence[index]];
        const auto device = static_cast<std::size_t>(m_block.device(placed.pass));
        const bool weight = index >= m_chain;
        const Ticks from =
            weight ? at(m_lives[static_cast<std::size_t>(placed.pass.stage)].backward).end()
                   : ready;
        // The whole may be turned in the interval as one likes.
        const Ticks gaps = index == 0 ? 1 : m_interval;
        for (Ticks gap = 0; gap < gaps; ++gap) {
            if (++m_nodes > m_mostNodes) {
                m_stopped = true;
                return false;
            }
            placed.start = from + gap;
            const std::uint64_t mask = slots(placed.start, placed.duration);
            if ((m_taken[device] & mask) != 0)
                continue;
            const Ticks next = weight ? ready : placed.end();
            if (!fits(index + 1, next))
                break; // later is more still
            m_taken[device] |= mask;
            if (place(index + 1, next))
                return true;
            m_taken[device] &= ~mask;
            if (m_stopped)
                return false;
        }
        return false;
    }

    bool isWanted()
    {
        const std::vector<Share> peaks = predictedPeak(m_block);
        if (*std::max_element(peaks.begin(), peaks.end()) > m_wanted.cap)
            return false;
        if (!m_wanted.accept)
            return true;
        m_nodes += acceptNodes;
        return m_wanted.accept(m_block);
    }

    const BlockWanted& m_wanted;
    BuildingBlock m_block;
    Ticks m_interval;
    std::int64_t m_mostNodes;
    std::int64_t m_nodes = 0;
    bool m_stopped = false;
    std::vector<std::size_t> m_sequence; // the chain, then all W
    std::size_t m_chain = 0;             // how long the chain is
    std::vector<Ticks> m_soonest;        // of the chain: ends if nothing waits
    std::vector<std::uint64_t> m_taken;  // by device: places of the interval
    std::vector<Life> m_lives;           // by stage
    std::vector<Share> m_alive;          // by device and place
    std::vector<Share> m_sum;            // by device: share times time
};

} // namespace

Result<BlockAnswer> findBlock(BlockWanted wanted, std::int64_t mostNodes)
{
    constexpr Ticks longest = 64;
    const BuildingBlock& block = wanted.block;
    if (block.routes.size() != 1 || block.microBatches != 1 || block.segmentLengths.size() != 1)
        return fail(
            ErrorCode::BadValue,
            "only blocks of one micro-batch, one route and whole sequences can be searched");
    if (wanted.interval < 1 || wanted.interval > longest)
        return fail(ErrorCode::BadValue, "an interval of %1 cannot be searched; 1 to 64",
                    wanted.interval);
    wanted.cap = std::min(wanted.cap, shareOne * 1000);
    return BlockSearch(wanted, mostNodes).run();
}

} // namespace pw
