// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/comparison.h"

#include "app/study_files.h"
#include "app/study_shape.h"
#include "core/base/try.h"
#include "core/io/project_file.h"

#include <algorithm>

namespace pw::app {

namespace {

ComparedRow refused(std::string id, std::string title, std::string reason)
{
    ComparedRow row;
    row.id = std::move(id);
    row.title = std::move(title);
    row.refusal = besideItsName(row.id, std::move(reason));
    return row;
}

tl::expected<ComparedRow, Failure> rowOf(const std::string& word, const Arguments& arguments)
{
    const Result<const Family*> family = familyOfWord(word);
    const std::string title = family ? std::string((*family)->title) : word;
    const std::string id = family ? std::string((*family)->id) : word;
    const tl::expected<Study, Failure> study = studyOf(word, arguments, OtherParameters::Ignore);
    if (!study) {
        // A wrong command line is nobody's refusal.
        if (study.error().code == ExitCode::Usage)
            return tl::unexpected<Failure>(study.error());
        return refused(id, title, study.error().message);
    }
    ComparedRow row = comparedRow(id, *study);
    if (row.refusal.empty() && arguments.has("keep")) {
        PW_TRY(row.project, writeProject(projectOf(*study)));
    }
    return row;
}

/// Parameters on the line that no family of the table takes: they would change nothing, silently.
std::string uselessParameter(const std::vector<std::string>& ids, const Arguments& arguments)
{
    for (const Family& owner : allFamilies()) {
        for (const Parameter& parameter : owner.parameters) {
            if (!arguments.has(parameter.name) || parameter.role == ParameterRole::MemoryLimit ||
                parameter.name == recomputeName)
                continue;
            const bool used = std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
                const Result<const Family*> family = familyOfWord(id);
                return family && findParameter(**family, parameter.name) != nullptr;
            });
            if (!used)
                return std::string(parameter.name);
        }
    }
    return {};
}

/// Whether no word is a family with segments, or a file.
bool unsegmented(const std::vector<std::string>& ids)
{
    return std::none_of(ids.begin(), ids.end(), [](const std::string& id) {
        const Result<const Family*> family = familyOfWord(id);
        return !family || findParameter(**family, ParameterRole::Segments) != nullptr;
    });
}

} // namespace

std::string besideItsName(const std::string& id, std::string reason)
{
    const std::string prefix = id + ": ";
    return reason.rfind(prefix, 0) == 0 ? reason.substr(prefix.size()) : std::move(reason);
}

tl::expected<void, Failure> checkOptionsCount(const std::vector<std::string>& ids,
                                              const Arguments& arguments)
{
    if (const std::string name = uselessParameter(ids, arguments); !name.empty())
        return usage("none of these takes --" + name);
    if (arguments.has("segment-lengths") && unsegmented(ids))
        return usage("none of these takes --segment-lengths: they have no segments");
    return {};
}

ComparedRow comparedRow(const std::string& id, const Study& study)
{
    const std::string title = study.family != nullptr ? std::string(study.family->title) : id;
    const Result<SimResult> result = simulate(study.schedule, study.costs.costs);
    if (!result)
        return refused(id, title, result.error().message);
    if (const std::string over = overLimit(study.schedule, study.costs.costs, *result);
        !over.empty())
        return refused(id, title, over);
    return ComparedRow{id,
                       title,
                       "",
                       sizeText(study.schedule.spec()) + study.additions,
                       figuresOf(study.schedule, study.costs.costs, *result),
                       closedForm(study, Quantity::SpanBubble),
                       closedForm(study, Quantity::WallBubble),
                       closedForm(study, Quantity::PeakActivation),
                       publishedForm(study, Quantity::SpanBubble),
                       study.costs.text,
                       study.costs.carried};
}

tl::expected<std::vector<ComparedRow>, Failure> comparedRows(const std::vector<std::string>& words,
                                                             const Arguments& arguments)
{
    std::vector<std::string> ids = words;
    if (ids.size() == 1 && ids[0] == "all") {
        ids.clear();
        for (const Family& family : allFamilies())
            ids.emplace_back(family.id);
    } else if (std::find(ids.begin(), ids.end(), "all") != ids.end()) {
        return usage("'all' already means every family; do not add others");
    }
    PW_DO(checkOptionsCount(ids, arguments));
    std::vector<ComparedRow> rows;
    for (const std::string& id : ids) {
        PW_TRY(ComparedRow row, rowOf(id, arguments));
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace pw::app
