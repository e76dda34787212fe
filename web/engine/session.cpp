// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "web/engine/session.h"

#include "core/base/assert.h"
#include "core/base/try.h"

namespace pw::web {

void Session::open(Project project)
{
    m_project = std::move(project);
    m_undo.clear();
    m_redo.clear();
    m_drag.reset();
}

Result<void> Session::edit(const Edit& edit)
{
    m_drag.reset();
    if (edit.empty())
        return {};
    PW_TRY(Edit back, apply(m_project, edit));
    m_undo.push_back(std::move(back));
    m_redo.clear();
    return {};
}

void Session::walk(std::vector<Edit>& from, std::vector<Edit>& to)
{
    m_drag.reset();
    if (from.empty())
        return;
    auto back = apply(m_project, from.back());
    PW_ASSERT(back.has_value());
    from.pop_back();
    to.push_back(std::move(*back));
}

Result<const Lesson*> Session::lesson() const
{
    if (!m_lesson)
        return fail(ErrorCode::BadValue, "no lesson is open");
    return &*m_lesson;
}

void Session::setLesson(Lesson lesson)
{
    m_lesson = std::move(lesson);
    m_step = -1;
}

const LessonLevel* Session::level() const
{
    if (!m_lesson || m_step < 0)
        return nullptr;
    const auto& level = m_lesson->steps[static_cast<std::size_t>(m_step)].level;
    return level ? &*level : nullptr;
}

Result<void> Session::startLevel(int step)
{
    PW_TRY(const Lesson* lesson, this->lesson());
    if (step < 0 || step >= static_cast<int>(lesson->steps.size()) ||
        !lesson->steps[static_cast<std::size_t>(step)].level)
        return fail(ErrorCode::BadValue, "step %1 has no level", step);
    m_step = step;
    open(level()->start);
    return {};
}

} // namespace pw::web
