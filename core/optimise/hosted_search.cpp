// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/hosted_search.h"

#include <algorithm>
#include <array>
#include <functional>

namespace pw {

namespace {

constexpr std::size_t mostStarts = 3;        ///< of a kind
constexpr std::int64_t mostOrders = 150'000; ///< that are all looked at

} // namespace

HostedSearch::HostedSearch(const OrderProblem& problem, const Schedule& base, const Costs& costs,
                           bool choose, std::uint64_t seed)
    : m_problem(problem)
    , m_times(problem, base, costs)
    , m_choose(choose)
    , m_given(costs.offload.cells)
    , m_turned(problem, choose ? std::vector<Pass>() : m_given)
    , m_random(seed)
    , m_place(at(problem.nodes()), 0)
    , m_best(std::numeric_limits<Ticks>::max())
{
    for (std::int32_t node = 0; node < problem.nodes(); ++node) {
        const OrderEntry& entry = problem.entry(node);
        if (entry.pass.kind == PassKind::F)
            m_allCells.push_back(entry.pass);
        if (entry.paired && entry.partner.kind == PassKind::F)
            m_allCells.push_back(entry.partner);
    }
    std::sort(m_allCells.begin(), m_allCells.end());
}

bool HostedSearch::evaluate(const HostedOrder& order)
{
    ++m_steps;
    m_times.setCells(order.cells);
    return m_times.evaluate(order.orders);
}

double HostedSearch::score() const
{
    const auto objective = static_cast<double>(m_times.objective());
    if (m_times.excess() <= 0)
        return objective;
    // However little it is that does not fit, it is not what was asked for.
    constexpr double least = 0.01, peak = 0.02;
    return objective * (1 + least + peak * m_times.excess() + m_price * m_times.overload());
}

void HostedSearch::add(HostedOrder order)
{
    if (!m_problem.inOrder(order.orders) || !evaluate(order))
        return;
    const Start start{score(), m_times.excess() <= 0, std::move(order)};
    const auto place =
        std::upper_bound(m_starts.begin(), m_starts.end(), start.score,
                         [](double value, const Start& one) { return value < one.score; });
    if (place != m_starts.begin() && std::prev(place)->score == start.score &&
        std::prev(place)->order.orders == start.order.orders)
        return;
    m_starts.insert(place, start);
    // Of those that fit, and of those that nearly do, the best few.
    std::size_t alike = 0;
    for (auto one = m_starts.begin(); one != m_starts.end(); ++one) {
        if (one->fits == start.fits && ++alike > mostStarts) {
            m_starts.erase(one);
            break;
        }
    }
}

void HostedSearch::keep(const HostedOrder& order)
{
    if (m_times.excess() > 0 || m_times.objective() >= m_best)
        return;
    m_best = m_times.objective();
    if (m_turned.any())
        (*m_offer)({m_turned.told(order.orders, order.cells), m_given});
    else
        (*m_offer)(order);
}

std::int64_t HostedSearch::run(Ticks enough, SearchClock& clock, const Offer& offer)
{
    const std::int64_t before = m_steps;
    m_offer = &offer;
    m_enough = enough;
    if (m_starts.empty())
        return 0;
    std::int64_t patience = std::max<std::int64_t>(3000, 800'000 / m_problem.nodes());
    constexpr std::array<double, 3> prices = {3, 10, 1};
    for (std::size_t round = 0; m_best > enough && !clock.spent(); ++round) {
        if (round > 0 && round % m_starts.size() == 0)
            patience += patience / 2;
        const Start start = m_starts[round % m_starts.size()];
        // What room costs is not known: through cheaper overloads leads another way.
        m_price = prices[round / m_starts.size() % prices.size()];
        improve(start, patience, clock);
        m_price = prices.front();
    }
    return m_steps - before;
}

/// Late acceptance: what is no worse than the order some steps ago is gone on from.
void HostedSearch::improve(const Start& start, std::int64_t patience, SearchClock& clock)
{
    HostedOrder current = start.order;
    if (!evaluate(current))
        return;
    keep(current);
    double own = score(), best = own;
    HostedOrder bestOrder = current;
    std::vector<double> history(50 + m_random() % 500, own);
    followWay();
    HostedOrder trial = current;
    for (std::int64_t step = 0, since = 0; since < patience && m_best > m_enough; ++step, ++since) {
        if (clock.spent())
            break;
        trial = current;
        const int changes = 1 + static_cast<int>(m_random() % 3);
        bool any = false;
        for (int i = 0; i < changes; ++i)
            any = change(trial) || any;
        if (!any || !evaluate(trial))
            continue;
        const double made = score();
        double& late = history[at(step % static_cast<std::int64_t>(history.size()))];
        if (made <= own || made <= late) {
            own = made;
            std::swap(current, trial);
            keep(current);
            followWay();
        }
        late = own;
        if (own < best) {
            best = own;
            bestOrder = current;
            since = 0;
        }
    }
    add(std::move(bestOrder));
}

/// The nodes of a longest way, from its end; where several lead to a node, one of them.
void HostedSearch::followWay()
{
    m_way.clear();
    for (std::int32_t node = m_times.last(); node >= 0; node = m_times.cause(node))
        m_way.push_back(node);
}

bool HostedSearch::change(HostedOrder& order)
{
    if (m_choose && m_random() % 4 == 0)
        return toggle(order.cells);
    if (m_turned.any() && m_random() % 8 == 0)
        return m_turned.turn(order.cells, m_random);
    return moveNode(order.orders);
}

std::int32_t HostedSearch::chosenNode(const NodeOrders& orders)
{
    if (!m_way.empty() && m_random() % 10 < 6)
        return m_way[m_random() % m_way.size()];
    const auto& order = orders[m_random() % orders.size()];
    return order.empty() ? -1 : order[m_random() % order.size()];
}

/// Takes a node to another place of its device, between what has to stand before it and behind it.
bool HostedSearch::moveNode(NodeOrders& orders)
{
    const std::int32_t node = chosenNode(orders);
    if (node < 0)
        return false;
    auto& order = orders[at(m_problem.device(node))];
    for (std::size_t i = 0; i < order.size(); ++i)
        m_place[at(order[i])] = static_cast<std::int32_t>(i);
    const std::int32_t from = m_place[at(node)];
    std::int32_t least = 0, most = static_cast<std::int32_t>(order.size()) - 1;
    for (const std::int32_t first : m_problem.before(node))
        least = std::max(least, m_place[at(first)] + 1);
    for (const std::int32_t next : m_problem.behind(node))
        most = std::min(most, m_place[at(next)] - 1);
    const std::int32_t reach = 1 << (m_random() % 6);
    least = std::max(least, from - reach);
    most = std::min(most, from + reach);
    if (least >= most)
        return false;
    std::int32_t to = least + static_cast<std::int32_t>(m_random() % at(most - least));
    to += to >= from ? 1 : 0;
    const auto begin = order.begin();
    if (from < to)
        std::rotate(begin + from, begin + from + 1, begin + to + 1);
    else
        std::rotate(begin + to, begin + from, begin + from + 1);
    return true;
}

/// Lets an activation go or stay; one that was waited for rather stays, and now and then a whole
/// stage does the same.
bool HostedSearch::toggle(std::vector<Pass>& cells)
{
    if (m_allCells.empty())
        return false;
    Pass chosen = m_allCells[m_random() % m_allCells.size()];
    if (m_random() % 3 == 0) {
        std::vector<Pass> late;
        for (const HostCopy& copy : m_times.copies())
            if (copy.wait > 0)
                late.push_back(copy.cell);
        if (!late.empty())
            chosen = late[m_random() % late.size()];
    }
    const bool stage = m_random() % 6 == 0;
    const bool goes = !std::binary_search(cells.begin(), cells.end(), chosen);
    const auto meant = [&](const Pass& cell) {
        return stage ? cell.stage == chosen.stage && cell.route == chosen.route : cell == chosen;
    };
    std::erase_if(cells, meant);
    if (goes) {
        for (const Pass& cell : m_allCells)
            if (meant(cell))
                cells.push_back(cell);
        std::sort(cells.begin(), cells.end());
    }
    return true;
}

bool HostedSearch::wordsOf(DeviceId device, std::size_t most,
                           std::vector<std::vector<std::int32_t>>& words) const
{
    const auto classes = m_problem.classesOf(device);
    std::size_t count = 0;
    for (const int cls : classes)
        count += m_problem.itemsOf(cls).size();
    std::vector<std::size_t> next(classes.size(), 0);
    std::vector<char> placed(at(m_problem.nodes()), 0);
    std::vector<std::int32_t> word;
    const std::function<bool()> grow = [&]() -> bool {
        if (word.size() == count) {
            words.push_back(word);
            return words.size() <= most;
        }
        for (std::size_t c = 0; c < classes.size(); ++c) {
            const auto items = m_problem.itemsOf(classes[c]);
            if (next[c] == items.size())
                continue;
            const std::int32_t node = items[next[c]];
            const auto before = m_problem.before(node);
            if (!std::all_of(before.begin(), before.end(),
                             [&](std::int32_t first) { return placed[at(first)] != 0; }))
                continue;
            ++next[c];
            placed[at(node)] = 1;
            word.push_back(node);
            const bool goesOn = grow();
            word.pop_back();
            placed[at(node)] = 0;
            --next[c];
            if (!goesOn)
                return false;
        }
        return true;
    };
    return grow();
}

std::int64_t HostedSearch::runAll(SearchClock& clock, const Offer& offer)
{
    if (m_choose || !m_problem.symmetric() || m_starts.empty())
        return 0;
    m_offer = &offer;
    std::vector<std::vector<std::vector<std::int32_t>>> words(at(m_problem.devices()));
    std::int64_t all = 1;
    for (const DeviceId device : Ids<DeviceId>(m_problem.devices())) {
        if (!wordsOf(device, at(mostOrders / all), words[at(device)]))
            return 0;
        all *= static_cast<std::int64_t>(words[at(device)].size());
        if (all == 0 || all > mostOrders)
            return 0;
    }
    const std::int64_t before = m_steps;
    lookAtAll(words, m_given, clock);
    if (m_turned.any())
        m_turned.forAll([&](const std::vector<Pass>& cells) {
            lookAtAll(words, cells, clock);
            return !clock.spent();
        });
    return m_steps - before;
}

void HostedSearch::lookAtAll(const std::vector<std::vector<std::vector<std::int32_t>>>& words,
                             const std::vector<Pass>& cells, SearchClock& clock)
{
    HostedOrder order{NodeOrders(words.size()), cells};
    std::vector<std::size_t> chosen(words.size(), 0);
    for (std::size_t i = 0; i < words.size(); ++i)
        order.orders[i] = words[i][0];
    while (!clock.spent()) {
        if (evaluate(order))
            keep(order);
        std::size_t device = 0;
        for (; device < words.size(); ++device) {
            if (++chosen[device] == words[device].size())
                chosen[device] = 0;
            order.orders[device] = words[device][chosen[device]];
            if (chosen[device] != 0)
                break;
        }
        if (device == words.size())
            break;
    }
}

} // namespace pw
