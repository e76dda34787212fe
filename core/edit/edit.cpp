// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/edit.h"

#include "core/base/assert.h"
#include "core/base/try.h"
#include "core/model/offload.h"

#include <algorithm>
#include <utility>

namespace pw {

namespace {

using Order = std::vector<OrderEntry>;

tl::unexpected<Error> refuse(Sentence why)
{
    return fail(ErrorCode::BadValue, std::move(why));
}

std::string number(std::size_t value)
{
    return std::to_string(value);
}

/// Sorted, no two alike, and inside a list.
Result<void> checkPositions(const std::vector<std::int32_t>& positions, std::size_t end,
                            DeviceId device)
{
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const std::int32_t position = positions[i];
        if (position < 0 || static_cast<std::size_t>(position) >= end) {
            return refuse(said("device %1 has no position %2; it has %3 entries", device, position,
                               number(end)));
        }
        if (i > 0 && positions[i - 1] >= position) {
            return refuse(said("positions of device %1 are not in order: %2, %3", device,
                               positions[i - 1], position));
        }
    }
    return {};
}

/// Does one change after another and collects what takes them back.
class Applier
{
public:
    explicit Applier(Project& project)
        : m_project(project)
    {
    }

    Result<void> operator()(const InsertEntries& change)
    {
        PW_TRY(const auto found, orderOf(change.device));
        Order& order = *found;
        std::vector<std::int32_t> positions;
        for (const PlacedEntry& placed : change.entries)
            positions.push_back(placed.position);
        const std::size_t count = change.entries.size();
        PW_DO(checkPositions(positions, order.size() + count, change.device));
        if (order.size() + count > static_cast<std::size_t>(maxPasses)) {
            return fail(ErrorCode::TooLarge, "device %1 would have more than %2 entries",
                        change.device, maxPasses);
        }
        // From the back, so that every entry moves once.
        std::size_t from = order.size();
        order.resize(order.size() + count);
        std::size_t to = order.size();
        for (auto placed = change.entries.rbegin(); placed != change.entries.rend(); ++placed) {
            const auto position = static_cast<std::size_t>(placed->position);
            while (to > position + 1)
                order[--to] = order[--from];
            order[--to] = placed->entry;
        }
        undo(RemoveEntries{change.device, std::move(positions)});
        return {};
    }

    Result<void> operator()(const RemoveEntries& change)
    {
        PW_TRY(const auto found, orderOf(change.device));
        Order& order = *found;
        PW_DO(checkPositions(change.positions, order.size(), change.device));
        if (change.positions.empty())
            return {};
        InsertEntries back{change.device, {}};
        back.entries.reserve(change.positions.size());
        auto next = change.positions.begin();
        auto to = static_cast<std::size_t>(*next);
        for (std::size_t from = to; from < order.size(); ++from) {
            if (next != change.positions.end() && static_cast<std::size_t>(*next) == from) {
                back.entries.push_back({*next, order[from]});
                ++next;
            } else {
                order[to++] = order[from];
            }
        }
        order.resize(to);
        undo(std::move(back));
        return {};
    }

    Result<void> operator()(const MoveEntries& change)
    {
        PW_TRY(const auto found, orderOf(change.device));
        Order& order = *found;
        std::vector<std::int32_t> from, to;
        MoveEntries back{change.device, {}};
        for (const EntryMove& move : change.moves) {
            from.push_back(move.from);
            to.push_back(move.to);
            back.moves.push_back({move.to, move.from});
        }
        std::sort(to.begin(), to.end());
        for (const auto* positions : {&from, &to}) {
            PW_DO(checkPositions(*positions, order.size(), change.device));
        }
        if (change.moves.empty())
            return {};
        std::sort(back.moves.begin(), back.moves.end(),
                  [](const EntryMove& a, const EntryMove& b) { return a.from < b.from; });
        // Outside the outermost positions nothing changes.
        const std::int32_t first = std::min(from.front(), to.front());
        const std::int32_t end = std::max(from.back(), to.back()) + 1;
        const Order before(order.begin() + first, order.begin() + end);
        auto move = change.moves.begin(); // of those that leave
        auto place = back.moves.begin();  // of those that come
        std::int32_t rest = first;
        for (std::int32_t position = first; position < end; ++position) {
            std::int32_t source = 0;
            if (place != back.moves.end() && place->from == position) {
                source = place->to;
                ++place;
            } else {
                for (; move != change.moves.end() && move->from == rest; ++move)
                    ++rest;
                source = rest++;
            }
            order[static_cast<std::size_t>(position)] =
                before[static_cast<std::size_t>(source - first)];
        }
        undo(std::move(back));
        return {};
    }

