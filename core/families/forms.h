// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"

namespace pw::families {

/// Spec with one chunk a device, stage s on device s; the options' micro-batches and steps, one
/// segment.
Result<PipelineSpec> linearShape(const FamilyOptions& options);

/// Spec with the given placement on one route; the options' micro-batches and steps, one segment.
Result<PipelineSpec> placedShape(const FamilyOptions& options, Placement placement);

/// Sets the segments of a spec: the options' lengths, or `count` equal ones.
///
/// @param spec      the failure of one that could not be made is handed on
/// @error BadValue  lengths are given for another number of segments than `count`
Result<PipelineSpec> withSegments(Result<PipelineSpec> spec, const FamilyOptions& options,
                                  int count);

} // namespace pw::families
