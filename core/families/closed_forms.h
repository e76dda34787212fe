// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"

#include <optional>

namespace pw {

/// The value of a closed form for an input, or nothing where it does not hold for it.
///
/// With a flush between steps a time is known of one step alone: when a device begins its next step
/// depends on the other devices' last one. @pre the input has its family and options
inline std::optional<double> valueOf(const ClosedForm& form, const ClosedFormInput& input)
{
    const bool time = form.quantity == Quantity::SpanBubble ||
                      form.quantity == Quantity::WallBubble || form.quantity == Quantity::Makespan;
    if (form.value == nullptr)
        return std::nullopt;
    if (time && input.options->steps > 1) {
        const Result<PipelineSpec> spec = specOf(*input.family, *input.options);
        if (!spec || spec->updateRule == UpdateRule::Flush)
            return std::nullopt;
    }
    return form.value(input);
}

} // namespace pw