    Result<void> operator()(const ReplaceEntry& change)
    {
        PW_TRY(const auto found, orderOf(change.device));
        Order& order = *found;
        PW_DO(checkPositions({change.position}, order.size(), change.device));
        OrderEntry& entry = order[static_cast<std::size_t>(change.position)];
        undo(ReplaceEntry{change.device, change.position, entry});
        entry = change.entry;
        return {};
    }

    Result<void> operator()(const SetSpec& change)
    {
        if (m_project.family)
            return refuse(said("the family makes the shape; change its options"));
        PW_DO(check(change.spec));
        Draft& draft = m_project.draft;
        const auto devices = static_cast<std::size_t>(change.spec.devices);
        for (std::size_t device = devices; device < draft.orders.size(); ++device) {
            if (!draft.orders[device].empty()) {
                return refuse(said("devices is %1, but device %2 has %3 entries", number(devices),
                                   number(device), number(draft.orders[device].size())));
            }
        }
        undo(SetSpec{draft.spec});
        noteShapes(draft.spec, change.spec);
        draft.spec = change.spec;
        draft.orders.resize(devices);
        m_shapeChanged = true;
        return {};
    }

    Result<void> operator()(const SetOrders& change)
    {
        Draft& draft = m_project.draft;
        if (change.orders.size() != draft.orders.size()) {
            return refuse(said("orders are given for %1 of %2 devices",
                               number(change.orders.size()), number(draft.orders.size())));
        }
        undo(SetOrders{std::exchange(draft.orders, change.orders)});
        return {};
    }

    Result<void> operator()(const SetSchedule& change)
    {
        PW_DO(checkSchedule(change));
        noteShapes(m_project.draft.spec, change.draft.spec);
        SetSchedule back;
        back.family = std::exchange(m_project.family, change.family);
        back.draft = std::exchange(m_project.draft, change.draft);
        undo(std::move(back));
        m_shapeChanged = true;
        return {};
    }

    Result<void> operator()(const SetCosts& change)
    {
        if (change.origin && std::holds_alternative<UniformCosts>(change.costs))
            return refuse(said("a model gives tables of costs, not equal stages"));
        SetCosts back;
        back.costs = std::exchange(m_project.costs, change.costs);
        back.origin = std::exchange(m_project.origin, change.origin);
        // Tables as `costsOf` has them say again what the project itself says.
        if (auto* tables = std::get_if<Costs>(&m_project.costs))
            tables->offload = {};
        undo(std::move(back));
        m_shapeChanged = true;
        return {};
    }

    Result<void> operator()(const SetOffload& change)
    {
        undo(SetOffload{std::exchange(m_project.offload, change.offload)});
        m_shapeChanged = true;
        m_offloadSaid = true;
        return {};
    }

    Result<void> operator()(const SetTitle& change)
    {
        undo(SetTitle{std::exchange(m_project.title, change.title)});
        return {};
    }

    Result<void> operator()(const SetNotes& change)
    {
        undo(SetNotes{std::exchange(m_project.notes, change.notes)});
        return {};
    }

    Result<void> operator()(const SetAnnotations& change)
    {
        PW_DO(check(change.annotations));
        undo(SetAnnotations{std::exchange(m_project.annotations, change.annotations)});
        return {};
    }

    Result<void> operator()(const InsertBlock& change)
    {
        PW_DO(checkBlock(change.index, m_project.blocks.size() + 1));
        m_project.blocks.insert(
            m_project.blocks.begin() + static_cast<std::ptrdiff_t>(change.index), change.block);
        undo(RemoveBlock{change.index});
        return {};
    }

    Result<void> operator()(const RemoveBlock& change)
    {
        PW_DO(checkBlock(change.index, m_project.blocks.size()));
        const auto at = m_project.blocks.begin() + static_cast<std::ptrdiff_t>(change.index);
        undo(InsertBlock{change.index, std::move(*at)});
        m_project.blocks.erase(at);
        return {};
    }

    Result<void> operator()(const SetBlock& change)
    {
        PW_DO(checkBlock(change.index, m_project.blocks.size()));
        undo(SetBlock{change.index, std::exchange(m_project.blocks[change.index], change.block)});
        return {};
    }

    /// What has to fit once everything is done.
    Result<void> checkWhole()
    {
        if (!m_shapeChanged)
            return {};
        keepOffload();
        return check(costsOf(m_project), m_project.draft.spec);
    }

