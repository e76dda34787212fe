// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/kept_training.h"

#include <map>
#include <mutex>
#include <utility>

namespace pw::exec {

namespace {

struct KeptStages
{
    std::mutex mutex;
    std::uint64_t training = 0;
    std::map<std::pair<int, int>, KeptStage> stages; ///< by route and stage
};

KeptStages& keptStages()
{
    static KeptStages stages;
    return stages;
}

} // namespace

void keepTraining(std::uint64_t training, HostedStage stage, KeptStage kept)
{
    KeptStages& all = keptStages();
    const std::lock_guard lock(all.mutex);
    if (std::exchange(all.training, training) != training)
        all.stages.clear();
    all.stages.insert_or_assign({stage.route, stage.stage}, std::move(kept));
}

std::optional<KeptStage> keptTraining(std::uint64_t training, HostedStage stage)
{
    KeptStages& all = keptStages();
    const std::lock_guard lock(all.mutex);
    const auto found = all.stages.find({stage.route, stage.stage});
    if (training == 0 || all.training != training || found == all.stages.end())
        return std::nullopt;
    return found->second;
}

} // namespace pw::exec
