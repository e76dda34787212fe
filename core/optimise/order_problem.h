// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pw {

/// What a search makes small.
enum class OrderAim : std::uint8_t
{
    Makespan, ///< from the first start to the last end of all
    Span      ///< the longest device: end of its last pass minus start of its first
};

/// Activation in its two measures; a limit that is not there is `unlimited`.
struct HeldActivation
{
    static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

    Bytes bytes = 0;
    Share share = 0;

    HeldActivation& operator+=(const HeldActivation& other)
    {
        bytes += other.bytes;
        share += other.share;
        return *this;
    }
    bool within(const HeldActivation& limit) const
    {
        return bytes <= limit.bytes && share <= limit.share;
    }
};

struct OrderEdge;

/// For each device its nodes in order.
using NodeOrders = std::vector<std::vector<std::int32_t>>;

/// The passes of a schedule as a search for a better order sees them: nodes with times, what they
/// wait for, and what they hold. Node numbers are entries of the schedule it was made from.
///
/// A *class* is every node of one kind of work on one stage and segment, within one step; where all
/// classes are *equal work* ("symmetric"), a class keeps its micro-batches in order without loss:
/// the k-th start of a class can always be given to its k-th micro-batch.
///
/// Of activations that go to the host's memory (`Costs::offload`) a problem says less than holds,
/// and nothing that does not hold: no copy takes time, and such an activation is on its device
/// while its F runs and from the start of the first pass that needs it again. With the copies
/// (`core/sim/host_copies.h`) no pass starts sooner, and there is no less on the device: a copy
/// there begins behind the F, and one back ends before the pass. Where one micro-batch of a class
/// goes, all of it count as if they did. So whatever is proven of a problem's orders, no better one
/// being there, is proven with the copies; `HostedTimes` says how long an order really takes.
///
/// @source own; the exchange argument holds for every permutation flow line with equal jobs
class OrderProblem
{
public:
    /// A node that waits, on another device, and the time of the message.
    struct Arc
    {
        std::int32_t node = 0;
        Ticks delay = 0;
    };

    /// @param limits  most activation, by device; see `activationLimits`
    OrderProblem(const Schedule& schedule, const Costs& costs, OrderAim aim,
                 std::vector<HeldActivation> limits);

    OrderAim aim() const { return m_aim; }
    int devices() const { return static_cast<int>(m_limits.size()); }
    std::int32_t nodes() const { return static_cast<std::int32_t>(m_entries.size()); }
    const PipelineSpec& spec() const { return m_spec; }
    const PassTable& table() const { return m_table; }
    /// The node of a pass; −1 where the schedule does not have it.
    std::int32_t nodeOf(PassId pass) const { return m_nodeOf[at(pass.value)]; }
    const OrderEntry& entry(std::int32_t node) const { return m_entries[at(node)]; }
    DeviceId device(std::int32_t node) const { return m_device[at(node)]; }
    Ticks time(std::int32_t node) const { return m_time[at(node)]; }
    /// Held from the start of the node on, and given up (below 0) at its end.
    const HeldActivation& adds(std::int32_t node) const { return m_adds[at(node)]; }
    const HeldActivation& gives(std::int32_t node) const { return m_gives[at(node)]; }
    const HeldActivation& limit(DeviceId device) const { return m_limits[at(device)]; }

    /// Across devices.
    std::span<const Arc> inputs(std::int32_t node) const { return m_inputs.of(node); }
    std::span<const Arc> outputs(std::int32_t node) const { return m_outputs.of(node); }
    /// On the same device: the cell's own passes, the order of a class, what memory forces.
    std::span<const std::int32_t> before(std::int32_t node) const { return m_before.of(node); }
    std::span<const std::int32_t> behind(std::int32_t node) const { return m_behind.of(node); }

    /// Whether what a pass leaves, or needs, counts as if it went to the host's memory.
    bool hosted(const Pass& pass) const;
    bool symmetric() const { return m_symmetric; }
    /// Whether the order has overlapped pairs, which stay as they are.
    bool paired() const { return m_paired; }
    int classes() const { return static_cast<int>(m_classBegin.size()) - 1; }
    int classOf(std::int32_t node) const { return m_class[at(node)]; }
    /// Place of a node in its class.
    std::int32_t item(std::int32_t node) const { return m_item[at(node)]; }
    std::span<const std::int32_t> itemsOf(int cls) const
    {
        return std::span(m_classItems)
            .subspan(at(m_classBegin[at(cls)]),
                     at(m_classBegin[at(cls) + 1] - m_classBegin[at(cls)]));
    }
    std::span<const std::int32_t> classesOf(DeviceId device) const
    {
        return m_deviceClasses[at(device)];
    }

    /// The order of the schedule it was made from.
    NodeOrders given() const;
    /// The same passes as another schedule has them, or empty where it has others. In a symmetric
    /// problem every class comes out in order.
    NodeOrders nodesOf(const Schedule& schedule) const;
    DeviceOrders entriesOf(const NodeOrders& orders) const;
    /// Whether the activation of an order stays within the limits.
    bool fits(const NodeOrders& orders) const;
    /// Whether nothing stands before a node of its own device that it needs.
    bool inOrder(const NodeOrders& orders) const;

private:
    /// Lists of all nodes in one array.
    template<typename T>
    struct Lists
    {
        std::vector<std::int32_t> begin;
        std::vector<T> all;

        std::span<const T> of(std::int32_t node) const
        {
            return std::span(all).subspan(at(begin[at(node)]),
                                          at(begin[at(node) + 1] - begin[at(node)]));
        }
    };
    void markHosted(const Costs& costs);
    void addNodes(const Schedule& schedule, const Costs& costs);
    void addClasses();
    bool equalClasses() const;
    void sortEdges(const std::vector<OrderEdge>& edges);

    PipelineSpec m_spec;
    PassTable m_table;
    OrderAim m_aim;
    std::vector<HeldActivation> m_limits;
    std::vector<OrderEntry> m_entries;
    std::vector<DeviceId> m_device;
    std::vector<Ticks> m_time;
    std::vector<HeldActivation> m_adds, m_gives;
    std::vector<std::int32_t> m_begin; // by device, and the end
    Lists<Arc> m_inputs, m_outputs;
    Lists<std::int32_t> m_before, m_behind;
    std::vector<std::int32_t> m_nodeOf; // by place of the pass table
    std::vector<std::int32_t> m_class, m_item, m_classBegin, m_classItems;
    std::vector<std::vector<std::int32_t>> m_deviceClasses;
    std::vector<char> m_hosted; // by route, stage and segment; empty: nothing is offloaded
    bool m_symmetric = false;
    bool m_paired = false;
};

/// Most activation that each device may hold: what the caps of the costs leave beside weights,
/// gradients and optimizer states.
std::vector<HeldActivation> activationLimits(const PipelineSpec& spec, const Costs& costs);

} // namespace pw