    /// The way back, the last change first.
    Edit takeInverse()
    {
        std::reverse(m_inverse.changes.begin(), m_inverse.changes.end());
        return std::move(m_inverse);
    }

private:
    Result<Order*> orderOf(DeviceId device)
    {
        auto& orders = m_project.draft.orders;
        if (m_project.family)
            return refuse(said("the family makes the order; make it an order of its own first"));
        if (device < 0 || static_cast<std::size_t>(device) >= orders.size()) {
            return refuse(said("there is no device %1; devices are 0 to %2", device,
                               static_cast<std::ptrdiff_t>(orders.size()) - 1));
        }
        return &orders[static_cast<std::size_t>(device)];
    }

    /// Cells of other stages or segments are other cells.
    void noteShapes(const PipelineSpec& before, const PipelineSpec& after)
    {
        m_otherCells = m_otherCells || before.stages() != after.stages() ||
                       before.segments() != after.segments();
    }

    void keepOffload()
    {
        Offload& own = m_project.offload;
        if (own.cells.empty())
            return;
        std::vector<Pass> kept;
        if (!m_otherCells || m_offloadSaid)
            kept = offloadedCells(own.cells, m_project.draft.spec);
        if (kept == own.cells)
            return;
        undo(SetOffload{own});
        own.cells = std::move(kept);
    }

    static Result<void> checkSchedule(const SetSchedule& change)
    {
        const Draft& draft = change.draft;
        PW_DO(check(draft.spec));
        if (!change.family) {
            if (draft.orders.size() != static_cast<std::size_t>(draft.spec.devices)) {
                return refuse(said("orders are given for %1 of %2 devices",
                                   number(draft.orders.size()), draft.spec.devices));
            }
            return {};
        }
        PW_TRY(const auto family, findFamily(change.family->id));
        PW_TRY(const auto spec, specOf(*family, change.family->options));
        if (spec != draft.spec || !draft.orders.empty())
            return refuse(said("a family comes with the spec that it makes, and without orders"));
        return {};
    }

    static Result<void> checkBlock(std::size_t index, std::size_t end)
    {
        if (index < end)
            return {};
        return refuse(said("there is no block %1 of %2", number(index), number(end)));
    }

    template<typename C>
    void undo(C change)
    {
        m_inverse.changes.emplace_back(std::move(change));
    }

    Project& m_project;
    Edit m_inverse;
    bool m_shapeChanged = false;
    bool m_otherCells = false;
    bool m_offloadSaid = false;
};

} // namespace

Change::Change(InsertEntries change)
    : m_one(std::move(change))
{
}
Change::Change(RemoveEntries change)
    : m_one(std::move(change))
{
}
Change::Change(MoveEntries change)
    : m_one(std::move(change))
{
}
Change::Change(ReplaceEntry change)
    : m_one(std::move(change))
{
}
Change::Change(SetSpec change)
    : m_one(std::move(change))
{
}
Change::Change(SetOrders change)
    : m_one(std::move(change))
{
}
Change::Change(SetSchedule change)
    : m_one(std::move(change))
{
}
Change::Change(SetCosts change)
    : m_one(std::move(change))
{
}
Change::Change(SetOffload change)
    : m_one(std::move(change))
{
}
Change::Change(SetTitle change)
    : m_one(std::move(change))
{
}
Change::Change(SetNotes change)
    : m_one(std::move(change))
{
}
Change::Change(SetAnnotations change)
    : m_one(std::move(change))
{
}
Change::Change(InsertBlock change)
    : m_one(std::move(change))
{
}
Change::Change(RemoveBlock change)
    : m_one(std::move(change))
{
}
Change::Change(SetBlock change)
    : m_one(std::move(change))
{
}
PW_VALUE_DEFINED(Change);

bool operator==(const Change& a, const Change& b)
{
    return a.m_one == b.m_one;
}

Result<Edit> apply(Project& project, const Edit& edit)
{
    Applier applier(project);
    Result<void> ok;
    for (const Change& change : edit.changes) {
        ok = change.visit(applier);
        if (!ok)
            break;
    }
    if (ok)
        ok = applier.checkWhole();
    Edit inverse = applier.takeInverse();
    if (ok)
        return inverse;
    Applier back(project);
    for (const Change& change : inverse.changes)
        PW_ASSERT(change.visit(back).has_value());
    return fail(ok.error());
}

} // namespace pw
