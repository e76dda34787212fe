// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pass.h"
#include "core/model/pipeline_spec.h"

#include <algorithm>

// Who waits for whom, said once: for whole schedules (`Dependencies`), for drafts (`Present`) and
// for the check of an order. The inner loops of the simulators go by places instead, and are held
// against this by the tests. A backward is called B here whether it is B or BW: both have one
// place.
// @source arXiv:2401.10241 section 2, arXiv:2406.03488 for segments
namespace pw {

/// The micro-batches whose gradients an update takes.
struct GradientRange
{
    int first = 0;
    int count = 0;
};

inline GradientRange gradientsOf(const PipelineSpec& spec, const Pass& update)
{
    if (spec.updateRule == UpdateRule::Stashed)
        return {update.microBatch, 1};
    return {update.microBatch * spec.microBatches, spec.microBatches};
}

/// Steps from the update that makes weights to the step whose forwards are the first to read them.
constexpr int stepsUntilRead(UpdateRule rule)
{
    return rule == UpdateRule::DoubleBuffered ? 2 : 1;
}

/// The update that makes the weights that an F of a micro-batch reads, and stands before it on its
/// device; −1: the weights are there from the beginning, or are those that are there (stashed).
inline int updateBefore(const PipelineSpec& spec, int microBatch)
{
    if (!spec.updates || spec.updateRule == UpdateRule::Stashed)
        return -1;
    return std::max(microBatch / spec.microBatches - stepsUntilRead(spec.updateRule), -1);
}

/// Calls `emit(kind, stage, segment)` for every pass of the same micro-batch and route that a pass
/// other than U needs. @param recomputed  its forward is run once more
template<typename Emit>
void eachNeed(const PipelineSpec& spec, const Pass& pass, bool recomputed, Emit emit)
{
    switch (pass.kind) {
    case PassKind::F:
        if (pass.stage > 0)
            emit(PassKind::F, pass.stage - 1, pass.segment);
        if (pass.segment > 0)
            emit(PassKind::F, pass.stage, pass.segment - 1);
        break;
    case PassKind::B:
    case PassKind::BW:
        if (pass.stage + 1 < spec.stages())
            emit(PassKind::B, pass.stage + 1, pass.segment);
        if (pass.segment + 1 < spec.segments())
            emit(PassKind::B, pass.stage, pass.segment + 1);
        emit(recomputed ? PassKind::R : PassKind::F, pass.stage, pass.segment);
        break;
    case PassKind::R:
        emit(PassKind::F, pass.stage, pass.segment);
        break;
    case PassKind::W:
        emit(PassKind::B, pass.stage, pass.segment);
        break;
    case PassKind::U:
        break;
    }
}

/// The same for every pass that needs this one, updates left out; a W also behind a BW, which has
/// none.
template<typename Emit>
void eachUse(const PipelineSpec& spec, const Pass& pass, bool recomputed, Emit emit)
{
    switch (pass.kind) {
    case PassKind::F:
        if (pass.stage + 1 < spec.stages())
            emit(PassKind::F, pass.stage + 1, pass.segment);
        if (pass.segment + 1 < spec.segments())
            emit(PassKind::F, pass.stage, pass.segment + 1);
        emit(recomputed ? PassKind::R : PassKind::B, pass.stage, pass.segment);
        break;
    case PassKind::R:
        emit(PassKind::B, pass.stage, pass.segment);
        break;
    case PassKind::B:
    case PassKind::BW:
        if (pass.stage > 0)
            emit(PassKind::B, pass.stage - 1, pass.segment);
        if (pass.segment > 0)
            emit(PassKind::B, pass.stage, pass.segment - 1);
        emit(PassKind::W, pass.stage, pass.segment);
        break;
    case PassKind::W:
    case PassKind::U:
        break;
    }
}

} // namespace pw
