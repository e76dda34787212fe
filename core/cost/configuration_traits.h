// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/configuration.h"
#include "core/families/family_traits.h"

namespace pw::plan {

/// The traits of a configuration's family with its parameters; those of nothing where there is no
/// such family, or none of several small shapes can be made.
FamilyTraits traitsOf(const Configuration& configuration);

/// Micro-batches of a device's share that the fullest device holds at least at once: by the
/// family's closed form, where it has none by its order of equal stages, and 1 where that depends
/// on a search.
double microBatchesInFlight(const Configuration& configuration);

/// Whether the order of a configuration is that of another family, pass by pass; chunks are the
/// configuration's.
bool hasOrderOf(const Configuration& configuration, const Family& other);

/// Whether every device of a configuration does what `OneFOneBWalk` does: stage k is on device k,
/// and after a warm-up as long as there are stages behind it, forwards and whole backwards take
/// turns.
bool takesTurns(const Configuration& configuration);

} // namespace pw::plan
