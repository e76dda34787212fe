// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/pending_project.h"

#include "core/base/stop.h"
#include "ui/document/project_edits.h"

#include <memory>
#include <utility>

namespace pw::ui {

void PendingProject::begin(Wanted wanted)
{
    m_wanted = std::move(wanted);
    m_work.begin(
        [this, project = m_wanted->project](const std::atomic<bool>& stop) -> LatestWork::Answer {
            const StopScope scope(stop);
            auto found = std::make_shared<ProjectEvaluation>(ProjectEvaluator().evaluate(project));
            return [this, found] {
                const Wanted done = *std::exchange(m_wanted, std::nullopt);
                m_done(done, std::move(*found));
            };
        });
}

bool PendingProject::drop()
{
    m_work.drop();
    return std::exchange(m_wanted, std::nullopt).has_value();
}

void PendingProject::follow(const Edit& edit)
{
    if (m_wanted)
        applyFitting(m_wanted->project, edit);
}

} // namespace pw::ui
