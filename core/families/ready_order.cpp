// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/ready_order.h"

#include "core/base/try.h"
#include "core/families/order_sinks.h"
#include "core/sim/dependencies.h"
#include "core/sim/event_clock.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

namespace pw::families {

namespace {

/// A pass that is ready, in the order of preference.
struct Ready
{
    int microBatch = 0;
    int chunk = 0; ///< of its route; the latest first
    int segment = 0;
    PassId id;
    Pass pass;

    auto key() const
    {
        const bool forward = pass.kind == PassKind::F;
        return std::tuple(microBatch, -chunk, forward ? segment : -segment, id);
    }
    friend bool operator<(const Ready& a, const Ready& b) { return a.key() < b.key(); }
};

std::size_t placeOf(PassKind kind)
{
    return static_cast<std::size_t>(kind);
}

/// What a device has done, and can do. A pass counts from its start.
class Device : public OrderRun::Counts
{
public:
    Device(const PipelineSpec& spec, const RouteChunks& chunks, PassKind freeing)
        : m_freeing(freeing)
    {
        const std::size_t most = std::max(chunks.stages[0].size(), chunks.stages[1].size());
        const auto microBatches = static_cast<std::size_t>(spec.microBatches);
        for (std::size_t kind = 0; kind < passKindCount; ++kind) {
            m_ofMicroBatch[kind].assign(microBatches, 0);
            m_ofChunk[kind].assign(most, 0);
        }
        for (int j = 0; j < spec.microBatches; ++j)
            m_left.push_back(static_cast<std::int64_t>(
                chunks.stages[static_cast<std::size_t>(spec.route(j))].size() *
                static_cast<std::size_t>(spec.segments())));
        skipDone();
    }

    std::int64_t done(PassKind kind, CountOf of, std::int64_t which) const override
    {
        if (of == CountOf::Device)
            return m_done[placeOf(kind)];
        const auto& counts =
            of == CountOf::MicroBatch ? m_ofMicroBatch[placeOf(kind)] : m_ofChunk[placeOf(kind)];
        return which >= 0 && which < static_cast<std::int64_t>(counts.size())
                   ? counts[static_cast<std::size_t>(which)]
                   : 0;
    }

    void start(const Ready& one)
    {
        const PassKind kind = one.pass.kind;
        ready[placeOf(kind)].erase(one);
        ++m_done[placeOf(kind)];
        ++m_ofMicroBatch[placeOf(kind)][static_cast<std::size_t>(one.microBatch)];
        ++m_ofChunk[placeOf(kind)][static_cast<std::size_t>(one.chunk)];
        held += kind == PassKind::F ? 1 : kind == m_freeing ? -1 : 0;
        if (isBackward(kind)) {
            --m_left[static_cast<std::size_t>(one.microBatch)];
            skipDone();
        }
        order.push_back(single(one.pass));
    }

    std::array<std::set<Ready>, passKindCount> ready; ///< by kind
    std::int64_t held = 0;                            ///< activations of chunks
    std::int64_t oldest = 0; ///< first micro-batch with a backward to do; m: none has one
    bool busy = false;
    std::vector<OrderEntry> order;

private:
    void skipDone()
    {
        while (oldest < static_cast<std::int64_t>(m_left.size()) &&
               m_left[static_cast<std::size_t>(oldest)] == 0)
            ++oldest;
    }

    PassKind m_freeing; ///< after which an activation is gone
    std::array<std::int64_t, passKindCount> m_done{};
    std::array<std::vector<std::int64_t>, passKindCount> m_ofMicroBatch, m_ofChunk;
    std::vector<std::int64_t> m_left; ///< backwards, by micro-batch
};

/// All passes of a spec in an order that is whole, to learn from it who waits for whom.
Result<Schedule> anyOrder(const PipelineSpec& spec, bool split)
{
    DeviceOrders orders(static_cast<std::size_t>(spec.devices));
    const auto add = [&](PassKind kind, StageId stage, int j, int segment) {
        const int route = spec.route(j);
        orders[spec.device(route, stage).index()].push_back(
            single({kind, static_cast<std::uint8_t>(route), stage, j, segment}));
    };
    for (int j = 0; j < spec.microBatches; ++j) {
        for (int q = 0; q < spec.segments(); ++q)
            for (StageId s(0); s < spec.stages(); ++s)
                add(PassKind::F, s, j, q);
        for (int q = spec.segments(); q-- > 0;) {
            for (StageId s(spec.stages() - 1); s >= 0; --s) {
                add(split ? PassKind::B : PassKind::BW, s, j, q);
                if (split)
                    add(PassKind::W, s, j, q);
            }
        }
    }
    return Schedule::make(spec, orders);
}

/// Plays the rules.
class Player
{
public:
    Player(const Schedule& passes, bool split, const OrderProgram& program, OrderRun& run)
        : m_passes(passes)
        , m_spec(passes.spec())
        , m_rules(program.ready)
        , m_run(run)
        , m_chunks(routeChunksOf(m_spec))
        , m_dependencies(passes)
        , m_waits(static_cast<std::size_t>(passes.table().size()), 0)
    {
        for (const RouteChunks& chunks : m_chunks)
            m_devices.emplace_back(m_spec, chunks, split ? PassKind::W : PassKind::BW);
    }

