// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/explain.h"
#include "ui/document/schedule_document.h"

#include <optional>
#include <vector>

namespace pw::ui {

/// Why devices idle, worked out for a device when it is first asked for, since a pointer asks for
/// every pixel.
class GapReasons
{
public:
    explicit GapReasons(const ScheduleDocument& document)
        : m_document(document)
    {
    }

    /// The idle stretch of a device at a time; null where it is busy, or nothing is known: a draft
    /// that is not whole. Valid until the document's result changes.
    const Gap* at(DeviceId device, Ticks time);

private:
    const ScheduleDocument& m_document;
    LanesPtr m_lanes; ///< of the result that the gaps belong to
    std::vector<std::optional<std::vector<Gap>>> m_gaps;
};

} // namespace pw::ui
