// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace pw::families {

/// One of the two chunks of a device, in the turn it takes: phase 0 is the chunk that the device's
/// own end of the pipeline feeds.
struct PhaseChunk
{
    std::uint8_t route = 0;
    StageId stage{0};
    int firstMicroBatch = 0; ///< the chunk takes its micro-batches in order from here
};

/// Writes the order of one device of DualPipe or DualPipeV.
///
/// The two differ only in what the chunks are: seen from either end, half of DualPipe's devices are
/// a DualPipeV.
/// @source deepseek-ai/DualPipe; arXiv:2412.19437 §3.2.1
class DualPipeOrder
{
public:
    /// @param position  distance from the end that feeds phase 0
    /// @param half      devices from that end to the turn
    DualPipeOrder(int position, int half, std::array<PhaseChunk, 2> chunks)
        : m_position(position)
        , m_half(half)
        , m_chunks(chunks)
    {
    }

    /// @param pairs  repetitions of the main part, at least 0
    std::vector<OrderEntry> make(int pairs)
    {
        const int before = m_half - 1 - m_position; // devices between this one and the turn
        for (int i = 0; i < 2 * before; ++i)
            add(forward(0));
        for (int i = 0; i <= m_position; ++i) {
            add(forward(0));
            add(forward(1));
        }
        for (int i = 0; i < before; ++i) {
            add(backward(1, true));
            addWeight();
            add(forward(1));
        }
        appendPairs(pairs);
        for (int i = 0; i < before; ++i) {
            add(backward(1, false));
            addPair(1, 0);
        }
        appendLastBackwards();
        for (int i = 0; i < before; ++i) {
            addWeight();
            add(backward(0, true));
        }
        while (!m_waiting.empty())
            addWeight();
        return std::move(m_order);
    }

private:
    void appendPairs(int pairs)
    {
        for (int i = 0; i < pairs; ++i) {
            if (i == 0 && m_position == m_half - 1) {
                // At the turn the backward's gradient is the next device's first: apart, it is
                // ready sooner.
                add(forward(0));
                add(backward(1, false));
            } else {
                addPair(0, 1);
            }
            addPair(1, 0);
        }
    }

    /// Both phases in turn; the second half of them leaves its weights for the end.
    void appendLastBackwards()
    {
        const int count = 2 * (m_position + 1);
        for (int x = 0; x < count; ++x)
            add(backward(x % 2 == 0 ? 1 : 0, x >= count / 2));
    }

    Pass forward(int phase) { return next(PassKind::F, phase, m_forwards); }

    Pass backward(int phase, bool split)
    {
        const Pass pass = next(split ? PassKind::B : PassKind::BW, phase, m_backwards);
        if (split)
            m_waiting.push_back(pass);
        return pass;
    }

    Pass next(PassKind kind, int phase, std::array<int, 2>& counts)
    {
        const auto index = static_cast<std::size_t>(phase);
        const PhaseChunk& chunk = m_chunks[index];
        return {kind, chunk.route, chunk.stage, chunk.firstMicroBatch + counts[index]++, 0};
    }

    void add(const Pass& pass) { m_order.push_back(single(pass)); }

    void addPair(int forwardPhase, int backwardPhase)
    {
        const Pass first = forward(forwardPhase);
        m_order.push_back(overlapped(first, backward(backwardPhase, false)));
    }

    /// W of the oldest B that has none yet.
    void addWeight()
    {
        Pass pass = m_waiting.front();
        m_waiting.pop_front();
        pass.kind = PassKind::W;
        add(pass);
    }

    int m_position;
    int m_half;
    std::array<PhaseChunk, 2> m_chunks;
    std::array<int, 2> m_forwards{};
    std::array<int, 2> m_backwards{};
    std::deque<Pass> m_waiting; // B without its W, oldest first
    std::vector<OrderEntry> m_order;
};

/// Idle time of every device, for `half` devices up to the turn and times of one chunk.
///
/// Exact for an overlapped pair that takes the sum of its passes. For forward = backward ≥ weight
/// it is the formula of DualPipe's authors, (half − 1)(pair + BW − 3W); they differ elsewhere, and
/// this one is what the order does.
inline double dualPipeBubble(double half, double forward, double backward, double weight)
{
    const double late = backward > weight ? backward - weight : 0;
    const double fill = (half - 1) * forward;
    const double drain = (half - 1) * backward - forward;
    return (half - 1) * (forward + late) + (fill > drain ? fill : drain);
}

} // namespace pw::families
