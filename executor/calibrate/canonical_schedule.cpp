// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/calibrate/canonical_schedule.h"

#include "core/base/try.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace pw::exec {

namespace {

/// A pass with its place in the common order of all devices.
struct Timed
{
    std::int64_t moment = 0;
    int rank = 0; ///< among passes of one moment
    OrderEntry entry;
};

class Canonical
{
public:
    Canonical(PipelineSpec spec, BackwardForm form)
        : m_spec(std::move(spec))
        , m_form(form)
        , m_devices(static_cast<std::size_t>(m_spec.devices))
    {
    }

    Result<Schedule> build()
    {
        for (int j = 0; j < m_spec.microBatches; ++j) {
            for (const StageId stage : Ids<StageId>(m_spec.stages()))
                appendCells(j, stage);
        }
        appendUpdates();
        DeviceOrders orders;
        for (std::vector<Timed>& device : m_devices) {
            std::stable_sort(device.begin(), device.end(), [](const Timed& a, const Timed& b) {
                return std::tuple(a.moment, a.rank) < std::tuple(b.moment, b.rank);
            });
            std::vector<OrderEntry> order;
            for (const Timed& timed : device)
                order.push_back(timed.entry);
            orders.push_back(std::move(order));
        }
        return Schedule::make(m_spec, orders);
    }

private:
    void append(std::int64_t moment, int rank, const Pass& pass)
    {
        m_devices[static_cast<std::size_t>(m_spec.device(pass.route, pass.stage))].push_back(
            {moment, rank, single(pass)});
        m_last = std::max(m_last, moment);
    }

    void appendCells(int j, StageId stage)
    {
        const int k = m_spec.segments();
        const auto route = static_cast<std::uint8_t>(m_spec.route(j));
        // One micro-batch of every route at a time: else the routes would take turns, and no two
        // devices would ever be busy side by side.
        const std::int64_t first = std::int64_t{2} * (j / m_spec.routeCount()) * k;
        for (int q = 0; q < k; ++q) {
            const std::int64_t forward = stage + first + 2 * q;
            const std::int64_t backward =
                2 * m_spec.stages() - 1 - stage + first + 2 * (k - 1) + 2 * (k - 1 - q);
            append(forward, 0, {PassKind::F, route, stage, j, q});
            if (m_form == BackwardForm::Recomputed)
                append(backward, 2, {PassKind::R, route, stage, j, q});
            const bool split = m_form == BackwardForm::Split;
            append(backward, 3, {split ? PassKind::B : PassKind::BW, route, stage, j, q});
            if (split)
                append(backward + 1, 1, {PassKind::W, route, stage, j, q});
            if (q == 0 && m_spec.updateRule == UpdateRule::Stashed)
                appendUpdates(backward + 1, j, stage);
        }
    }

    /// The update of a micro-batch, which every copy of its stage makes.
    void appendUpdates(std::int64_t moment, int j, StageId stage)
    {
        for (int route = 0; route < m_spec.routeCount(); ++route)
            append(moment, 4, {PassKind::U, static_cast<std::uint8_t>(route), stage, j, 0});
    }

    void appendUpdates()
    {
        if (m_spec.updateRule == UpdateRule::Stashed)
            return;
        for (const std::vector<HostedStage>& chunks : chunksOfDevices(m_spec)) {
            for (const HostedStage& hosted : chunks)
                append(m_last + 1, 0,
                       {PassKind::U, static_cast<std::uint8_t>(hosted.route), hosted.stage, 0, 0});
        }
    }

    PipelineSpec m_spec;
    BackwardForm m_form;
    std::vector<std::vector<Timed>> m_devices;
    std::int64_t m_last = 0;
};

} // namespace

std::vector<BackwardForm> formsOf(const Schedule& schedule)
{
    std::array<bool, passKindCount> kinds{};
    for (const Schedule::Places& places : schedule.places()) {
        kinds[static_cast<std::size_t>(places.kind())] = true;
        if (places.second.valid())
            kinds[static_cast<std::size_t>(schedule.kind(places.second))] = true;
    }
    const auto has = [&kinds](PassKind kind) { return kinds[static_cast<std::size_t>(kind)]; };
    std::vector<BackwardForm> forms;
    if (has(PassKind::R))
        forms.push_back(BackwardForm::Recomputed); // has BW too
    else if (has(PassKind::BW))
        forms.push_back(BackwardForm::Fused);
    if (has(PassKind::B) || has(PassKind::W))
        forms.push_back(BackwardForm::Split);
    return forms;
}

bool hasPairs(const Schedule& schedule)
{
    return std::any_of(schedule.places().begin(), schedule.places().end(),
                       [](const Schedule::Places& places) { return places.second.valid(); });
}

Result<Schedule> canonicalSchedule(const PipelineSpec& spec, BackwardForm form, int microBatches)
{
    PipelineSpec own = spec;
    own.steps = 1;
    own.updates = true;
    own.messages = MessageRule::Early;
    own.microBatches = std::min(spec.microBatches, std::max(microBatches, spec.routeCount()));
    if (!spec.routeOfMicroBatch.empty()) {
        // In turn, so that few micro-batches take every route.
        for (int j = 0; j < own.microBatches; ++j)
            own.routeOfMicroBatch[static_cast<std::size_t>(j)] =
                static_cast<std::uint8_t>(j % spec.routeCount());
        own.routeOfMicroBatch.resize(static_cast<std::size_t>(own.microBatches));
    }
    PW_DO(pw::check(own));
    return Canonical(std::move(own), form).build();
}

} // namespace pw::exec
