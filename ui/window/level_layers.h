// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/ready.h"

#include <optional>
#include <vector>

namespace pw::ui {

class SchedulePage;

/// What a level shows over the lanes of its page beside the passes that are there: the passes that
/// can come next, or the one that a hint points at, and where gathers of layers would be.
class LevelLayers
{
public:
    /// The pass that a hint points at; none: there is no hint.
    void setHinted(std::optional<Pass> pass) { m_hinted = pass; }
    /// @param level  null: nothing is shown
    /// @param all    all that can come next, not only the hint
    void show(SchedulePage& page, const LessonLevel* level, bool all);
    /// A block of those that are shown; none: there is no such place.
    std::optional<ReadyPass> at(int place) const;

private:
    std::optional<Pass> m_hinted;
    std::vector<ReadyPass> m_shown;
};

} // namespace pw::ui
