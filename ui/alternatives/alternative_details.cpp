// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/alternative_details.h"

#include "core/base/text.h"
#include "ui/core_words.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw::ui {

namespace {

struct DetailsWords
{
    Q_DECLARE_TR_FUNCTIONS(Alternatives)
};

DetailsPart partOf(const Alternative& row, const Alternative* base)
{
    DetailsPart part;
    part.heading = row.ranked != nullptr ? text(row.ranked->candidate.family->title) : row.name;
    if (row.ranked != nullptr)
        part.rows.push_back({DetailsWords::tr("As typed"), text(row.ranked->candidate.name)});
    else
        part.rows.push_back({DetailsWords::tr("From"), kindWord(row.kind)});
    if (row.made()) {
        part.rows.push_back({DetailsWords::tr("Makespan"), text(timeText(row.makespan))});
        if (row.high > 0)
            part.rows.push_back(
                {DetailsWords::tr("5 … 95 % below"),
                 text(timeText(row.low)) + QStringLiteral(" … ") + text(timeText(row.high))});
        part.rows.push_back({DetailsWords::tr("Wall bubble"), percentText(row.wallBubble)});
        part.rows.push_back({DetailsWords::tr("Peak"), microBatchText(row.peakMicroBatches)});
        if (row.peakBytes > 0)
            part.rows.push_back({DetailsWords::tr("Memory"), text(byteText(row.peakBytes))});
    }
    if (!row.reason.isEmpty())
        part.rows.push_back({row.fits() ? DetailsWords::tr("Why not") : DetailsWords::tr("Refused"),
                             row.reason,
                             {},
                             false,
                             {},
                             !row.fits()});
    bool good = false;
    if (const QString against = againstWords(row, base, good); !against.isEmpty() && row.fits())
        part.rows.push_back({{}, against});
    return part;
}

} // namespace

PageDetails detailsOf(const Alternative* row, const Alternative* base,
                      const std::vector<RankHelp>& help)
{
    PageDetails details;
    details.kind = DetailsWords::tr("Alternatives");
    if (row != nullptr) {
        details.parts.push_back(partOf(*row, base));
    } else {
        DetailsPart none;
        none.heading = DetailsWords::tr("Schedule");
        none.none = DetailsWords::tr("Nothing is worked out yet.");
        details.parts.push_back(std::move(none));
    }
    if (!help.empty()) {
        DetailsPart helps;
        helps.heading = DetailsWords::tr("What would help");
        for (const RankHelp& one : help)
            helps.rows.push_back({one.what, one.good ? QString() : one.brings,
                                  one.good ? one.brings : QString(), one.good});
        details.parts.push_back(std::move(helps));
    }
    if (row != nullptr && row->ranked != nullptr) {
        const Family& family = *row->ranked->candidate.family;
        DetailsPart about;
        about.heading = DetailsWords::tr("About");
        about.rows.push_back({{}, coreWords(family.summary)});
        about.rows.push_back({{}, text(family.citation)});
        details.parts.push_back(std::move(about));
    }
    return details;
}

QString rankingFigures(const std::vector<Alternative>& rows, qint64 nanoseconds, bool sweeping)
{
    const auto count = [&rows](const auto& is) {
        return std::count_if(rows.begin(), rows.end(), is);
    };
    QString sentence =
        nanoseconds > 0
            ? DetailsWords::tr(
                  "%1 schedules in %2     %3 on the Pareto line     %4 above the limit     %5 "
                  "cannot be")
                  .arg(count([](const Alternative& row) { return row.ranked != nullptr; }))
                  .arg(text(timeText(nanoseconds)))
                  .arg(count([](const Alternative& row) { return row.pareto; }))
                  .arg(count([](const Alternative& row) { return row.made() && !row.fits(); }))
                  .arg(count([](const Alternative& row) { return !row.problem.isEmpty(); }))
            : QString();
    if (sweeping)
        sentence += DetailsWords::tr("     sweeping …");
    return sentence;
}

Result<Project> projectOf(const Alternative& row, const RankQuestion& question)
{
    if (!row.problem.isEmpty())
        return fail(ErrorCode::BadValue, row.problem.toStdString());
    if (row.ranked != nullptr)
        return rankedProject(question, row.ranked->candidate);
    if (row.timeline == nullptr)
        return fail(ErrorCode::BadValue, DetailsWords::tr("It is not read yet.").toStdString());
    Project project;
    project.draft = draftOf(*row.timeline->schedule);
    if (row.timeline->costs != nullptr)
        project.costs = *row.timeline->costs;
    project.title = row.name.toStdString();
    return project;
}

} // namespace pw::ui
