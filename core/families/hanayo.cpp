// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/families/forms.h"
#include "core/sim/list_scheduler.h"

#include <queue>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pw::families {

namespace {

/// What a device prefers among backwards that are ready.
enum class BackwardFirst : std::uint8_t
{
    Oldest, ///< of the earlier micro-batch, then of the deeper stage
    Deepest ///< of the deeper stage, then of the earlier micro-batch
};

/// A pass of a wave that may start.
struct WavePass
{
    StageId stage{0};
    std::int32_t microBatch = 0;
    PassKind kind = PassKind::F;
};

/// What a device takes of the passes that may start: a backward before a forward.
///
/// A device holds the activations of at most p micro-batches, and keeps room for what is left of
/// the oldest one there: so that one can always go on, and nothing waits for ever.
class WaveRule
{
public:
    WaveRule(const PipelineSpec& spec, const Costs& costs, BackwardFirst preference)
        : m_spec(spec)
        , m_costs(costs)
        , m_preference(preference)
        , m_chunks(spec.stages() / spec.devices)
        , m_devices(static_cast<std::size_t>(spec.devices))
        , m_scheduler(spec.devices)
    {
        for (const DeviceId device : Ids<DeviceId>(m_devices.size())) {
            m_devices[device.index()].forwardsDone.assign(
                static_cast<std::size_t>(spec.microBatches), 0);
            m_devices[device.index()].backwardsDone = m_devices[device.index()].forwardsDone;
            m_scheduler.order(device).reserve(
                2 * static_cast<std::size_t>(spec.microBatches * m_chunks));
        }
    }

    /// The orders of one step, and the time that they take.
    std::pair<DeviceOrders, Ticks> run()
    {
        for (int j = 0; j < m_spec.microBatches; ++j)
            arriveAt(0, {PassKind::F, 0, StageId(0), j, 0});
        m_scheduler.run(*this);
        return {m_scheduler.takeOrders(), m_scheduler.now()};
    }

private:
    friend class ListScheduler<WavePass>;

    /// A ready pass as one number: micro-batch and stage in the order of preference, the smallest
    /// goes first.
    using Rank = std::uint64_t;

    template<typename T>
    using Smallest = std::priority_queue<T, std::vector<T>, std::greater<>>;

    struct Device
    {
        Smallest<Rank> forwards;
        Smallest<Rank> backwards;
        int held = 0;   // chunk activations
        int oldest = 0; // first micro-batch with a backward to do
        std::vector<int> forwardsDone;
        std::vector<int> backwardsDone;
    };

    void arriveAt(Ticks time, const Pass& pass)
    {
        m_scheduler.ready(time, m_spec.device(0, pass.stage),
                          {pass.stage, pass.microBatch, pass.kind});
    }

    /// Deeper stages have smaller numbers here, so that both halves of a rank rise.
    Rank rankOf(bool deepest, StageId stage, int microBatch) const
    {
        const auto depth = static_cast<Rank>(m_spec.stages() - 1 - stage);
        const auto j = static_cast<Rank>(microBatch);
        return deepest ? depth << 32 | j : j << 32 | depth;
    }