    Result<DeviceOrders> play()
    {
        begin();
        for (std::size_t d = 0; d < m_devices.size(); ++d) {
            PW_DO(startNext(DeviceId(static_cast<std::int32_t>(d))));
        }
        std::vector<PassId> ended;
        std::set<DeviceId> changed;
        while (!m_clock.empty()) {
            m_clock.next(ended);
            changed.clear();
            for (const PassId id : ended)
                end(id, changed);
            for (const DeviceId device : changed) {
                PW_DO(startNext(device));
            }
        }
        PW_DO(nothingIsLeft());
        DeviceOrders orders;
        for (Device& device : m_devices)
            orders.push_back(std::move(device.order));
        return orders;
    }

private:
    void begin()
    {
        std::vector<Dependency> producers;
        for (const EntryId entry : m_passes.entries()) {
            const PassId id = m_passes.places()[entry.index()].first;
            producers.clear();
            m_dependencies.append(id, producers);
            m_waits[id.index()] = static_cast<int>(producers.size());
            if (producers.empty())
                becomesReady(id);
        }
    }

    void becomesReady(PassId id)
    {
        const Pass pass = m_passes.pass(id);
        const DeviceId device = m_spec.device(pass.route, pass.stage);
        const auto& stages = m_chunks[device.index()].stages[pass.route];
        const auto chunk = std::find(stages.begin(), stages.end(), pass.stage) - stages.begin();
        m_devices[device.index()].ready[placeOf(pass.kind)].insert(
            {pass.microBatch, static_cast<int>(chunk), pass.segment, id, pass});
    }

    void end(PassId id, std::set<DeviceId>& changed)
    {
        const DeviceId own = m_passes.device(id);
        m_devices[own.index()].busy = false;
        changed.insert(own);
        m_consumers.clear();
        m_dependencies.appendConsumers(id, m_consumers);
        for (const PassId consumer : m_consumers) {
            if (--m_waits[consumer.index()] > 0)
                continue;
            becomesReady(consumer);
            changed.insert(m_passes.device(consumer));
        }
    }

    void setNames(const ReadyRule& rule, const Ready& one)
    {
        for (const auto& [place, value] :
             {std::pair(rule.microBatch, one.microBatch), std::pair(rule.chunk, one.chunk),
              std::pair(rule.segment, one.segment)})
            if (place >= 0)
                m_run.set(place, value);
    }

    /// The pass that a rule takes of those that are ready; null: none.
    Result<const Ready*> chosenBy(const ReadyRule& rule, const Device& device)
    {
        const Ready* best = nullptr;
        std::int64_t least = 0;
        for (const Ready& one : device.ready[placeOf(rule.kind)]) {
            setNames(rule, one);
            if (rule.condition.given()) {
                PW_TRY(const std::int64_t holds, m_run.value(rule.condition));
                if (holds == 0 && !rule.conditionOfPass)
                    break;
                if (holds == 0)
                    continue;
            }
            if (!rule.key.given())
                return &one;
            PW_TRY(const std::int64_t key, m_run.value(rule.key));
            if (best == nullptr || key < least) {
                best = &one;
                least = key;
            }
        }
        return best;
    }

    Result<void> startNext(DeviceId id)
    {
        Device& device = m_devices[id.index()];
        if (device.busy)
            return {};
        m_run.set(devicePlace, id);
        m_run.set(chunksPlace, m_chunks[id.index()].count());
        m_run.set(m_rules.heldPlace, device.held);
        m_run.set(m_rules.oldestPlace, device.oldest);
        m_run.countFrom(device);
        for (const ReadyRule& rule : m_rules.rules) {
            PW_TRY(const Ready* const found, chosenBy(rule, device));
            if (found == nullptr)
                continue;
            const Ready taken = *found;
            setNames(rule, taken);
            constexpr int longest = 1'000'000;
            int duration = taken.pass.kind == PassKind::BW ? 2 : 1;
            if (rule.duration.given()) {
                PW_TRY(duration,
                       m_run.within(rule.duration, 1, longest, "the duration", rule.line));
            }
            device.start(taken);
            device.busy = true;
            m_clock.add(m_clock.now() + duration, taken.id);
            return {};
        }
        return {};
    }

    Result<void> nothingIsLeft() const
    {
        for (std::size_t d = 0; d < m_devices.size(); ++d) {
            for (const std::set<Ready>& ready : m_devices[d].ready) {
                if (!ready.empty())
                    return fail(atLine(
                        m_rules.line,
                        said("nothing goes on: on device %1 no rule takes %2, which is ready",
                             static_cast<std::int64_t>(d), describe(ready.begin()->pass, m_spec))));
            }
        }
        return {};
    }

    const Schedule& m_passes;
    const PipelineSpec& m_spec;
    const ReadyRules& m_rules;
    OrderRun& m_run;
    std::vector<RouteChunks> m_chunks;
    Dependencies m_dependencies;
    std::vector<int> m_waits; // by pass: those that it waits for
    std::vector<Device> m_devices;
    std::vector<PassId> m_consumers;
    EventClock<PassId> m_clock;
};

} // namespace

Result<DeviceOrders> readyOrders(const PipelineSpec& spec, const OrderProgram& program,
                                 OrderRun& run)
{
    PipelineSpec step = spec;
    step.steps = 1;
    step.updates = false;
    const bool split = std::any_of(program.ready.rules.begin(), program.ready.rules.end(),
                                   [](const ReadyRule& rule) { return rule.kind == PassKind::B; });
    PW_TRY(const Schedule passes, anyOrder(step, split));
    return Player(passes, split, program, run).play();
}

} // namespace pw::families
