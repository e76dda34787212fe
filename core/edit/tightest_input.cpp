// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/tightest_input.h"

namespace pw {

namespace {

/// Looks through the inputs of grabbed passes.
class InputSearch
{
public:
    InputSearch(const PipelineSpec& spec, const Costs& costs, const Present& present,
                const DraggedBody& body)
        : m_spec(spec)
        , m_costs(costs)
        , m_present(present)
        , m_body(body)
    {
    }

    void look(const Pass& pass, EntryId entry)
    {
        if (m_present.entry(pass) != entry)
            return;
        m_needs.clear();
        m_present.producers(pass, m_needs);
        const DeviceId to = m_spec.device(pass.route, pass.stage);
        for (const Pass& need : m_needs) {
            const EntryId from = m_present.entry(need);
            // A grabbed input comes along.
            if (from < 0 || m_body.has(from))
                continue;
            const Pass producer = withKind(need, m_present.kind(need));
            const Bytes bytes = messageBytes(m_costs, m_spec, producer, pass.kind);
            const Ticks there = arrival(m_costs, m_spec, m_spec.device(need.route, need.stage), to,
                                        bytes, m_body.end(from));
            const Ticks room = m_body.start(entry) - there;
            if (!m_tightest || room < m_tightest->room)
                m_tightest = DragInput{producer, pass, there, room};
        }
    }

    const std::optional<DragInput>& found() const { return m_tightest; }

private:
    const PipelineSpec& m_spec;
    const Costs& m_costs;
    const Present& m_present;
    const DraggedBody& m_body;
    std::vector<Pass> m_needs;
    std::optional<DragInput> m_tightest;
};

} // namespace

std::optional<DragInput> tightestInput(const Draft& draft, const Costs& costs,
                                       const Present& present, const DraggedBody& body)
{
    InputSearch search(draft.spec, costs, present, body);
    for (const DragLane& lane : body.lanes()) {
        for (const std::int32_t position : lane.grabbed) {
            const EntryId entry = body.begin(lane.device) + position;
            const OrderEntry& passes =
                draft.orders[lane.device.index()][static_cast<std::size_t>(position)];
            search.look(passes.pass, entry);
            if (passes.paired)
                search.look(passes.partner, entry);
        }
    }
    return search.found();
}

} // namespace pw
