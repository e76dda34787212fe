// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/dragged_body.h"
#include "core/model/schedule.h"

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
    bool inStep() const { return m_schedule.has_value() && m_scheduleMoved == m_moved; }

    /// Brings both into the order of a body's lanes; the schedule stays where that breaks a rule.
    /// @pre `goBack` since the last time
    /// @return what is wrong on any device
    Problems follow(const DraggedBody& body);
    /// Back to the order at the beginning. @param body  as it was followed
    void goBack(const DraggedBody& body);

private:
    void moveDraft(const DraggedBody& body, bool back);
    Problems moveSchedule(const DraggedBody& body, bool back);
    Problems reorder(const DraggedBody& body, const DragLane& lane, bool back);

    Draft m_draft;
    std::optional<Schedule> m_schedule;
    bool m_moved = false;         ///< the draft is in the order of the lanes
    bool m_scheduleMoved = false; ///< and the schedule, too
};

} // namespace pw
