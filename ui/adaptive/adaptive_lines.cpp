// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/adaptive/adaptive_lines.h"

#include "core/base/json.h"
#include "executor/api/wire_fields.h"

#include <cmath>

namespace pw::ui {

namespace {

using exec::WireFields;

constexpr double longestAdaptiveMs = 1e12;
constexpr std::size_t mostPairs = 10'000;

Ticks msField(WireFields& fields, const char* name)
{
    const double value = fields.number(name);
    if (!(value >= 0 && value <= longestAdaptiveMs)) {
        fields.refuse(name, "%1 is not a time");
        return 0;
    }
    return ticksFromMs(value);
}

AdaptiveOutline readOutline(const JsonValue& object, std::string& failure)
{
    WireFields fields(object, failure);
    AdaptiveOutline outline;
    outline.backend = fields.text("backend");
    outline.iterations = fields.small("iterations", 1);
    const JsonValue* pairs = fields.list("pairs", false);
    if (pairs != nullptr && pairs->Size() > mostPairs)
        fields.refuse("pairs", "%1 are more than can be");
    for (rapidjson::SizeType i = 0; failure.empty() && pairs != nullptr && i < pairs->Size(); ++i) {
        if (!(*pairs)[i].IsObject()) {
            fields.refuse("pairs", "%1 holds something that is not an object");
            break;
        }
        WireFields pair((*pairs)[i], failure);
        outline.pairs.push_back(
            {pair.small("k", 1), pair.small("micro_batch", 1), pair.small("micro_batches", 1)});
    }
    return outline;
}

AdaptivePoint readPoint(const JsonValue& object, std::string& failure)
{
    WireFields fields(object, failure);
    AdaptivePoint point;
    point.start = msField(fields, "start_ms");
    point.time = msField(fields, "time_ms");
    point.group = fields.small("k", 1);
    point.slowdown = fields.number("slowdown");
    if (!std::isfinite(point.slowdown))
        fields.refuse("slowdown", "%1 is not a number");
    return point;
}

AdaptiveTotals readTotals(const JsonValue& object, std::string& failure)
{
    WireFields fields(object, failure);
    AdaptiveTotals totals;
    const JsonValue* fixed = fields.list("fixed", false);
    for (rapidjson::SizeType i = 0; fixed != nullptr && i < fixed->Size() && i < mostPairs; ++i) {
        const JsonValue& one = (*fixed)[i];
        if (!one.IsObject() || !one.HasMember("run_ms"))
            continue;
        WireFields row(one, failure);
        totals.fixedRun.push_back(msField(row, "run_ms"));
    }
    const auto adaptive = object.FindMember("adaptive");
    if (adaptive == object.MemberEnd() || !adaptive->value.IsObject()) {
        fields.refuse("adaptive", "%1 is missing");
        return totals;
    }
    WireFields own(adaptive->value, failure);
    totals.run = msField(own, "run_ms");
    totals.simulated = msField(own, "simulated_ms");
    totals.switches = own.small("switches", 0);
    if (adaptive->value.HasMember("first_loss")) {
        totals.firstLoss = own.number("first_loss");
        totals.lastLoss = own.number("last_loss");
    }
    return totals;
}

} // namespace

Result<AdaptiveLine> readAdaptiveLine(std::string_view line)
{
    const Result<JsonDocument> document = parseJson(line, longestAdaptiveLine);
    if (!document)
        return fail(document.error());
    if (!document->IsObject())
        return fail(ErrorCode::Syntax, "no JSON object");
    std::string failure;
    AdaptiveLine made;
    const auto part = [&](const char* name) -> const JsonValue* {
        const auto member = document->FindMember(name);
        return member != document->MemberEnd() && member->value.IsObject() ? &member->value
                                                                           : nullptr;
    };
    if (const JsonValue* outline = part("adaptive"); outline != nullptr) {
        made = readOutline(*outline, failure);
    } else if (const JsonValue* point = part("iteration"); point != nullptr) {
        made = readPoint(*point, failure);
    } else if (const JsonValue* result = part("result"); result != nullptr) {
        made = readTotals(*result, failure);
    } else {
        WireFields fields(*document, failure);
        made = AdaptiveSaying{std::string(fields.text("saying", false))};
    }
    if (!failure.empty())
        return fail(ErrorCode::BadValue, failure);
    return made;
}

} // namespace pw::ui
