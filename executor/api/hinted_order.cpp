// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/hinted_order.h"

#include "core/base/text.h"
#include "core/base/try.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <thread>
#include <utility>

namespace pw::exec {

HintedOrder::HintedOrder(const RunShared& shared, RankPosition& position, PassMessages& messages)
    : m_shared(shared)
    , m_schedule(shared.plan.schedule)
    , m_position(position)
    , m_messages(messages)
    , m_problem(hintProblem(m_schedule, shared.plan.costs))
    , m_order(m_problem.orders[at(position.rank())])
    , m_first(m_schedule.begin(deviceOf(position.rank())))
    , m_device(m_problem.problem, m_order, deviceOf(position.rank()), shared.plan.hint)
    , m_from(m_order.size(), 0)
    , m_exchanges(m_order.size() + 1)
    , m_adds(m_order.size(), -1)
    , m_sends(m_order.size())
{
    findStretches();
    findSums();
    findMessages();
}

/// Exchanges stand at the places of the given order; what is turned round keeps its kind there.
void HintedOrder::findStretches()
{
    std::size_t place = 0;
    std::vector<char> edge(m_order.size() + 1, 0);
    for (const Instruction& one : m_shared.plan.program.ranks[at(m_position.rank())]) {
        if (one.kind == InstructionKind::Compute)
            ++place;
        if (one.kind != InstructionKind::Reduce)
            continue;
        m_exchanges[place].push_back(one.index);
        edge[place] = 1;
    }
    for (std::size_t i = 0; i < m_order.size(); ++i) {
        if (m_schedule.entry(EntryId(m_order[i])).pass.kind == PassKind::U)
            edge[i] = edge[i + 1] = 1;
    }
    for (std::size_t i = 0; i < m_order.size(); ++i)
        m_from[i] = edge[i] != 0 || i == 0 ? i : m_from[i - 1];
}

void HintedOrder::findSums()
{
    std::map<std::pair<int, StageId>, std::int32_t> last; // by route and stage
    for (const std::int32_t number : m_order) {
        const OrderEntry entry = m_schedule.entry(EntryId(number));
        std::int32_t& before = m_adds[offset(EntryId(number))];
        const auto follow = [&](const Pass& pass) {
            if (pass.kind != PassKind::W && pass.kind != PassKind::BW)
                return;
            const auto found = last.try_emplace({pass.route, pass.stage}, -1).first;
            before = std::max(before, std::exchange(found->second, number));
        };
        follow(entry.pass);
        if (entry.paired)
            follow(entry.partner);
    }
}

void HintedOrder::findMessages()
{
    const std::vector<Message>& all = m_shared.plan.program.messages;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto index = static_cast<std::int32_t>(i);
        if (all[i].to == m_position.rank())
            m_posts.push_back(index);
        if (all[i].from != m_position.rank())
            continue;
        const PassId producer = m_schedule.table().id(all[i].producer);
        m_sends[offset(m_schedule.entryOf(producer))].push_back(index);
    }
}

Result<void> HintedOrder::begin()
{
    m_device.begin();
    m_exchanged = 0;
    for (const std::int32_t message : m_posts)
        PW_DO(m_messages.post(message));
    return {};
}

std::vector<std::int32_t> HintedOrder::dueExchanges()
{
    std::vector<std::int32_t> due;
    for (; m_exchanged <= m_device.next(); ++m_exchanged) {
        const std::vector<std::int32_t>& here = m_exchanges[m_exchanged];
        due.insert(due.end(), here.begin(), here.end());
    }
    return due;
}

void HintedOrder::take(EntryId entry)
{
    m_wentAhead += next() != entry ? 1 : 0;
    m_device.take(entry);
}

/// Whether an entry may run beside what its memory and its device's passes allow.
bool HintedOrder::allows(EntryId entry, std::size_t place) const
{
    if (m_device.next() < m_from[place])
        return false;
    const std::int32_t before = m_adds[offset(entry)];
    return before < 0 || m_device.done(before);
}

/// Whether the messages of an entry are there.
/// @param missing  becomes the sender of the first that is not
Result<bool> HintedOrder::isReady(EntryId entry, Ticks now, RankId& missing)
{
    for (const std::int32_t message : m_messages.inputsOf(entry)) {
        if (message < 0)
            continue;
        PW_TRY(const std::optional<Ticks> there, m_messages.thereAt(message));
        if (there && *there <= now)
            continue;
        missing = m_messages.sender(message);
        return false;
    }
    return true;
}

/// How long the next pass of an order is waited for while a later one is ready: what comes at
/// nearly the same time is no reason to leave the order.
Ticks HintedOrder::graceOf(EntryId entry) const
{
    constexpr Ticks least = 50'000, most = 5 * ticksPerMs;
    const RunPlan& plan = m_shared.plan;
    const Ticks time = entryTime(plan.costs, plan.schedule.spec(), m_schedule.entry(entry));
    return std::clamp(time / 20, least, most);
}

Result<EntryId> HintedOrder::choose()
{
    const EntryId expected = next();
    const Ticks begun = m_shared.clock.now();
    for (int turn = 0;; ++turn) {
        const Ticks now = m_shared.clock.now();
        std::optional<Error> failure;
        RankId missing; // sender
        const auto canRun = [&](std::int32_t number, std::size_t place) {
            const EntryId entry(number);
            if (failure || !allows(entry, place))
                return false;
            RankId sender;
            const Result<bool> ready = isReady(entry, now, sender);
            if (!ready)
                failure = ready.error();
            else if (!*ready && entry == expected)
                missing = sender;
            if (!ready || !*ready)
                return false;
            return entry == expected || now - begun >= graceOf(entry);
        };
        const std::int32_t chosen = m_device.choose(canRun);
        if (failure)
            return m_position.named(*failure);
        // After the patience is over, the wait for the message says what is missing.
        if (chosen >= 0 || now - begun >= m_shared.patience) {
            m_position.endWait();
            return chosen >= 0 ? EntryId(chosen) : expected;
        }
        PW_DO(m_position.checkEnded());
        if (turn == 0)
            m_position.enterEntry(expected, m_schedule.entry(expected));
        m_position.waitFor(missing);
        // Who asks all the time is the last to get the processor back on a busy machine.
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

std::string HintedOrder::note() const
{
    return "the order was a hint: " + countText(m_wentAhead, "pass", "passes") +
           " began ahead of it, of all iterations";
}

} // namespace pw::exec
