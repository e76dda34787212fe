// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/order_player.h"

#include "core/base/try.h"

#include <algorithm>
#include <numeric>

namespace pw {

namespace {

/// The place of a kind in a list, which it is put into where it is new.
template<typename Kind>
std::size_t numberOfKind(std::vector<Kind>& kinds, const Kind& kind)
{
    const auto place = std::find(kinds.begin(), kinds.end(), kind);
    const auto number = static_cast<std::size_t>(place - kinds.begin());
    if (place == kinds.end())
        kinds.push_back(kind);
    return number;
}

} // namespace

Result<OrderPlayer> OrderPlayer::make(const Schedule& schedule)
{
    if (schedule.spec().messages == MessageRule::Committed)
        return fail(ErrorCode::BadValue,
                    "committed messages hold up their senders, for which no interval is made");
    // Which entry can be played after which: any times that take some time show it.
    Costs costs = expand(UniformCosts{}, schedule.spec());
    costs.update.assign(static_cast<std::size_t>(schedule.spec().stages()), 1);
    PW_TRY(const SimResult simulated, simulate(schedule, costs));
    return OrderPlayer(schedule, simulated);
}

OrderPlayer::OrderPlayer(const Schedule& schedule, const SimResult& times)
    : m_end(static_cast<std::size_t>(schedule.entryCount()))
{
    std::vector<EntryId> order(m_end.size());
    std::iota(order.begin(), order.end(), EntryId(0));
    std::stable_sort(order.begin(), order.end(), [&](EntryId a, EntryId b) {
        return times.start[a.index()] < times.start[b.index()];
    });
    EntryInputs rules(schedule);
    std::vector<EntryInput> inputs;
    for (const EntryId e : order) {
        const OrderEntry entry = schedule.entry(e);
        PlayedEntry played;
        played.entry = e;
        const DeviceId device = schedule.device(schedule.places()[e.index()].first);
        played.before = e > schedule.begin(device) ? e - 1 : EntryId::none();
        played.kind = numberOfKind(m_kinds, kindOf(entry));
        m_counts.resize(m_kinds.size());
        ++m_counts[played.kind];
        played.update = entry.pass.kind == PassKind::U;
        played.firstInput = m_inputs.size();
        rules.find(e, inputs);
        for (const EntryInput& input : inputs)
            m_inputs.push_back({input.producer, messageOf(schedule, input, played.update)});
        played.lastInput = m_inputs.size();
        m_order.push_back(played);
    }
}

std::ptrdiff_t OrderPlayer::messageOf(const Schedule& schedule, const EntryInput& input,
                                      bool update)
{
    if (!input.message)
        return -1;
    const Pass pass = schedule.pass(input.pass);
    MessageKind kind{PassKind::U, 0};
    if (!update)
        kind = {pass.kind == PassKind::F ? PassKind::F : PassKind::B, pass.segment};
    return static_cast<std::ptrdiff_t>(numberOfKind(m_messages, kind));
}

} // namespace pw
