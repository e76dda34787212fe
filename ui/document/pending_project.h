// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"
#include "ui/document/latest_work.h"
#include "ui/document/project_evaluator.h"

#include <QString>

#include <functional>
#include <optional>

namespace pw::ui {

/// A project whose family is asked in another thread; one at most.
class PendingProject
{
public:
    struct Wanted
    {
        Project project;          ///< with the family that is asked
        std::optional<Edit> edit; ///< none: the project is the present one already
        QString text;             ///< of the step, as of `ScheduleDocument::edit`
        int merge = 0;
    };
    using Done = std::function<void(const Wanted& wanted, ProjectEvaluation evaluation)>;

    /// @param done  called once what was begun last is evaluated; then nothing is wanted any more
    explicit PendingProject(Done done)
        : m_done(std::move(done))
    {
    }

    /// In place of what is wanted already.
    void begin(Wanted wanted);
    /// Nothing is wanted any more. @return  false: nothing was
    bool drop();
    /// What is being evaluated; none: nothing.
    const std::optional<Wanted>& wanted() const { return m_wanted; }
    /// Does an edit in it that leaves its schedule alone.
    void follow(const Edit& edit);

private:
    std::optional<Wanted> m_wanted;
    Done m_done;
    LatestWork m_work;
};

} // namespace pw::ui