    Pass passOf(bool deepest, PassKind kind, Rank rank) const
    {
        const auto high = static_cast<int>(rank >> 32);
        const auto low = static_cast<int>(rank & 0xffff'ffff);
        return {kind, 0, StageId(m_spec.stages() - 1 - (deepest ? high : low)),
                deepest ? low : high, 0};
    }

    void take(DeviceId at, const WavePass& pass)
    {
        Device& device = m_devices[at.index()];
        const bool backward = isBackward(pass.kind);
        const bool deepest = backward && m_preference == BackwardFirst::Deepest;
        (backward ? device.backwards : device.forwards)
            .push(rankOf(deepest, pass.stage, pass.microBatch));
    }

    /// What a pass leaves behind is on its way since it began.
    void ended(DeviceId) {}

    void choose(DeviceId at)
    {
        if (!m_scheduler.isFree(at))
            return;
        Device& device = m_devices[at.index()];
        if (!device.backwards.empty()) {
            const bool deepest = m_preference == BackwardFirst::Deepest;
            const Pass pass = passOf(deepest, PassKind::BW, device.backwards.top());
            device.backwards.pop();
            start(at, pass);
        } else if (!device.forwards.empty()) {
            const Pass pass = passOf(false, PassKind::F, device.forwards.top());
            if (!fits(device, pass))
                return;
            device.forwards.pop();
            start(at, pass);
        }
    }

    /// Whether the forward leaves room for the oldest micro-batch to finish. The first forward of
    /// the queue belongs to the earliest micro-batch, so if it does not fit, no other does.
    bool fits(const Device& device, const Pass& pass) const
    {
        if (pass.microBatch == device.oldest)
            return true;
        const int reserved =
            m_chunks - device.forwardsDone[static_cast<std::size_t>(device.oldest)];
        return device.held + 1 + reserved <= m_chunks * m_spec.devices;
    }

    void start(DeviceId at, const Pass& pass)
    {
        Device& device = m_devices[at.index()];
        const Ticks time = passTime(m_costs, m_spec, pass);
        const Ticks end = m_scheduler.now() + time;
        m_scheduler.start(at, single(pass), time);
        const auto j = static_cast<std::size_t>(pass.microBatch);
        if (pass.kind == PassKind::F) {
            ++device.held;
            ++device.forwardsDone[j];
            if (pass.stage + 1 < m_spec.stages())
                send(pass, pass.stage + 1, end);
            else
                arriveAt(end, {PassKind::BW, 0, pass.stage, pass.microBatch, 0});
            return;
        }
        --device.held;
        ++device.backwardsDone[j];
        while (device.oldest + 1 < m_spec.microBatches &&
               device.backwardsDone[static_cast<std::size_t>(device.oldest)] == m_chunks)
            ++device.oldest;
        if (pass.stage > 0)
            send(pass, pass.stage - 1, end);
    }

    /// Makes the same pass of a neighbouring stage ready when the message is there.
    void send(Pass pass, StageId stage, Ticks end)
    {
        const Bytes bytes = messageBytes(m_costs, m_spec, pass, pass.kind);
        const DeviceId from = m_spec.device(0, pass.stage);
        pass.stage = stage;
        arriveAt(arrival(m_costs, m_spec, from, m_spec.device(0, stage), bytes, end), pass);
    }

    const PipelineSpec& m_spec;
    const Costs& m_costs;
    BackwardFirst m_preference;
    int m_chunks; // of a device
    std::vector<Device> m_devices;
    ListScheduler<WavePass> m_scheduler;
};

constexpr Parameter wavesParameter = {.name = "waves",
                                      .summary =
                                          "times that a micro-batch goes down the devices and back",
                                      .maximum = 64,
                                      .role = ParameterRole::Waves};

Result<PipelineSpec> shape(const FamilyOptions& options)
{
    return placedShape(options,
                       Placement::zigzag(options.devices, chosenWhole(options, wavesParameter)));
}

/// The shorter of two list schedules: with about p micro-batches the oldest backward first is
/// better, with many the deepest.
Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions&, const Costs& costs)
{
    auto [oldest, oldestTime] = WaveRule(spec, costs, BackwardFirst::Oldest).run();
    auto [deepest, deepestTime] = WaveRule(spec, costs, BackwardFirst::Deepest).run();
    return finish(spec, oldestTime <= deepestTime ? std::move(oldest) : std::move(deepest));
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    if (in.hop != 0 || in.fused() != in.forward || std::fmod(in.m, in.p) != 0)
        return std::nullopt;
    return (in.p - 1) * (in.forward + in.fused()) / (2 * in.parameter("waves"));
}

std::optional<double> peak(const ClosedFormInput& in)
{
    if (in.m > in.p)
        return std::nullopt;
    return in.m;
}

} // namespace

Family hanayo()
{
    constexpr std::string_view bubbleText = "(p−1)(T_F+T_BW)/(2·waves)";
    constexpr std::string_view condition = "T_c = 0, T_BW = T_F, m a multiple of p";
    Family family;
    family.id = "hanayo";
    family.title = "Hanayo";
    family.summary = "Waves through a zig-zag of stages, one weight copy: Chimera's two directions "
                     "folded into one pipeline.";
    family.citation = "Liu et al., Hanayo: Harnessing Wave-like Pipeline Parallelism for Enhanced "
                      "Large Model Training Efficiency, SC 2023, arXiv:2308.15762";
    family.parameters = {wavesParameter};
    family.closedForms = {{Quantity::SpanBubble, bubbleText, condition, bubble},
                          {Quantity::WallBubble, bubbleText, condition, bubble},
                          {Quantity::PeakActivation, "m", "m ≤ p; never more than p", peak}};
    family.spec = shape;
    family.build = build;
    return family;
}

} // namespace pw::families
