// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/value.h"
#include "core/io/project_file.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace pw {

/// An entry and its position in the device's list once all entries of the change are there.
struct PlacedEntry
{
    std::int32_t position = 0;
    OrderEntry entry;

    friend bool operator==(const PlacedEntry&, const PlacedEntry&) = default;
};

struct InsertEntries
{
    DeviceId device{0};
    std::vector<PlacedEntry> entries; ///< by position, no two alike

    friend bool operator==(const InsertEntries&, const InsertEntries&) = default;
};

struct RemoveEntries
{
    DeviceId device{0};
    std::vector<std::int32_t> positions; ///< sorted, no two alike

    friend bool operator==(const RemoveEntries&, const RemoveEntries&) = default;
};

/// From a position before the change to one after it.
struct EntryMove
{
    std::int32_t from = 0;
    std::int32_t to = 0;

    friend bool operator==(const EntryMove&, const EntryMove&) = default;
};

/// Entries that are not named keep their order around the named ones.
struct MoveEntries
{
    DeviceId device{0};
    std::vector<EntryMove> moves; ///< by `from`; no two from or to the same position

    friend bool operator==(const MoveEntries&, const MoveEntries&) = default;
};

/// Another entry at a position: other passes, or a pair instead of a single pass.
struct ReplaceEntry
{
    DeviceId device{0};
    std::int32_t position = 0;
    OrderEntry entry;

    friend bool operator==(const ReplaceEntry&, const ReplaceEntry&) = default;
};

/// Another shape for the entries that are there. New devices begin empty; a device that goes must
/// be empty.
struct SetSpec
{
    PipelineSpec spec;

    friend bool operator==(const SetSpec&, const SetSpec&) = default;
};

/// Other entries on all devices.
struct SetOrders
{
    DeviceOrders orders;

    friend bool operator==(const SetOrders&, const SetOrders&) = default;
};

/// A family with the spec that it makes, and no orders; or no family and a draft.
struct SetSchedule
{
    std::optional<FamilyChoice> family;
    Draft draft;

    friend bool operator==(const SetSchedule&, const SetSchedule&) = default;
};

struct SetCosts
{
    std::variant<UniformCosts, Costs> costs;
    std::optional<CostOrigin> origin = std::nullopt; ///< of tables that a model made

    friend bool operator==(const SetCosts&, const SetCosts&) = default;
};

/// Other activations that wait in the host's memory, or another link there. Cells that the shape
/// does not have are left out.
struct SetOffload
{
    Offload offload;

    friend bool operator==(const SetOffload&, const SetOffload&) = default;
};

struct SetTitle
{
    std::string title;

    friend bool operator==(const SetTitle&, const SetTitle&) = default;
};

struct SetNotes
{
    std::string notes;

    friend bool operator==(const SetNotes&, const SetNotes&) = default;
};

/// Other annotations, all of them.
struct SetAnnotations
{
    std::vector<Annotation> annotations;

    friend bool operator==(const SetAnnotations&, const SetAnnotations&) = default;
};

struct InsertBlock
{
    std::size_t index = 0;
    BuildingBlock block;

    friend bool operator==(const InsertBlock&, const InsertBlock&) = default;
};

struct RemoveBlock
{
    std::size_t index = 0;

    friend bool operator==(const RemoveBlock&, const RemoveBlock&) = default;
};

struct SetBlock
{
    std::size_t index = 0;
    BuildingBlock block;

    friend bool operator==(const SetBlock&, const SetBlock&) = default;
};

/// One of the changes above. A value.
///
/// What the compiler makes of fifteen alternatives to copy, move, compare and destroy them is in
/// one file, since half of the product holds edits.
class Change
{
public:
    Change(InsertEntries change);
    Change(RemoveEntries change);
    Change(MoveEntries change);
    Change(ReplaceEntry change);
    Change(SetSpec change);
    Change(SetOrders change);
    Change(SetSchedule change);
    Change(SetCosts change);
    Change(SetOffload change);
    Change(SetTitle change);
    Change(SetNotes change);
    Change(SetAnnotations change);
    Change(InsertBlock change);
    Change(RemoveBlock change);
    Change(SetBlock change);
    PW_VALUE(Change);

    template<typename C>
    bool is() const
    {
        return std::holds_alternative<C>(m_one);
    }
    /// The change, where it is of this kind; null otherwise.
    template<typename C>
    const C* as() const
    {
        return std::get_if<C>(&m_one);
    }
    template<typename C>
    C* as()
    {
        return std::get_if<C>(&m_one);
    }
    bool sameKind(const Change& other) const { return m_one.index() == other.m_one.index(); }

    /// Calls `what` with the change as what it is.
    template<typename F>
    decltype(auto) visit(F& what) const
    {
        return std::visit(what, m_one);
    }

    friend bool operator==(const Change& a, const Change& b);

private:
    std::variant<InsertEntries, RemoveEntries, MoveEntries, ReplaceEntry, SetSpec, SetOrders,
                 SetSchedule, SetCosts, SetOffload, SetTitle, SetNotes, SetAnnotations, InsertBlock,
                 RemoveBlock, SetBlock>
        m_one;
};

/// A list of changes to a project, done one after another and as a whole. A value.
struct Edit
{
    std::vector<Change> changes;

    bool empty() const { return changes.empty(); }

    friend bool operator==(const Edit&, const Edit&) = default;
};

/// Does all changes of an edit, or none.
///
/// The draft may be unfinished and wrong afterwards, but the project stays one that a file can
/// hold: spec and costs fit each other, and a family stands with the spec that it makes. Entries of
/// a family's schedule are edited after a `SetSchedule` without family. What is offloaded stays
/// whatever costs are set, as far as the shape has it; with another number of stages or segments
/// nothing is, unless the edit says so.
///
/// @return         the edit that takes it back; of a change to entries it is as small as that
/// @error BadValue, TooLarge  which device, position or value cannot be, and the limit; the project
///                 is as before
/// @complexity     O(entries behind the first changed position of a device), for moves O(entries
///                 between the outermost positions); the whole draft only where it is replaced
Result<Edit> apply(Project& project, const Edit& edit);

} // namespace pw
