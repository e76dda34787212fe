// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/family_report.h"

namespace pw::app {

namespace {

void matchJson(JsonText& json, const FamilyMatch& match)
{
    json.beginObject(JsonText::Layout::OneLine);
    json.member("family", match.family->id);
    json.member("name", std::string_view(describe(match)));
    for (const auto& [name, value] : match.options.parameters)
        json.member(name, value);
    json.member("out_of_order", match.outOfOrder);
    json.member("entries", match.entries);
    json.endObject();
}

void displacedJson(JsonText& json, const DisplacedEntry& one, const Schedule& schedule)
{
    const OrderEntry entry = schedule.entry(one.entry);
    json.beginObject(JsonText::Layout::OneLine);
    json.member("device", schedule.device(schedule.table().id(entry.pass)));
    json.member("pass", std::string_view(describe(entry.pass, schedule.spec())));
    if (entry.paired)
        json.member("partner", std::string_view(describe(entry.partner, schedule.spec())));
    json.member("place", one.place);
    json.key("family_place");
    if (one.familyPlace < 0)
        json.null();
    else
        json.value(one.familyPlace);
    json.endObject();
}

} // namespace

std::vector<std::string> displacedLines(const Recognition& recognition, const Schedule& schedule)
{
    std::vector<std::string> lines;
    if (const FamilyMatch* match = recognition.nearest()) {
        for (const DisplacedEntry& one : recognition.displaced)
            lines.push_back(describe(one, schedule, *match));
    }
    return lines;
}

void familyJson(JsonText& json, const Recognition& recognition, const Schedule* schedule)
{
    json.key("families");
    json.beginArray();
    for (const FamilyMatch& match : recognition.matches)
        matchJson(json, match);
    json.endArray();
    json.key("like");
    if (recognition.like)
        matchJson(json, *recognition.like);
    else
        json.null();
    json.key("displaced");
    json.beginArray();
    if (schedule != nullptr) {
        for (const DisplacedEntry& one : recognition.displaced)
            displacedJson(json, one, *schedule);
    }
    json.endArray();
}

} // namespace pw::app
