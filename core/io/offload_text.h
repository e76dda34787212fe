// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/pass.h"
#include "core/model/pipeline_spec.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// The cells of a spec in words: "0:0-3,2:1" are micro-batches 0 to 3 on stage 0 and micro-batch 1
/// on stage 2; a stage alone is all of its micro-batches, "/1" behind an item segment 1 alone.
///
/// @pre every cell is one of the spec
std::string offloadText(std::span<const Pass> cells, const PipelineSpec& spec);

/// Reads what `offloadText` writes; "all" is every cell.
///
/// @error BadValue  what is no such text, or a stage, micro-batch or segment that the spec does not
///                  have, with the last one
Result<std::vector<Pass>> parseOffload(std::string_view text, const PipelineSpec& spec);

} // namespace pw
