// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/order_classes.h"

#include <algorithm>

namespace pw {

ClassTable::ClassTable(const OrderSpace& space)
    : m_space(space)
{
    for (int route = 0; route < space.spec.routeCount(); ++route)
        addRoute(route);
    for (std::size_t c = classes.size(); c-- > 0;) {
        for (const auto& [before, hop] : classes[c].waitsFor) {
            auto& tail = classes[static_cast<std::size_t>(before)].tail;
            tail = std::max(tail, hop + classes[c].duration + classes[c].tail);
        }
    }
}

int ClassTable::find(PassKind kind, int route, StageId stage, int segment) const
{
    for (std::size_t c = 0; c < classes.size(); ++c) {
        const PassClass& one = classes[c];
        if (one.kind == kind && one.route == route && one.stage == stage && one.segment == segment)
            return static_cast<int>(c);
    }
    return -1;
}

bool ClassTable::has(PassKind kind) const
{
    return std::find(m_space.kinds.begin(), m_space.kinds.end(), kind) != m_space.kinds.end();
}

int ClassTable::add(PassKind kind, int route, StageId stage, int segment)
{
    const PipelineSpec& spec = m_space.spec;
    PassClass made;
    made.kind = kind;
    made.route = route;
    made.stage = stage;
    made.segment = segment;
    made.device = spec.device(route, stage);
    const Pass pass{kind, static_cast<std::uint8_t>(route), stage, 0, segment};
    made.duration = passTime(m_space.costs, spec, pass);
    made.change = activationChange(m_space.costs.activation[cellIndex(spec, stage, segment)], kind,
                                   has(PassKind::R))
                      .share;
    for (int j = 0; j < spec.microBatches; ++j)
        made.count += spec.route(j) == route ? 1 : 0;
    classes.push_back(std::move(made));
    return static_cast<int>(classes.size()) - 1;
}

void ClassTable::wait(int waiting, int producer)
{
    if (producer < 0)
        return;
    PassClass& one = classes[static_cast<std::size_t>(waiting)];
    const PassClass& other = classes[static_cast<std::size_t>(producer)];
    const PipelineSpec& spec = m_space.spec;
    const Pass pass{other.kind, static_cast<std::uint8_t>(other.route), StageId(other.stage), 0,
                    other.segment};
    const Bytes bytes = messageBytes(m_space.costs, spec, pass, one.kind);
    const Ticks hop = nominalMessageTime(m_space.costs, spec, DeviceId(other.device),
                                         DeviceId(one.device), bytes);
    one.waitsFor.emplace_back(producer, hop);
}

void ClassTable::addRoute(int route)
{
    const int stages = m_space.spec.stages();
    const int segments = m_space.spec.segments();
    const bool recompute = has(PassKind::R);
    const bool split = has(PassKind::B);
    const PassKind backward = split ? PassKind::B : PassKind::BW;
    for (const StageId s : Ids<StageId>(stages)) {
        for (int q = 0; q < segments; ++q) {
            const int f = add(PassKind::F, route, s, q);
            wait(f, find(PassKind::F, route, StageId(s - 1), q));
            wait(f, find(PassKind::F, route, s, q - 1));
            if (recompute)
                wait(add(PassKind::R, route, s, q), f);
        }
    }
    for (StageId s(stages - 1); s >= 0; --s) {
        for (int q = segments - 1; q >= 0; --q) {
            const int b = add(backward, route, s, q);
            wait(b, find(recompute ? PassKind::R : PassKind::F, route, s, q));
            wait(b, find(backward, route, StageId(s + 1), q));
            wait(b, find(backward, route, s, q + 1));
            if (split)
                wait(add(PassKind::W, route, s, q), b);
        }
    }
}

} // namespace pw
