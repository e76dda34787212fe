// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/compose.h"
#include "ui/models/palette_item.h"

#include <QString>

#include <vector>

namespace pw::ui {

/// Where something from the palette is held.
struct DropPlace
{
    DeviceId device; ///< none: beside the lanes
    Ticks time = 0;
    bool free = false; ///< passes may be put where they wait for each other in a ring
};

/// What a drop would do to a project.
struct PaletteDrop
{
    Proposal proposal;
    QString hint;              ///< "ZB-V for 8 micro-batches on 4 devices"
    QString step;              ///< text of the undo step: "Place ZB-V"
    bool replaces = false;     ///< the whole schedule is new, not only some passes
    bool later = false;        ///< it takes long to make: the proposal has its edit alone
    std::vector<Pass> choices; ///< of a pass: what may be meant, the one of the proposal first
};

/// Shape and parameters of a project's schedule, as far as a family has them.
FamilyChoice choiceFor(const Project& project, const Family& family);

/// The building block that an item stands for, in the shape of a project.
/// @error BadValue  there is no such family or block, or the family has no block of the shape
Result<BuildingBlock> blockFor(const Project& project, const PaletteItem& item);

/// What dropping an item at a place would do.
/// @error  the reason, in a sentence for the person who holds it
Result<PaletteDrop> dropOf(const Project& project, const PaletteItem& item, const DropPlace& place);

/// A family's schedule instead of what is there, with the costs as far as they fit.
Result<PaletteDrop> dropOf(const Project& project, const FamilyChoice& choice);

/// One pass on its device. @error as `insertPass`, or a ring
Result<PaletteDrop> dropOf(const Project& project, const Pass& pass, const DropPlace& place);

/// The choices of a drop into a project and, behind them, the same passes of the next
/// micro-batches; a few in all.
std::vector<Pass> choicesWith(const Project& project, std::vector<Pass> choices);

/// Where an item goes that is placed without a pointer: behind a selected entry, else where a pass
/// of the kind can start first.
///
/// @param selected  may be null
DropPlace placeFor(const Project& project, const PaletteItem& item, const EntryAt* selected);

} // namespace pw::ui
