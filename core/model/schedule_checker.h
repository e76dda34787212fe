// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/dependency_rule.h"
#include "core/model/draft.h"
#include "core/model/schedule.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace pw {

/// Number of a pass's route, stage and segment.
inline std::int32_t siteOf(const PipelineSpec& spec, const Pass& pass)
{
    return (pass.route * spec.stages() + pass.stage) * spec.segments() + pass.segment;
}

/// What is wrong with an order, noted at the place where the checker stands.
class ProblemNotes
{
public:
    /// @param firstOnly  one problem is enough
    explicit ProblemNotes(bool firstOnly = false)
        : m_firstOnly(firstOnly)
    {
    }

    void standAt(DeviceId device) { m_device = device; }
    void standAtEntry(std::int64_t position) { m_position = position; }
    DeviceId device() const { return m_device; }

    bool enough() const { return m_firstOnly && m_problems.count > 0; }
    Problems& problems() { return m_problems; }

    /// At the device and position where it stands; `text()` is called only for problems that are
    /// listed.
    template<typename Text>
    void note(ProblemCode code, const Pass& pass, Text text)
    {
        ++m_problems.count;
        if (m_problems.list.size() < Problems::listed)
            m_problems.list.push_back({code, m_device, m_position, pass, text()});
    }

private:
    Problems m_problems;
    bool m_firstOnly;
    DeviceId m_device{0};
    std::int64_t m_position = 0;
};

/// Puts the entries of an order into the tables of a schedule, and notes everything that is wrong.
///
/// Three walks: place the passes, compare the places of those that need each other, look for what
/// is missing. A pass that cannot be placed (outside, misplaced, doubled) is noted and left out.
class ScheduleChecker
{
public:
    /// @param firstOnly  stop at the first problem
    ScheduleChecker(PipelineSpec spec, bool firstOnly)
        : m_notes(firstOnly)
    {
        m_schedule.m_spec = std::move(spec);
        m_schedule.m_table = PassTable(m_schedule.m_spec);
        const auto size = static_cast<std::size_t>(m_schedule.m_table.size());
        m_schedule.m_kinds.assign(size, Schedule::absent);
        m_schedule.m_entryOf.assign(size, EntryId::none());
    }

    /// Takes a checked schedule whose entries are about to change places.
    explicit ScheduleChecker(Schedule schedule)
        : m_schedule(std::move(schedule))
    {
    }

    /// Puts entries into other places and compares them with those that they need.
    void rearrange(EntryId first, std::span<const EntryId> order)
    {
        const auto from = static_cast<std::size_t>(first);
        const std::vector<Schedule::Places> before(m_schedule.m_entries.begin() + first,
                                                   m_schedule.m_entries.begin() + first +
                                                       static_cast<std::ptrdiff_t>(order.size()));
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Schedule::Places& places = before[static_cast<std::size_t>(order[i] - first)];
            m_schedule.m_entries[from + i] = places;
            for (const PassId id : {places.first, places.second}) {
                if (id.valid())
                    m_schedule.m_entryOf[id.index()] = EntryId(from + i);
            }
        }
        const auto after =
            std::upper_bound(m_schedule.m_begin.begin(), m_schedule.m_begin.end(), first);
        m_notes.standAt(DeviceId(after - m_schedule.m_begin.begin() - 1));
        const EntryId begin = *std::prev(after);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const EntryId entry(from + i);
            const Schedule::Places places = m_schedule.m_entries[from + i];
            m_notes.standAtEntry(entry - begin);
            for (const PassId id : {places.first, places.second}) {
                if (id.valid())
                    compare(id, entry);
            }
        }
    }

    /// @pre as many lists as devices
    void run(const DeviceOrders& orders)
    {
        std::size_t entries = 0;
        for (const auto& order : orders)
            entries += order.size();
        m_schedule.m_entries.reserve(entries);
        m_schedule.m_begin.reserve(orders.size() + 1);
        m_schedule.m_begin.emplace_back(0);
        for (std::size_t device = 0; device < orders.size() && !stopped(); ++device) {
            m_notes.standAt(DeviceId(device));
            placeDevice(orders[device]);
            m_schedule.m_begin.emplace_back(m_schedule.entryCount());
        }
        if (!stopped())
            compareAll();
        if (!stopped())
            findMissing();
    }

    Problems& problems() { return m_notes.problems(); }

    /// The schedule with its problems, to put it back as it was.
    Schedule takeAnyway() { return std::move(m_schedule); }

    /// @pre no problems
    Schedule take()
    {
        if (m_schedule.m_spec.updateRule == UpdateRule::Stashed)
            countVersions();
        return std::move(m_schedule);
    }

