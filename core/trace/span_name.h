// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

#include <string_view>

namespace pw {

/// What the name of a span says of the pipeline.
struct SpanName
{
    SpanLabel first;
    SpanLabel second; ///< of an overlapped pair; else of the role Other
    /// A pass only where arguments have its micro-batch: the word alone is too common.
    bool needsArguments = false;
    std::int32_t rankNumber = -1; ///< −1: the name does not say it
    std::int32_t replica = -1;    ///< likewise
    /// Of the rules that it was read by, where that one looks at places too; −1: none.
    std::int32_t placeRule = -1;
};

/// Reads a span's name: `PP:` and PyTorch's action text in its present dialect ("PP:0F3", an
/// overlapped pair, "PP:2RECV_F0", and ours "PP:2R0", "PP:2U0" and the step "PP:STEP7"), "Forward
/// 3" and "Backward 3" of its single-stage GPipe, "forward" and "backward" of Megatron's tracer,
/// "F3.1.0" of sail-sg (micro-batch, chunk, segment), "forward chunk 3 (phase0)" and "backward
/// chunk 3 (phase0)" of PithTrain, alone or one behind the other where they overlap,
/// "ProfilerStep#7".
SpanName readSpanName(std::string_view name);

/// Where a rank is, as our labels say it: "PP:MESH rank=5/8 pp=1/4 dp=1/2".
struct MeshPlace
{
    std::int32_t rank = -1;    ///< of all; −1: not told
    std::int32_t replica = -1; ///< of the pipeline; −1: not told, or there is one

    friend bool operator==(const MeshPlace&, const MeshPlace&) = default;
};

/// @return  nothing told where the name says something else
MeshPlace readMeshPlace(std::string_view name);

/// Reads a name of Paddle's pipeline profiles, which say elsewhere what they are: "F3" and "B3",
/// with a chunk "F3_VP1", of the dynamic graph; of the static graph the kind, the chunk where there
/// are several, and the micro-batch: "forward_3", "forward1_3", "backward_b0_3", "backward_w_3",
/// "optimizer_0".
SpanName readPaddleName(std::string_view name);

} // namespace pw
