// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/model/pass.h"
#include "core/model/pipeline_spec.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pw {

struct Problems;

/// For each device its passes in order; the exchange form of an order, checked or not.
using DeviceOrders = std::vector<std::vector<OrderEntry>>;

inline OrderEntry single(const Pass& pass)
{
    return {pass, {}, false};
}

inline OrderEntry overlapped(const Pass& first, const Pass& second)
{
    return {first, second, true};
}

/// Numbers the passes that a spec can have: 4 for a cell (stage, micro-batch, segment), then the
/// updates.
///
/// The place of a pass is computed, so tables over passes are flat. B and BW share a place, since a
/// cell has one or the other.
class PassTable
{
public:
    static constexpr std::int32_t slotsPerCell = 4;
    static constexpr std::int32_t forwardSlot = 0;
    static constexpr std::int32_t backwardSlot = 1;
    static constexpr std::int32_t weightSlot = 2;
    static constexpr std::int32_t recomputeSlot = 3;

    PassTable() = default;
    explicit PassTable(const PipelineSpec& spec);

    /// Number of places; some have no pass.
    std::int32_t size() const { return m_size; }
    /// Places from here on belong to U passes.
    std::int32_t firstUpdate() const { return m_firstUpdate; }
    std::int32_t cell(StageId stage, int microBatch, int segment) const
    {
        return stage * m_stageCells + microBatch * m_segments + segment;
    }
    PassId id(const Pass& pass) const;
    /// The pass of a kind at a place; takes divisions. @pre a pass of the kind can be there
    Pass pass(PassId id, PassKind kind, const PipelineSpec& spec) const;
    PassId at(std::int32_t cell, std::int32_t slot) const
    {
        return PassId(cell * slotsPerCell + slot);
    }
    PassId updateId(int route, StageId stage, int update) const
    {
        return PassId(m_firstUpdate + (route * m_stages + stage) * m_updates + update);
    }
    /// Places between a cell and the same one of the next stage.
    std::int32_t stageStride() const { return m_stageCells * slotsPerCell; }

private:
    std::int32_t m_stages = 0;
    std::int32_t m_stageCells = 0; ///< some more than there are, see the constructor
    std::int32_t m_segments = 1;
    std::int32_t m_updates = 0;
    std::int32_t m_firstUpdate = 0;
    std::int32_t m_size = 0;
};

/// An order that is complete: every pass of the spec once, on its device, and never before a pass
/// of its own cell that it needs. Devices can still wait for each other in a ring; the simulator
/// finds that.
///
/// Entries of all devices lie in one array, device after device; `begin(device)` is where a device
/// starts.
class Schedule
{
public:
    PW_VALUE(Schedule);

    /// Checks an order against its spec.
    ///
    /// @param spec    see `check(PipelineSpec)`
    /// @param orders  one list a device
    /// @error BadSchedule  the first missing, doubled, misplaced or out-of-order pass, with device
    /// and place
    /// @complexity    O(passes)
    static Result<Schedule> make(PipelineSpec spec, const DeviceOrders& orders);

    /// Puts some neighbouring entries of a device into another order, in place.
    ///
    /// @param first  the first of them, as an index of the common array
    /// @param order  for each of their places the entry that comes there; a permutation of
    ///               first … first + n − 1
    /// @return       what is wrong with the new order; then the schedule stays as it is
    /// @complexity   O(n); with stashed weights, or an update among the entries, up to O(passes)
    Problems reorder(EntryId first, std::span<const EntryId> order);

    const PipelineSpec& spec() const { return m_spec; }
    const PassTable& table() const { return m_table; }

    int devices() const { return m_spec.devices; }
    std::int32_t entryCount() const { return static_cast<std::int32_t>(m_entries.size()); }
    EntryId begin(DeviceId device) const { return m_begin[device.index()]; }
    EntryId end(DeviceId device) const { return m_begin[device.index() + 1]; }
    /// Those of one device.
    Ids<EntryId> entries(DeviceId device) const { return {begin(device), end(device)}; }
    /// Those of all devices.
    Ids<EntryId> entries() const { return Ids<EntryId>(m_entries.size()); }
    /// Number of passes, both of a pair counted.
    std::int64_t passCount() const { return m_passCount; }

    /// Entry of the common array, as passes.
    OrderEntry entry(EntryId entry) const;
    /// The order in its exchange form.
    DeviceOrders orders() const;

    /// An entry in its compact form: places of its passes, and where the first one happens.
    ///
    /// A *site* is (route, stage, segment): (route·S + stage)·k + segment. Without a partner
    /// `second` is invalid. Kept small: a simulation of many passes is bound by memory.
    struct Places
    {
        PassId first;
        PassId second;
        std::uint32_t code = 0; ///< of the first pass: site and kind in one

        std::uint32_t site() const { return code / 8; }
        PassKind kind() const { return static_cast<PassKind>(code % 8); }

        friend bool operator==(const Places&, const Places&) = default;
    };
    std::span<const Places> places() const { return m_entries; }
    /// Site of a pass; takes a division, for the rare case.
    std::int32_t site(PassId id) const;
    /// Whether any cell has an R pass.
    bool anyRecompute() const { return m_anyRecompute; }

    bool has(PassId id) const { return m_kinds[id.index()] != absent; }
    /// Kind of the pass at a place. @pre has(id)
    PassKind kind(PassId id) const { return static_cast<PassKind>(m_kinds[id.index()]); }
    Pass pass(PassId id) const;
    DeviceId device(PassId id) const;
    /// Entry that holds a pass; none if the schedule has no such pass.
    EntryId entryOf(PassId id) const { return m_entryOf[id.index()]; }

    /// Whether the cell of a pass is recomputed (has an R pass).
    bool recomputed(const Pass& pass) const;

    /// Weight version that the passes of a micro-batch read on a stage: the number of updates in
    /// it.
    ///
    /// Flush: the step. Stashed: the updates of the stage that stand before the micro-batch's F.
    /// Double-buffered: max(step − 1, 0).
    int weightVersion(StageId stage, int microBatch) const;

    friend bool operator==(const Schedule& a, const Schedule& b);

private:
    static constexpr std::uint8_t absent = 255;

    Schedule() = default;

    friend class ScheduleChecker;

    PipelineSpec m_spec;
    PassTable m_table;
    std::vector<Places> m_entries;
    std::vector<EntryId> m_begin;         // devices + 1
    std::vector<std::uint8_t> m_kinds;    // by place: kind, or absent
    std::vector<EntryId> m_entryOf;       // by place: entry, or none
    std::vector<std::int32_t> m_versions; // stashed weights only: by stage·m + micro-batch
    std::int64_t m_passCount = 0;
    bool m_anyRecompute = false;
};

/// The pass in words: "F of micro-batch 3 on stage 1", with segment and route where the spec has
/// them.
Sentence describe(const Pass& pass, const PipelineSpec& spec);

} // namespace pw
