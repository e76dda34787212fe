// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/candidates.h"

#include "core/base/try.h"
#include "core/edit/compose.h"
#include "core/lesson/layers.h"
#include "core/lesson/play.h"
#include "core/lesson/toggle.h"
#include "core/model/offload.h"

#include <algorithm>
#include <numeric>

namespace pw {

namespace {

using Take = std::function<Result<void>(const Project&)>;

class Candidates
{
public:
    Candidates(const LessonLevel& level, std::int64_t most, const Take& take)
        : m_level(level)
        , m_left(most)
        , m_take(take)
    {
    }

    Result<bool> choices()
    {
        for (const FamilyChoice& choice : m_level.choices) {
            Project project = m_level.start;
            PW_TRY(const auto filled, fillWithChoice(m_level, project, choice));
            PW_DO(apply(project, filled.edit));
            PW_DO(give(project));
        }
        return all();
    }

    Result<bool> layers()
    {
        std::vector<int> split(m_level.layers->split.size(), 1);
        const int count =
            std::accumulate(m_level.layers->split.begin(), m_level.layers->split.end(), 0);
        PW_DO(spread(split, 0, count - static_cast<int>(split.size())));
        return all();
    }

    /// Every way to say yes or no, with at most so many times yes.
    template<typename Make>
    Result<bool> yesOrNo(std::size_t questions, std::size_t mostYes, Make make)
    {
        std::vector<bool> yes(questions, false);
        for (;;) {
            if (static_cast<std::size_t>(std::count(yes.begin(), yes.end(), true)) <= mostYes)
                PW_DO(give(make(yes)));
            std::size_t at = 0;
            while (at < questions && yes[at])
                yes[at++] = false;
            if (at == questions || m_left < 0)
                return all();
            yes[at] = true;
        }
    }

private:
    Result<void> give(const Project& project)
    {
        return m_left-- > 0 ? m_take(project) : Result<void>();
    }
    bool all() const { return m_left >= 0; }

    /// What is left of the layers, over this stage and those after it.
    Result<void> spread(std::vector<int>& split, std::size_t stage, int left)
    {
        if (m_left < 0)
            return {};
        if (stage + 1 == split.size()) {
            split[stage] += left;
            Project project = m_level.start;
            setTables(project, costsOfLayers(*m_level.layers, m_level.start, split));
            split[stage] -= left;
            return give(project);
        }
        for (int more = 0; more <= left; ++more) {
            split[stage] += more;
            PW_DO(spread(split, stage + 1, left - more));
            split[stage] -= more;
        }
        return {};
    }

    const LessonLevel& m_level;
    std::int64_t m_left;
    const Take& m_take;
};

/// All cells of a schedule, as their F.
std::vector<Pass> cellsOfSpec(const PipelineSpec& spec)
{
    std::vector<Pass> cells;
    for (int j = 0; j < spec.totalMicroBatches(); ++j)
        for (const StageId stage : Ids<StageId>(spec.stages()))
            for (int k = 0; k < static_cast<int>(spec.segments()); ++k) {
                Pass cell;
                cell.stage = stage;
                cell.microBatch = j;
                cell.segment = k;
                cells.push_back(cell);
            }
    return offloadedCells(std::move(cells), spec);
}

} // namespace

Result<bool> eachCandidate(const LessonLevel& level, std::int64_t most, const Take& take)
{
    Candidates candidates(level, most, take);
    if (level.freedom == Freedom::Choice)
        return candidates.choices();
    if (level.freedom == Freedom::Layers)
        return candidates.layers();
    if (level.freedom == Freedom::Repair)
        return candidates.yesOrNo(level.causes.size(), static_cast<std::size_t>(level.repairs),
                                  [&](const std::vector<bool>& mended) {
                                      return withMended(level, level.start, mended);
                                  });
    if (level.freedom == Freedom::Offload) {
        const std::vector<Pass> cells = cellsOfSpec(level.start.draft.spec);
        return candidates.yesOrNo(cells.size(), cells.size(), [&](const std::vector<bool>& away) {
            Project project = level.start;
            project.offload.cells.clear();
            for (std::size_t i = 0; i < cells.size(); ++i)
                if (away[i])
                    project.offload.cells.push_back(cells[i]);
            return project;
        });
    }
    return true;
}

} // namespace pw
