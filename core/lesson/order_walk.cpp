// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/order_walk.h"

#include "core/base/try.h"

#include <algorithm>

namespace pw {

namespace {

using Order = std::vector<OrderEntry>;

/// All orders of one device: its stages and kinds in every mixture that keeps each micro-batch's
/// own way through the device.
class DeviceWalk
{
public:
    DeviceWalk(const OrderSpace& space, DeviceId device, std::size_t most)
        : m_space(space)
        , m_most(most)
    {
        const PipelineSpec& spec = space.spec;
        for (const PassKind kind :
             {PassKind::F, PassKind::R, PassKind::B, PassKind::BW, PassKind::W})
            if (std::find(space.kinds.begin(), space.kinds.end(), kind) != space.kinds.end())
                for (const StageId stage : Ids<StageId>(spec.stages()))
                    if (spec.device(0, stage) == device)
                        m_classes.push_back({kind, stage, 0});
        if (!space.fixed.empty())
            m_fixed = space.fixed[static_cast<std::size_t>(device)];
    }

    /// @return whether those are all
    bool run()
    {
        extend();
        return orders.size() <= m_most;
    }

    std::vector<Order> orders;

private:
    struct Class
    {
        PassKind kind;
        StageId stage;
        int done; ///< micro-batches
    };

    int doneOf(PassKind kind, StageId stage) const
    {
        for (const Class& one : m_classes)
            if (one.kind == kind && one.stage == stage)
                return one.done;
        return m_space.spec.microBatches; // nothing to wait for
    }

    /// Whether what the next pass of a class needs on this device stands before it.
    bool canCome(const Class& next) const
    {
        const auto behind = [&](int done) { return next.done < done; };
        const bool back = next.kind == PassKind::B || next.kind == PassKind::BW;
        if (next.kind == PassKind::W)
            return behind(doneOf(PassKind::B, next.stage));
        if (next.kind == PassKind::R)
            return behind(doneOf(PassKind::F, next.stage));
        for (const Class& other : m_classes) {
            const bool before = next.kind == PassKind::F ? other.stage < next.stage
                                                         : back && other.stage > next.stage;
            if (other.kind == next.kind && before && !behind(other.done))
                return false;
        }
        return !back ||
               (behind(doneOf(PassKind::F, next.stage)) && behind(doneOf(PassKind::R, next.stage)));
    }

    void extend()
    {
        if (orders.size() > m_most)
            return;
        bool whole = true;
        for (Class& one : m_classes) {
            if (one.done == m_space.spec.microBatches)
                continue;
            whole = false;
            OrderEntry entry;
            entry.pass.kind = one.kind;
            entry.pass.stage = one.stage;
            entry.pass.microBatch = one.done;
            const bool asFixed =
                m_order.size() >= m_fixed.size() || m_fixed[m_order.size()] == entry;
            if (!asFixed || !canCome(one))
                continue;
            ++one.done;
            m_order.push_back(entry);
            extend();
            m_order.pop_back();
            --one.done;
        }
        if (whole)
            orders.push_back(m_order);
    }

    const OrderSpace& m_space;
    std::size_t m_most;
    std::vector<Class> m_classes;
    Order m_fixed, m_order;
};

} // namespace

Result<OrderWalk> walkOrders(const OrderSpace& space, std::int64_t mostNodes,
                             const std::function<void(const Schedule&, const SimResult&)>& take)
{
    constexpr std::int64_t mostOfDevice = 1'000'000; // orders are kept
    const PipelineSpec& spec = space.spec;
    if (spec.routeCount() != 1 || spec.segments() != 1 || spec.steps != 1 || spec.updates)
        return fail(ErrorCode::BadValue, "all orders are gone through only of one route, whole "
                                         "sequences and one step without updates");
    OrderWalk walk;
    std::vector<std::vector<Order>> all;
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        DeviceWalk one(space, device, static_cast<std::size_t>(std::min(mostNodes, mostOfDevice)));
        if (!one.run())
            return walk;
        all.push_back(std::move(one.orders));
    }
    std::vector<std::size_t> at(all.size(), 0);
    DeviceOrders orders(all.size());
    for (bool more = true; more;) {
        if (++walk.looked > mostNodes)
            return walk;
        for (std::size_t d = 0; d < all.size(); ++d)
            orders[d] = all[d][at[d]];
        const auto schedule = Schedule::make(spec, orders);
        const auto result =
            schedule ? simulate(*schedule, space.costs) : Result<SimResult>(fail(schedule.error()));
        if (result)
            take(*schedule, *result);
        std::size_t d = 0;
        while (d < all.size() && ++at[d] == all[d].size())
            at[d++] = 0;
        more = d < all.size();
    }
    walk.finished = true;
    return walk;
}

} // namespace pw
