// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/compare_figure.h"

#include "ui/timeline/time_scale.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw::ui {

FigureContent figureOf(const std::vector<ComparedPtr>& timelines)
{
    FigureContent content;
    std::vector<Lane> lanes;
    std::vector<std::int32_t> begins; // of the entries of each timeline
    QStringList titles, numbers;
    std::int32_t next = 0;
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        const Compared& one = *timelines[i];
        const QChar letter(static_cast<char16_t>(u'A' + i % 26));
        titles += QStringLiteral("%1: %2").arg(letter, one.title);
        numbers += QStringLiteral("%1 %2").arg(
            letter, durationText(static_cast<double>(one.times.makespan)));
        begins.push_back(next);
        for (const Lane& lane : one.lanes->lanes()) {
            lanes.push_back(lane);
            lanes.back().title = QStringLiteral("%1 %2").arg(letter, lane.title);
            for (std::int32_t& entry : lanes.back().entry)
                entry += next;
        }
        next += one.schedule->entryCount();
    }
    content.title = titles.join(QStringLiteral(" · "));
    content.numbers = QCoreApplication::translate("pw::ui::StackedTimelines", "makespan of %1")
                          .arg(numbers.join(QStringLiteral(" · ")));
    content.lanes = std::make_shared<const Lanes>(
        std::move(lanes), [timelines, begins](std::int32_t entry, bool partner) {
            const auto behind = std::upper_bound(begins.begin(), begins.end(), entry);
            const auto at = static_cast<std::size_t>(behind - begins.begin() - 1);
            const OrderEntry both = timelines[at]->schedule->entry(EntryId(entry - begins[at]));
            return partner ? both.partner : both.pass;
        });
    return content;
}

} // namespace pw::ui
