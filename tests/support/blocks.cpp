// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/blocks.h"

#include "core/base/assert.h"
#include "core/families/family.h"

#include <algorithm>
#include <random>

namespace pw {

namespace {

/// Draws passes from stage to stage, each some ticks after what it waits for.
class Drawing
{
public:
    Drawing(unsigned seed, bool withoutWeights)
        : m_random(seed)
        , m_withoutWeights(withoutWeights)
    {
    }

    BuildingBlock draw()
    {
        m_block.devices = between(1, 4);
        const int stages = m_block.devices * between(1, 2);
        m_block.routes[0].deviceOfStage.clear();
        for (int stage = 0; stage < stages; ++stage)
            m_block.routes[0].deviceOfStage.push_back(DeviceId(stage % m_block.devices));
        std::shuffle(m_block.routes[0].deviceOfStage.begin(), m_block.routes[0].deviceOfStage.end(),
                     m_random);
        m_block.microBatches = between(1, 3);
        m_block.segmentLengths.assign(static_cast<std::size_t>(between(1, 2)), 1);
        for (int j = 0; j < m_block.microBatches; ++j)
            drawMicroBatch(j);
        std::vector<Ticks> work(static_cast<std::size_t>(m_block.devices), 0);
        for (const BlockPass& placed : m_block.passes)
            work[static_cast<std::size_t>(m_block.device(placed.pass))] += placed.duration;
        m_block.interval = *std::max_element(work.begin(), work.end()) + between(0, 20);
        // Room for the weights that are still to come.
        if (m_withoutWeights)
            m_block.interval += m_block.interval / 2 + 4;
        std::shuffle(m_block.passes.begin(), m_block.passes.end(), m_random);
        return m_block;
    }

private:
    int between(int low, int high) { return std::uniform_int_distribution(low, high)(m_random); }

    Ticks add(PassKind kind, StageId stage, int microBatch, int segment, Ticks ready)
    {
        const BlockPass placed{
            {kind, 0, stage, microBatch, segment}, ready + between(0, 3), between(1, 3)};
        m_block.passes.push_back(placed);
        return placed.end();
    }

    void drawMicroBatch(int microBatch)
    {
        const int stages = m_block.routes[0].stages();
        const int segments = static_cast<int>(m_block.segmentLengths.size());
        std::vector<Ticks> forward(static_cast<std::size_t>(segments), between(-5, 5));
        std::vector<std::vector<Ticks>> forwards;
        for (const StageId stage : Ids<StageId>(stages)) {
            Ticks before = -100;
            for (int q = 0; q < segments; ++q) {
                Ticks& at = forward[static_cast<std::size_t>(q)];
                at = add(PassKind::F, stage, microBatch, q, std::max(at, before));
                before = at;
            }
            forwards.push_back(forward);
        }
        std::vector<Ticks> gradient = forward;
        for (StageId stage(stages - 1); stage >= 0; --stage) {
            Ticks before = -100;
            for (int q = segments - 1; q >= 0; --q) {
                Ticks& at = gradient[static_cast<std::size_t>(q)];
                const Ticks own =
                    forwards[static_cast<std::size_t>(stage)][static_cast<std::size_t>(q)];
                at = std::max({at, before, own});
                if (!m_withoutWeights && between(0, 5) == 0)
                    at = std::max(at, add(PassKind::R, stage, microBatch, q, own));
                const bool split = m_withoutWeights || between(0, 1) == 0;
                at = add(split ? PassKind::B : PassKind::BW, stage, microBatch, q, at);
                if (split && !m_withoutWeights)
                    add(PassKind::W, stage, microBatch, q, at + between(0, 10));
                before = at;
            }
        }
    }

    std::mt19937 m_random;
    bool m_withoutWeights;
    BuildingBlock m_block;
};

} // namespace

BuildingBlock blockOf(std::string_view family, int devices)
{
    const auto found = findFamily(family);
    PW_ASSERT(found.has_value() && (*found)->block != nullptr);
    FamilyOptions options;
    options.devices = devices;
    auto block = (*found)->block(options);
    PW_ASSERT(block.has_value());
    return *block;
}

BuildingBlock randomBlock(unsigned seed, PassKind backward)
{
    return Drawing(seed, backward == PassKind::B).draw();
}

} // namespace pw
