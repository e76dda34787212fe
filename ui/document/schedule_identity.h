// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"
#include "core/sim/simulator.h"
#include "ui/models/lanes.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>

namespace pw::ui {

/// A schedule as it was, with its times.
struct Moment
{
    QString title;
    std::shared_ptr<const Schedule> schedule;
    SimResult times;
    LanesPtr lanes;
    Costs costs;
};

/// What a schedule is known by: the family that makes it, or that its orders were made from.
struct ScheduleIdentity
{
    enum class Orders : std::uint8_t
    {
        Made,    ///< by the family
        Edited,  ///< by hand
        Improved ///< by a search
    };

    std::optional<FamilyChoice> family; ///< none: they were never a family's
    Orders orders = Orders::Made;
    /// The schedule before it was edited, improved or given other costs; null: nothing was.
    std::shared_ptr<const Moment> before;

    /// Whether both are called the same.
    bool alike(const ScheduleIdentity& other) const;
    /// "1F1B", "1F1B, edited", "1F1B, improved"; empty: never a family's.
    QString called() const;
};

/// The identity of a project that is opened. A title that says no more than that, as `keepIdentity`
/// writes it, is taken from the project: it would stay when the schedule becomes another.
ScheduleIdentity takeIdentity(Project& project);

/// Gives a project that has orders of its own and no title one that tells where they come from.
void keepIdentity(Project& project, const ScheduleIdentity& identity);

/// The identity once an edit is done. @param project  as it is then
/// @param improved  the edit comes from a search
ScheduleIdentity identityAfter(const ScheduleIdentity& identity, const Edit& edit,
                               const Project& project, bool improved);

} // namespace pw::ui
