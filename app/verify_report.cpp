// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/verify_report.h"

#include "app/text_table.h"
#include "core/io/json_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace pw::app {

std::string errorText(double error)
{
    if (!std::isfinite(error))
        return "none"; // no number
    // A point in every locale.
    std::array<char, 32> text{};
    const std::to_chars_result end = std::to_chars(text.data(), text.data() + text.size(), error,
                                                   std::chars_format::scientific, 1);
    return {text.data(), end.ptr};
}

std::string shapeOf(const VerifyCase& one)
{
    return "p=" + std::to_string(one.options.devices) +
           " m=" + std::to_string(one.options.microBatches) +
           (one.variant.empty() ? "" : ", " + one.variant);
}

std::string tableOf(const std::vector<FamilyResult>& families, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{"family", "", Align::Left},
                             {"runs"},
                             {"–"},
                             {"loss"},
                             {"gradient"},
                             {"parameter"},
                             {"result", "", Align::Left},
                             {"worst gradient", "", Align::Left}});
    for (const FamilyResult& family : families) {
        exec::Comparison worst;
        for (const CaseResult& one : family.cases) {
            if (!one.refusal.empty() || !one.failure.empty())
                continue;
            worst.loss.take(one.comparison.loss.error, one.comparison.loss.where);
            worst.gradient.take(one.comparison.gradient.error, one.comparison.gradient.where);
            worst.parameter.take(one.comparison.parameter.error, one.comparison.parameter.where);
        }
        const bool ran = family.runs() > 0;
        const bool good = family.failed() == 0;
        table.append({std::string(family.family->id), std::to_string(family.runs()),
                      family.refused() > 0 ? std::to_string(family.refused()) : "",
                      ran ? errorText(worst.loss.error) : "–",
                      ran ? errorText(worst.gradient.error) : "–",
                      ran ? errorText(worst.parameter.error) : "–",
                      !ran ? "–" : (good ? "good" : screen.paint("WRONG", Role::Refusal)),
                      ran ? worst.gradient.where : ""});
    }
    return table.text(0);
}

std::string controlsText(const std::vector<Control>& controls, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{"broken on purpose", "", Align::Left},
                             {"loss"},
                             {"gradient"},
                             {"parameter"},
                             {"result", "", Align::Left}});
    for (const Control& control : controls) {
        table.append({control.name, errorText(control.comparison.loss.error),
                      errorText(control.comparison.gradient.error),
                      errorText(control.comparison.parameter.error),
                      control.detected ? "noticed" : screen.paint("NOT NOTICED", Role::Refusal)});
    }
    std::string text = table.text(0);
    for (const Control& control : controls) {
        if (!control.failure.empty())
            text += wrapped(control.name + ": " + control.failure, screen.width, 4, 2);
    }
    return text;
}

/// A line for each case that is not simply good; with `all` for every one.
std::string linesOf(const std::vector<FamilyResult>& families, bool all, const Screen& screen)
{
    std::string text;
    for (const FamilyResult& family : families) {
        for (const CaseResult& one : family.cases) {
            std::string what;
            if (!one.refusal.empty())
                what = "–  " + one.refusal;
            else if (!one.failure.empty())
                what = "failed: " + one.failure;
            else
                what = std::string(one.good ? "good" : "WRONG") + ", gradient " +
                       errorText(one.comparison.gradient.error) + " (" +
                       one.comparison.gradient.where + "), loss " +
                       errorText(one.comparison.loss.error) + ", parameter " +
                       errorText(one.comparison.parameter.error);
            if (all || (one.refusal.empty() && !one.good))
                text +=
                    wrapped(std::string(family.family->id) + " " + shapeOf(one.one) + ": " + what,
                            screen.width, 4, 2);
        }
    }
    return text;
}

void writeDeviation(JsonText& json, const char* name, const exec::Deviation& deviation)
{
    json.key(std::string(name) + "_error");
    std::isfinite(deviation.error) ? json.value(deviation.error) : json.null();
    json.member(std::string(name) + "_where", std::string_view(deviation.where));
}

void writeCase(JsonText& json, const CaseResult& one)
{
    json.beginObject(JsonText::Layout::OneLine);
    json.member("devices", one.one.options.devices);
    json.member("micro_batches", one.one.options.microBatches);
    json.member("variant", std::string_view(one.one.variant));
    if (!one.refusal.empty()) {
        json.member("refusal", std::string_view(one.refusal));
    } else if (!one.failure.empty()) {
        json.member("good", false);
        json.member("failure", std::string_view(one.failure));
    } else {
        json.member("good", one.good);
        json.member("updates", one.comparison.updates);
        writeDeviation(json, "loss", one.comparison.loss);
        writeDeviation(json, "gradient", one.comparison.gradient);
        writeDeviation(json, "parameter", one.comparison.parameter);
    }
    json.endObject();
}

std::string jsonOf(const std::vector<FamilyResult>& families, const std::vector<Control>& controls,
                   const std::string& backend, double allowed, bool good)
{
    JsonText json;
    json.beginObject();
    json.member("backend", std::string_view(backend));
    json.member("allowed_error", allowed);
    json.member("good", good);
    json.key("families");
    json.beginArray();
    for (const FamilyResult& family : families) {
        json.beginObject();
        json.member("family", family.family->id);
        json.member("runs", family.runs());
        json.member("refused", family.refused());
        json.member("good", family.failed() == 0);
        json.key("cases");
        json.beginArray();
        for (const CaseResult& one : family.cases)
            writeCase(json, one);
        json.endArray();
        json.endObject();
    }
    json.endArray();
    json.key("controls");
    json.beginArray();
    for (const Control& control : controls) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("broken", std::string_view(control.name));
        json.member("noticed", control.detected);
        writeDeviation(json, "loss", control.comparison.loss);
        writeDeviation(json, "gradient", control.comparison.gradient);
        if (!control.failure.empty())
            json.member("failure", std::string_view(control.failure));
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.text();
}

} // namespace pw::app
