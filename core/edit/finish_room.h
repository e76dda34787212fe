// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/known_sizes.h"
#include "core/model/schedule.h"
#include "core/sim/dependencies.h"

#include <vector>

namespace pw {

/// What devices hold of activation while `finishRest` plays, and whether one entry more fits.
class FinishRoom
{
public:
    /// @param cap   the most of a device; 0: none
    /// @param room  a forward that is added leaves room for what its device still has to take of
    ///              the oldest micro-batch there
    FinishRoom(const Costs& costs, const Schedule& wanted, Share cap, bool room);

    /// Whether the passes of an entry fit now. Where not, that is the device's reason to wait.
    bool fits(DeviceId device, const OrderEntry& entry);

    /// Whether a forward leaves room for the oldest micro-batch of its device: that one can always
    /// go on.
    bool leavesRoom(DeviceId device, const Pass& forward);

    /// A pass begins, or is over, on a device.
    void begin(DeviceId device, const Pass& pass);
    void end(DeviceId device, const Pass& pass);

    /// The device looks anew for what it may start.
    void forgetShort(DeviceId device) { m_lanes[device.index()].isShort = false; }

    /// Whether a device waits for memory, and which one and for what.
    bool isShort() const;
    /// @pre  `isShort()`
    Error reason() const;

private:
    struct Lane
    {
        Share share = 0;
        Bytes bytes = 0;
        Bytes cap = 0;  // of activation; 0: none
        int oldest = 0; // no micro-batch before it has passes to do here
        bool isShort = false;
        bool inBytes = false; // else in share
        Pass refused;
    };

    static bool adds(const Pass& pass)
    {
        return pass.kind == PassKind::F || pass.kind == PassKind::R;
    }

    ActivationChange change(const Pass& pass) const
    {
        if (pass.kind == PassKind::U)
            return {};
        return activationChange(m_costs.activation[cellIndex(m_spec, pass.stage, pass.segment)],
                                pass.kind, m_wanted.recomputed(pass));
    }

    void hold(Lane& lane, const Pass& pass) const
    {
        const ActivationChange more = change(pass);
        lane.share += more.share;
        lane.bytes += more.bytes;
    }

    bool refuse(Lane& lane, const Pass& pass, bool share, bool bytes) const;
    ActivationChange oldestNeeds(DeviceId device, Lane& lane) const;
    bool addNeeds(const HostedStage& hosted, int microBatch, int segment,
                  ActivationChange& sum) const;

    const Costs& m_costs;
    const Schedule& m_wanted;
    const PipelineSpec& m_spec;
    Share m_cap;
    bool m_room;
    std::vector<std::vector<HostedStage>> m_chunks; // by device
    std::vector<bool> m_begun;                      // by place
    std::vector<Lane> m_lanes;                      // by device
};

} // namespace pw
