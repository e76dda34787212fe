// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/random_drafts.h"

#include <QtGlobal>

#include <algorithm>

namespace pw::test {

namespace {

template<typename T>
T& any(std::vector<T>& list, std::mt19937& random)
{
    return list[static_cast<std::size_t>(below(random, static_cast<int>(list.size())))];
}

} // namespace

int below(std::mt19937& random, int end)
{
    return static_cast<int>(random() % static_cast<unsigned>(end));
}

FamilyOptions optionsFor(const Family& family, std::mt19937& random)
{
    for (int attempt = 0; attempt < 200; ++attempt) {
        FamilyOptions options;
        options.devices = 2 * (1 + below(random, 2));
        options.microBatches = options.devices * (1 + below(random, 3));
        const bool several = below(random, 4) == 0;
        options.steps = several ? 2 : 1;
        options.updates = several || below(random, 4) == 0;
        if (const auto spec = specOf(family, options); spec && family.build != nullptr) {
            if (family.build(*spec, options, expand(UniformCosts{}, *spec)))
                return options;
        }
    }
    qFatal("%s takes no size that was tried", std::string(family.id).c_str());
}

Schedule familySchedule(const Family& family, std::mt19937& random)
{
    auto schedule = buildUniform(family, optionsFor(family, random), UniformCosts{});
    if (!schedule)
        qFatal("%s", schedule.error().message.c_str());
    return *std::move(schedule);
}

Costs randomCosts(const PipelineSpec& spec, std::mt19937& random)
{
    UniformCosts uniform;
    uniform.keptForWeight = 0.5;
    uniform.stash = 0.25;
    uniform.activation = 1 << 20;
    Costs costs = expand(uniform, spec);
    constexpr Ticks unit = ticksPerMs / 4;
    const auto scatter = [&](std::vector<Ticks>& table) {
        for (Ticks& time : table)
            time = below(random, 20) * unit;
    };
    scatter(costs.forward);
    scatter(costs.backward);
    scatter(costs.weight);
    costs.recompute = costs.forward;
    costs.pair = costs.forward;
    scatter(costs.pair);
    costs.update.assign(static_cast<std::size_t>(spec.stages()), 3 * unit);
    costs.link.latency = below(random, 4) * 2 * unit;
    if (below(random, 2) == 0)
        costs.link.bytesPerSecond = 1e6;
    costs.forwardMessage.assign(costs.forward.size(), 1000);
    costs.backwardMessage.assign(costs.forward.size(), 3000);
    costs.weights.assign(static_cast<std::size_t>(spec.stages()), 5000);
    costs.gradients.assign(static_cast<std::size_t>(spec.stages()), 700);
    costs.optimizer.assign(static_cast<std::size_t>(spec.stages()), 90);
    if (below(random, 3) == 0)
        costs.linkTrace = {{0, 1.0}, {40 * unit, 3.0}, {120 * unit, 0.5}};
    if (below(random, 3) == 0)
        costs.single = {
            {{PassKind::F, static_cast<std::uint8_t>(spec.route(0)), StageId(0), 0, 0}, 28 * unit}};
    return costs;
}

void removeSome(Draft& draft, std::mt19937& random)
{
    const int share = 2 + below(random, 12);
    for (auto& order : draft.orders) {
        order.erase(std::remove_if(order.begin(), order.end(),
                                   [&](const OrderEntry&) { return below(random, share) == 0; }),
                    order.end());
    }
    auto& order = any(draft.orders, random);
    if (!order.empty())
        order.erase(order.begin() + below(random, static_cast<int>(order.size())));
}

void disturb(Draft& draft, std::mt19937& random)
{
    for (int changes = 1 + below(random, 6); changes > 0; --changes) {
        auto& order = any(draft.orders, random);
        if (order.empty())
            continue;
        const auto at = [&] {
            return order.begin() + below(random, static_cast<int>(order.size()));
        };
        switch (below(random, 6)) {
        case 0:
            order.erase(at());
            break;
        case 1:
            std::iter_swap(at(), at());
            break;
        case 2: {
            const OrderEntry copy = *at();
            order.insert(at(), copy);
            break;
        }
        case 3: {
            const OrderEntry moved = *at();
            order.erase(std::find(order.begin(), order.end(), moved));
            order.insert(order.begin() + below(random, static_cast<int>(order.size()) + 1), moved);
            break;
        }
        case 4:
            at()->pass.microBatch = below(random, 9) - 2;
            break;
        default:
            at()->pass.stage = StageId(below(random, 9) - 2);
        }
    }
}

} // namespace pw::test
