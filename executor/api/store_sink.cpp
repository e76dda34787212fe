// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/store_sink.h"

#include "executor/api/plan_settings.h"

#include <utility>

namespace pw::exec {

Result<std::unique_ptr<StoreSink>> StoreSink::open(const std::string& path, const RunPlan& plan,
                                                   RunRecorder::Trouble trouble)
{
    NewRun run;
    run.title = plan.title;
    run.family = plan.family;
    run.settings = planSettings(plan);
    run.ranks = plan.schedule.devices();
    Result<std::string> project = planProject(plan);
    if (!project)
        return fail(project.error());
    run.project = std::move(*project);
    Result<std::unique_ptr<RunRecorder>> recorder =
        RunRecorder::open(path, run, std::move(trouble));
    if (!recorder)
        return fail(recorder.error());
    return std::unique_ptr<StoreSink>(new StoreSink(std::move(*recorder)));
}

} // namespace pw::exec
