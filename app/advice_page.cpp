// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/advice_page.h"

#include "app/web_application.h"
#include "core/base/text.h"
#include "core/families/family.h"
#include "core/io/lanes_json.h"
#include "core/io/page_json.h"

#include <algorithm>
#include <filesystem>

namespace pw::app {

namespace {

/// Passes of all changes together whose lanes are in a page; further changes have figures alone.
constexpr std::size_t mostEntries = 60'000;

/// Whoever reads the page has it in a language of theirs.
void writeSaid(JsonText& json, std::string_view name, const Sentence& sentence)
{
    json.key(name);
    writeSentence(json, sentence);
}

void writePeak(JsonText& json, const std::vector<Bytes>& peaks)
{
    if (!peaks.empty())
        json.member("peak_bytes", *std::max_element(peaks.begin(), peaks.end()));
}

void writeSource(JsonText& json, const AdviceSource& source)
{
    const WhatIfBase& base = source.base;
    json.member("step", source.step);
    json.member("computing", source.computing);
    writeSaid(json, "why", source.why);
    if (base.family)
        if (const Result<const Family*> family = findFamily(base.family->id))
            json.member("family", (*family)->title);
    json.numbers("layers", source.layers);
    json.member("steps", static_cast<std::int64_t>(source.steps));
    if (base.measured)
        json.member("measured", *base.measured);
    json.member("profiled", source.profiled);
    if (const Result<std::vector<Bytes>> peaks = peaksNow(source))
        writePeak(json, *peaks);
    json.key("now");
    json.beginObject(JsonText::Layout::OneLine);
    writeLanes(json, base.schedule, base.costs, base.predicted);
    json.endObject();
}

void writeChange(JsonText& json, const AdvisedChange& one, bool drawn)
{
    json.beginObject();
    json.member("what", name(one.what));
    writeSaid(json, "title", one.title);
    json.member("step", one.promise.step);
    json.member("gain", one.promise.gain);
    json.member("low", one.promise.low);
    json.member("high", one.promise.high);
    writeSaid(json, "todo", one.todo);
    json.member("effort", static_cast<int>(one.effort));
    json.member("assumed", std::string_view(one.promise.prediction.assumed));
    writePeak(json, one.promise.peaks);
    if (drawn) {
        const Prediction& made = one.promise.prediction;
        json.key("lanes");
        json.beginObject(JsonText::Layout::OneLine);
        writeLanes(json, made.schedule, made.costs, made.result);
        json.endObject();
    }
    json.endObject();
}

void writeAfter(JsonText& json, const AfterCheck& check)
{
    json.key("after");
    json.beginObject();
    if (check.change)
        json.member("change", static_cast<std::int64_t>(*check.change));
    json.member("before", check.before);
    json.member("promised", check.promised);
    json.member("low", check.low);
    json.member("high", check.high);
    json.member("after", check.after);
    json.member("gain", check.gain);
    json.member("held", check.held);
    json.member("comparable", check.comparable);
    writeSaid(json, "why", check.why);
    writeSaid(json, "where", check.where);
    json.endObject();
}

} // namespace

Result<std::string> advicePage(const ToldAdvice& told)
{
    JsonText json;
    json.beginObject();
    json.member("mode", "advice");
    // A page is sent around: where the file was is nobody's business.
    const std::filesystem::path from(told.source.name);
    const std::string title =
        from.has_filename() ? from.filename().string() : from.parent_path().filename().string();
    json.member("title", std::string_view(title));
    json.key("colours");
    json.beginObject();
    writeColours(json);
    json.endObject();
    writeSource(json, told.source);
    if (told.chosen)
        json.member("chosen", static_cast<std::int64_t>(*told.chosen));
    json.key("changes");
    json.beginArray();
    std::size_t entries = 0;
    for (const AdvisedChange& one : told.advice.changes) {
        entries += static_cast<std::size_t>(one.promise.prediction.schedule.entryCount());
        writeChange(json, one, entries <= mostEntries);
    }
    json.endArray();
    json.key("notes");
    json.beginArray();
    for (const AdviceNote& note : told.advice.notes)
        writeSentence(json, note.sentence);
    json.endArray();
    if (told.after != nullptr)
        writeAfter(json, *told.after);
    json.endObject();
    return pageWithData(PageKind::Tells, json.text());
}

} // namespace pw::app
