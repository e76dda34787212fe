// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/drag.h"
#include "core/lesson/results.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw::web {

/// What a page works on: a project with its history, the lesson whose level it is, and a drag that
/// goes on. The one door to the project is `edit`, as in the studio.
class Session
{
public:
    const Project& project() const { return m_project; }

    /// Another project, without a history.
    void open(Project project);

    /// Does an edit as one step that `undo` takes back. An empty one is no step.
    Result<void> edit(const Edit& edit);
    bool canUndo() const { return !m_undo.empty(); }
    bool canRedo() const { return !m_redo.empty(); }
    void undo() { walk(m_undo, m_redo); }
    void redo() { walk(m_redo, m_undo); }

    /// The drag that goes on; null: none does.
    Drag* drag() { return m_drag.get(); }
    void setDrag(std::unique_ptr<Drag> drag) { m_drag = std::move(drag); }

    /// The lesson that is open. @error BadValue  none is
    Result<const Lesson*> lesson() const;
    void setLesson(Lesson lesson);
    /// The level that is played; null: none is.
    const LessonLevel* level() const;
    /// Begins the level of a step anew. @error BadValue  the step has none
    Result<void> startLevel(int step);
    /// Steps that have no level, and whatever else is shown without one.
    void leaveLevel() { m_step = -1; }

    LessonResults results; ///< of whoever plays here

private:
    void walk(std::vector<Edit>& from, std::vector<Edit>& to);

    Project m_project;
    std::vector<Edit> m_undo, m_redo;
    std::unique_ptr<Drag> m_drag;
    std::optional<Lesson> m_lesson;
    int m_step = -1;
};

} // namespace pw::web
