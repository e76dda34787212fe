// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/dragged_body.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pw {

/// A draft, and a schedule of it where it is whole, whose orders follow a body and go back again.
class DraggedOrders
{
public:
    explicit DraggedOrders(Draft draft);

    const Draft& draft() const { return m_draft; }
    /// The draft as a schedule; null: it is not whole. It has the draft's order but where `follow`
    /// refused it.
    const Schedule* schedule() const { return m_schedule ? &*m_schedule : nullptr; }
    /// Whether the schedule has the order of the draft.
    bool inStep() const { return m_schedule.has_value() && m_inStep; }

    /// Brings both into the order of a body's lanes, from whichever they have; the schedule stays
    /// where that breaks a rule.
    /// @return what is wrong on any device
    Problems follow(const DraggedBody& body);
    /// Back to the order at the beginning.
    void goBack(const DraggedBody& body);

private:
    /// The positions of a device that are elsewhere, as in `DragLane`.
    struct Arrangement
    {
        std::int32_t first = 0;
        std::vector<std::int32_t> order;
    };
    using Arrangements = std::vector<Arrangement>; ///< by lane of the body

    static Arrangement between(const Arrangement& now, const Arrangement& then);
    void moveDraft(const DraggedBody& body, const Arrangements& then);
    Problems moveSchedule(const DraggedBody& body, const Arrangements& then);
    Problems reorder(EntryId begin, const Arrangement& by);

    Draft m_draft;
    std::optional<Schedule> m_schedule;
    Arrangements m_draftNow;    ///< empty: as at the beginning
    Arrangements m_scheduleNow; ///< the same
    bool m_inStep = true;
};

} // namespace pw
