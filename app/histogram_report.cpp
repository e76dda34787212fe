// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/histogram_report.h"

#include "app/text_table.h"
#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace pw::app {

namespace {

std::string histogramBar(std::int64_t count, std::int64_t most)
{
    constexpr std::int64_t width = 20;
    std::string text;
    for (std::int64_t i = 0; most > 0 && i < (count * width + most - 1) / most; ++i)
        text += "▇";
    return text;
}

std::string histogramText(const PassHistogram& one, const Screen& screen)
{
    std::int64_t most = 0;
    for (const auto* counts : {&one.before, &one.after})
        for (const std::int64_t count : *counts)
            most = std::max(most, count);
    const auto median = [](Ticks time) { return time < 0 ? std::string("–") : timeText(time); };
    TextTable table(screen, {{std::string(name(one.kind)) + " takes", "", TextTable::Align::Left},
                             {"before"},
                             {"", "", TextTable::Align::Left},
                             {"after"},
                             {"", "", TextTable::Align::Left}});
    for (std::size_t i = 0; i < one.before.size(); ++i)
        if (one.before[i] + one.after[i] > 0)
            table.append({timeText(one.edges[i]) + "–" + timeText(one.edges[i + 1]),
                          groupedNumber(one.before[i]), histogramBar(one.before[i], most),
                          groupedNumber(one.after[i]), histogramBar(one.after[i], most)});
    table.append({"median", median(one.medianBefore), "", median(one.medianAfter), ""});
    return "\n" + table.text();
}

} // namespace

std::string histogramsText(const std::vector<PassHistogram>& histograms, const Screen& screen)
{
    std::string out;
    for (const PassHistogram& one : histograms)
        out += histogramText(one, screen);
    return out;
}

void histogramsJson(JsonText& text, const std::vector<PassHistogram>& histograms)
{
    text.beginArray();
    for (const PassHistogram& one : histograms) {
        text.beginObject();
        text.member("kind", name(one.kind));
        if (one.medianBefore >= 0)
            text.member("median_before_ms", msFromTicks(one.medianBefore));
        if (one.medianAfter >= 0)
            text.member("median_after_ms", msFromTicks(one.medianAfter));
        text.key("edges_ms");
        text.beginArray();
        for (const Ticks edge : one.edges)
            text.value(msFromTicks(edge));
        text.endArray();
        for (const auto& [key, counts] :
             {std::pair("before", &one.before), std::pair("after", &one.after)}) {
            text.key(key);
            text.beginArray();
            for (const std::int64_t count : *counts)
                text.value(count);
            text.endArray();
        }
        text.endObject();
    }
    text.endArray();
}

} // namespace pw::app
