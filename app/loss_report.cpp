// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/loss_report.h"

#include "app/text_table.h"
#include "core/base/text.h"

namespace pw::app {

namespace {

std::string lossPercent(double part)
{
    constexpr double whole = 100;
    return plainNumber(part * whole, 3) + " %";
}

std::string lossRankName(const TraceRank& rank)
{
    return rank.number < 0 ? "?" : std::to_string(rank.number) + (rank.guessed ? " (counted)" : "");
}

} // namespace

std::string lossText(const Trace& trace, const RecoveredPipeline& pipeline, const Account& split,
                     const Screen& screen)
{
    const auto total = split.parts();
    std::vector<TextTable::Column> columns = {{"where the time went", "", TextTable::Align::Left},
                                              {"all"}};
    for (const RankFigures& figures : pipeline.ranks)
        columns.push_back({"rank " + lossRankName(trace.ranks[figures.rank.index()])});
    constexpr std::size_t mostRanks = 8;
    const bool each = split.ranks.size() <= mostRanks;
    if (!each)
        columns.resize(2);
    TextTable table(screen, columns);
    const auto part = [&](Ticks time, std::size_t ranks) {
        const double whole = static_cast<double>(split.wall) * static_cast<double>(ranks);
        return time == 0 ? "–" : lossPercent(static_cast<double>(time) / whole);
    };
    for (const LossCause cause : allLossCauses) {
        const Ticks sum = total[static_cast<std::size_t>(cause)];
        if (sum == 0 && cause != LossCause::Unexplained)
            continue;
        std::vector<std::string> row = {std::string(name(cause)), part(sum, split.ranks.size())};
        for (std::size_t i = 0; each && i < split.ranks.size(); ++i)
            row.push_back(part(split.ranks[i].of(cause), 1));
        table.append(std::move(row));
    }
    return "\n" + table.text();
}

void lossJson(JsonText& text, const Trace& trace, const RecoveredPipeline& pipeline,
              const Account& split)
{
    text.key("lost_time");
    text.beginArray();
    for (const DeviceId device : Ids<DeviceId>(split.ranks.size())) {
        const TraceRankId rank = pipeline.rankOfDevice[device.index()];
        text.beginObject(JsonText::Layout::OneLine);
        text.member("rank", trace.ranks[rank.index()].number);
        text.member("wall_ns", split.wall);
        for (const LossCause cause : allLossCauses)
            text.member(name(cause), split.ranks[device.index()].of(cause));
        text.endObject();
    }
    text.endArray();
}

} // namespace pw::app
