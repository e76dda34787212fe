// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/families/forms.h"

namespace pw::families {

namespace {

constexpr Parameter lastFirst = flagParameter("last-first", "begins with the last micro-batch");

/// A micro-batch goes forward and back before the next one follows: no pipeline at all.
Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs&)
{
    DeviceOrders orders(static_cast<std::size_t>(spec.devices));
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        for (int i = 0; i < spec.microBatches; ++i) {
            const int microBatch = isOn(options, lastFirst) ? spec.microBatches - 1 - i : i;
            for (const PassKind kind : {PassKind::F, PassKind::BW})
                orders[static_cast<std::size_t>(device)].push_back(
                    single({kind, 0, StageId(device.value), microBatch, 0}));
        }
    }
    return finish(spec, std::move(orders));
}

std::optional<double> makespan(const ClosedFormInput& in)
{
    return in.m * (in.p * (in.forward + in.fused()) + 2 * (in.p - 1) * in.hop);
}

} // namespace

Family one_by_one()
{
    Family family;
    family.id = "one-by-one";
    family.title = "One by one";
    family.summary = "Every micro-batch on its own, as without a pipeline.";
    family.citation = "none; an example";
    family.parameters = {lastFirst};
    family.closedForms = {{Quantity::Makespan, "m·(p(T_F+T_BW)+2(p−1)T_c)", "", makespan}};
    family.spec = linearShape;
    family.build = build;
    return family;
}

} // namespace pw::families
