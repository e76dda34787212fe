// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/recover.h"

#include <optional>

namespace pw {

/// A replica without its updates: they wait for the gradients of all replicas, which no order of a
/// single one tells. Nothing where it has none, or where an iteration holds several steps, whose
/// passes wait for the updates between them.
std::optional<RecoveredPipeline> withoutUpdates(const RecoveredPipeline& pipeline);

} // namespace pw