private:
    bool stopped() const { return m_notes.enough(); }

    void placeDevice(const std::vector<OrderEntry>& order)
    {
        std::int64_t position = 0;
        for (const OrderEntry& entry : order) {
            m_notes.standAtEntry(position++);
            Schedule::Places places;
            placePass(entry.pass, places.first);
            if (places.first.valid())
                places.code =
                    static_cast<std::uint32_t>(siteOf(m_schedule.m_spec, entry.pass)) * 8 +
                    static_cast<std::uint32_t>(entry.pass.kind);
            if (entry.paired) {
                checkPair(entry);
                placePass(entry.partner, places.second);
            }
            if (stopped())
                return;
            // Left out passes keep their entry, so that positions stay those of the order.
            m_schedule.m_entries.push_back(places);
        }
    }

    void checkPair(const OrderEntry& entry)
    {
        const bool oneEach = (entry.pass.kind == PassKind::F && isBackward(entry.partner.kind)) ||
                             (entry.partner.kind == PassKind::F && isBackward(entry.pass.kind));
        if (!oneEach) {
            m_notes.note(ProblemCode::BadPair, entry.pass,
                         [] { return said("an overlapped pair is an F and a B or BW"); });
            return;
        }
        if (entry.pass.stage == entry.partner.stage &&
            entry.pass.microBatch == entry.partner.microBatch &&
            entry.pass.segment == entry.partner.segment) {
            m_notes.note(ProblemCode::BadPair, entry.pass, [] {
                return said("a pair cannot overlap F and backward of one micro-batch and stage");
            });
        }
    }

    void placePass(const Pass& pass, PassId& id)
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        if (stopped() || !inRange(pass))
            return;
        if (spec.device(pass.route, pass.stage) != m_notes.device()) {
            m_notes.note(ProblemCode::Misplaced, pass, [&] {
                return said("%1 belongs to device %2", describe(pass, spec),
                            spec.device(pass.route, pass.stage));
            });
            return;
        }
        const PassId place = m_schedule.m_table.id(pass);
        std::uint8_t& kind = m_schedule.m_kinds[static_cast<std::size_t>(place.value)];
        if (kind != Schedule::absent) {
            const auto before = static_cast<PassKind>(kind);
            if (before == pass.kind) {
                m_notes.note(ProblemCode::Doubled, pass,
                             [&] { return said("%1 appears twice", describe(pass, spec)); });
            } else {
                m_notes.note(ProblemCode::Conflict, pass, [&] {
                    return said("%1 appears beside a %2 of the same micro-batch",
                                describe(pass, spec), name(before));
                });
            }
            return;
        }
        id = place;
        kind = static_cast<std::uint8_t>(pass.kind);
        m_schedule.m_entryOf[place.index()] = EntryId(m_schedule.entryCount());
        ++m_schedule.m_passCount;
        m_schedule.m_anyRecompute |= pass.kind == PassKind::R;
    }

    /// Notes the first number of a pass that the spec does not have.
    bool inRange(const Pass& pass)
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        auto within = [&](std::string_view what, std::string_view many, std::int64_t value,
                          std::int64_t end) {
            if (value >= 0 && value < end)
                return true;
            m_notes.note(ProblemCode::Outside, pass,
                         [&] { return said("%1 %2; %3 are 0 to %4", what, value, many, end - 1); });
            return false;
        };
        auto refuse = [&](Sentence text) {
            m_notes.note(ProblemCode::Outside, pass, [&] { return std::move(text); });
            return false;
        };
        if (!within("stage", "stages", pass.stage, spec.stages()))
            return false;
        if (pass.kind == PassKind::U) {
            if (!spec.updates)
                return refuse(said("a U appears in an order without updates"));
            if (pass.route >= spec.routes.size() || pass.segment != 0)
                return refuse(said("a U has no segment, and one of the routes"));
            return within("update", "updates", pass.microBatch, spec.updatesPerStage());
        }
        if (!within("micro-batch", "micro-batches", pass.microBatch, spec.totalMicroBatches()) ||
            !within("segment", "segments", pass.segment, spec.segments()))
            return false;
        if (pass.route != spec.route(pass.microBatch)) {
            return refuse(said("micro-batch %1 takes route %2, not %3", pass.microBatch,
                               spec.route(pass.microBatch), pass.route));
        }
        return true;
    }

    void compareAll()
    {
        for (std::size_t device = 0; device + 1 < m_schedule.m_begin.size(); ++device) {
            m_notes.standAt(DeviceId(device));
            const EntryId begin = m_schedule.m_begin[device];
            for (const EntryId i : Ids<EntryId>(begin, m_schedule.m_begin[device + 1])) {
                const Schedule::Places places = m_schedule.m_entries[i.index()];
                m_notes.standAtEntry(i - begin);
                for (const PassId id : {places.first, places.second}) {
                    if (id.valid())
                        compare(id, i);
                    if (stopped())
                        return;
                }
            }
        }
    }

    /// Passes of one cell are on one device, so comparing their entries is enough. What is missing
    /// is found later.
    void compare(PassId id, EntryId entry)
    {
        const PassTable& table = m_schedule.m_table;
        const PassKind kind = m_schedule.kind(id);
        if (kind == PassKind::U) {
            compareUpdate(id, entry);
            return;
        }
        const std::int32_t cell = id.value / PassTable::slotsPerCell;
        switch (kind) {
        case PassKind::F:
            compareWeights(id, entry);
            return;
        case PassKind::B:
        case PassKind::BW:
            before(id, entry, table.at(cell, PassTable::forwardSlot), "F");
            return;
        case PassKind::R:
            before(id, entry, table.at(cell, PassTable::forwardSlot), "F");
            if (const PassId backward = table.at(cell, PassTable::backwardSlot);
                m_schedule.has(backward) && m_schedule.entryOf(backward) < entry) {
                const Pass pass = m_schedule.pass(id);
                m_notes.note(ProblemCode::OutOfOrder, pass, [&] {
                    return said("%1 comes after the backward that needs it",
                                describe(pass, m_schedule.m_spec));
                });
            }
            return;
        case PassKind::W: {
            const PassId backward = table.at(cell, PassTable::backwardSlot);
            if (m_schedule.has(backward) && m_schedule.kind(backward) == PassKind::BW) {
                const Pass pass = m_schedule.pass(id);
                m_notes.note(ProblemCode::Conflict, pass, [&] {
                    return said("%1 appears beside a BW, which contains it",
                                describe(pass, m_schedule.m_spec));
                });
                return;
            }
            before(id, entry, backward, "B");
            return;
        }
        case PassKind::U:
            return;
        }
    }

    void before(PassId id, EntryId entry, PassId needed, std::string_view what)
    {
        if (!m_schedule.has(needed) || m_schedule.entryOf(needed) < entry)
            return;
        const Pass pass = m_schedule.pass(id);
        m_notes.note(ProblemCode::OutOfOrder, pass, [&] {
            return said("micro-batch %1 of stage %2 has %3 before %4", pass.microBatch, pass.stage,
                        name(pass.kind), what);
        });
    }

    /// The update that makes the weights of an F stands before it.
    void compareWeights(PassId id, EntryId entry)
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        if (!spec.updates)
            return;
        const Pass pass = m_schedule.pass(id);
        const int number = updateBefore(spec, pass.microBatch);
        if (number < 0)
            return;
        const PassId update = m_schedule.m_table.updateId(pass.route, pass.stage, number);
        if (m_schedule.has(update) && m_schedule.entryOf(update) > entry) {
            m_notes.note(ProblemCode::OutOfOrder, pass, [&] {
                return said("%1 comes before the update of step %2 that makes its weights",
                            describe(pass, spec), number);
            });
        }
    }

    /// All gradients of the hosted stage stand before its update.
    void compareUpdate(PassId id, EntryId entry)
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        const PassTable& table = m_schedule.m_table;
        const Pass update = m_schedule.pass(id);
        const GradientRange range = gradientsOf(spec, update);
        for (int j = range.first; j < range.first + range.count; ++j) {
            if (spec.route(j) != update.route)
                continue;
            for (int q = 0; q < spec.segments(); ++q) {
                const std::int32_t cell = table.cell(update.stage, j, q);
                const PassId backward = table.at(cell, PassTable::backwardSlot);
                const PassId weight = table.at(cell, PassTable::weightSlot);
                const bool fused =
                    m_schedule.has(backward) && m_schedule.kind(backward) == PassKind::BW;
                const PassId gradient = fused ? backward : weight;
                if (m_schedule.has(gradient) && m_schedule.entryOf(gradient) > entry) {
                    m_notes.note(ProblemCode::OutOfOrder, update, [&] {
                        return said("%1 comes before the gradient of micro-batch %2",
                                    describe(update, spec), j);
                    });
                    return;
                }
            }
        }
    }

    void findMissing()
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        const PassTable& table = m_schedule.m_table;
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            for (int j = 0; j < spec.totalMicroBatches(); ++j) {
                for (int q = 0; q < spec.segments(); ++q) {
                    findMissing(stage, j, q);
                    if (stopped())
                        return;
                }
            }
        }
        const int updates = spec.updatesPerStage();
        for (std::int32_t id = table.firstUpdate(); id < table.size() && !stopped(); ++id) {
            if (m_schedule.has(PassId(id)))
                continue;
            const std::int32_t index = id - table.firstUpdate();
            const int hosted = index / updates;
            missing({PassKind::U, static_cast<std::uint8_t>(hosted / spec.stages()),
                     StageId(hosted % spec.stages()), index % updates, 0});
        }
    }

    /// Looks for F and the backwards of one cell.
    void findMissing(StageId stage, int microBatch, int segment)
    {
        const PassTable& table = m_schedule.m_table;
        const std::int32_t cell = table.cell(stage, microBatch, segment);
        const auto route = static_cast<std::uint8_t>(m_schedule.m_spec.route(microBatch));
        const bool hasW = m_schedule.has(table.at(cell, PassTable::weightSlot));
        if (!m_schedule.has(table.at(cell, PassTable::forwardSlot)))
            missing({PassKind::F, route, stage, microBatch, segment});
        const PassId backward = table.at(cell, PassTable::backwardSlot);
        if (!m_schedule.has(backward))
            missing({hasW ? PassKind::B : PassKind::BW, route, stage, microBatch, segment});
        else if (m_schedule.kind(backward) == PassKind::B && !hasW)
            missing({PassKind::W, route, stage, microBatch, segment});
    }

    void missing(const Pass& pass)
    {
        const DeviceId device = m_schedule.m_spec.device(pass.route, pass.stage);
        m_notes.standAt(device);
        m_notes.standAtEntry(-1);
        m_notes.note(ProblemCode::Missing, pass, [&] {
            return said("device %1 misses %2", device, describe(pass, m_schedule.m_spec));
        });
    }

    /// With stashed weights an F reads what the updates before it on its stage have made.
    void countVersions()
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        const auto m = static_cast<std::size_t>(spec.totalMicroBatches());
        m_schedule.m_versions.assign(static_cast<std::size_t>(spec.stages()) * m, 0);
        std::vector<std::int32_t> updates(static_cast<std::size_t>(spec.stages()) *
                                          static_cast<std::size_t>(spec.routeCount()));
        auto count = [&](const Pass& pass) {
            const int place = pass.route * spec.stages() + pass.stage;
            std::int32_t& made = updates[static_cast<std::size_t>(place)];
            if (pass.kind == PassKind::U)
                ++made;
            else if (pass.kind == PassKind::F && pass.segment == 0)
                m_schedule.m_versions[static_cast<std::size_t>(pass.stage) * m +
                                      static_cast<std::size_t>(pass.microBatch)] = made;
        };
        for (const EntryId i : m_schedule.entries()) {
            const OrderEntry entry = m_schedule.entry(i);
            count(entry.pass);
            if (entry.paired)
                count(entry.partner);
        }
    }

    Schedule m_schedule;
    ProblemNotes m_notes;
};

} // namespace pw
