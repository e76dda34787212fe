// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/model_file.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/model_fields.h"
#include "core/io/file_problem.h"

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>

namespace pw {

namespace {

constexpr int modelVersion = 1;
constexpr std::int64_t maxFileBytes = 1 << 20;

std::string_view textOf(const JsonValue& value)
{
    return {value.GetString(), value.GetStringLength()};
}

tl::unexpected<Error> wrong(std::string_view field, std::string_view wanted)
{
    return fail(ErrorCode::Syntax, "\"%1\" in the model is not %2", field, wanted);
}

Result<void> readRecompute(const JsonValue& value, TransformerModel& model)
{
    const auto found = value.IsString() ? std::find(recomputePolicyNames.begin(),
                                                    recomputePolicyNames.end(), textOf(value))
                                        : recomputePolicyNames.end();
    if (found == recomputePolicyNames.end())
        return wrong("recompute", "\"none\", \"selective\" or \"full\"");
    model.recompute = static_cast<RecomputePolicy>(found - recomputePolicyNames.begin());
    return {};
}

/// The precision with the bytes that go with it, which further fields replace.
Result<void> readPrecision(const JsonDocument& document, TransformerModel& model)
{
    if (!document.HasMember("precision")) {
        // Files from before they had the field say the same by their bytes.
        if (document.HasMember("elementBytes") && document["elementBytes"].IsInt())
            model.precision = precisionOfBytes(document["elementBytes"].GetInt());
        return {};
    }
    const JsonValue& value = document["precision"];
    if (!value.IsString())
        return wrong("precision", "a text");
    PW_TRY(const Precision precision, findPrecision(textOf(value)));
    setPrecision(model, precision);
    return {};
}

Result<void> readField(std::string_view field, const JsonValue& value, LanguageModel& whole)
{
    for (const FurtherNumber& number : furtherModelNumbers()) {
        if (number.name != field)
            continue;
        if (!value.IsInt())
            return wrong(field, "a whole number of at most 32 bits");
        number.of(whole) = value.GetInt();
        return {};
    }
    TransformerModel& model = whole.dense;
    for (const ModelNumber& number : modelNumbers) {
        if (number.name != field)
            continue;
        if (!value.IsInt())
            return wrong(field, "a whole number of at most 32 bits");
        model.*number.member = value.GetInt();
        return {};
    }
    for (const ModelFlag& flag : modelFlags) {
        if (flag.name != field)
            continue;
        if (!value.IsBool())
            return wrong(field, "true or false");
        model.*flag.member = value.GetBool();
        return {};
    }
    if (field == "precision")
        return {}; // read before all others
    if (field == "recompute")
        return readRecompute(value, model);
    if (field == "name") {
        if (!value.IsString())
            return wrong(field, "a text");
        model.name = std::string(textOf(value));
        return {};
    }
    return fail(ErrorCode::Syntax, "the model has an unknown field \"%1\"", field);
}

} // namespace

Result<LanguageModel> parseModel(std::string_view json)
{
    const Result<JsonDocument> parsed = parseJson(json, maxFileBytes);
    if (!parsed)
        return fail(parsed.error().code, "the model is not JSON: %1", parsed.error().message);
    const JsonDocument& document = *parsed;
    if (!document.IsObject())
        return fail(ErrorCode::Syntax, "the model is not a JSON object");
    if (!document.HasMember("version"))
        return fail(ErrorCode::Version, "the model has no \"version\"");
    const JsonValue& version = document["version"];
    if (!version.IsInt())
        return wrong("version", "a whole number");
    if (version.GetInt() != modelVersion) {
        return fail(ErrorCode::Version, "the model is of version %1; this program reads version %2",
                    version.GetInt(), modelVersion);
    }
    LanguageModel model;
    PW_DO(readPrecision(document, model.dense));
    std::set<std::string_view> seen;
    // By index: clang finds the comparison of RapidJSON's iterators ambiguous.
    for (rapidjson::SizeType i = 0; i < document.MemberCount(); ++i) {
        const auto& member = document.MemberBegin()[static_cast<std::ptrdiff_t>(i)];
        const std::string_view field = textOf(member.name);
        if (!seen.insert(field).second) {
            return fail(ErrorCode::Syntax, "the model has the field \"%1\" twice", field);
        }
        if (field == "version")
            continue;
        PW_DO(readField(field, member.value, model));
    }
    PW_DO(check(model));
    return model;
}

std::string modelText(const LanguageModel& whole)
{
    const TransformerModel& model = whole.dense;
    rapidjson::StringBuffer buffer;
    rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
    writer.SetIndent(' ', 2);
    const auto text = [&](std::string_view value) {
        writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
    };
    writer.StartObject();
    text("version");
    writer.Int(modelVersion);
    text("name");
    text(model.name);
    for (const ModelNumber& number : modelNumbers) {
        text(number.name);
        writer.Int(model.*number.member);
    }
    // What plain transformers do not have is left out.
    LanguageModel further = whole;
    for (const FurtherNumber& number : furtherModelNumbers()) {
        if (const int value = number.of(further); value != 0) {
            text(number.name);
            writer.Int(value);
        }
    }
    for (const ModelFlag& flag : modelFlags) {
        text(flag.name);
        writer.Bool(model.*flag.member);
    }
    text("recompute");
    text(name(model.recompute));
    if (model.precision != precisionOfBytes(model.elementBytes)) {
        text("precision");
        text(name(model.precision));
    }
    writer.EndObject();
    return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

Result<LanguageModel> readModelFile(const std::string& path)
{
    PW_TRY(const std::string text, readFile(path, maxFileBytes));
    auto model = parseModel(text);
    if (!model)
        return fail(model.error().code, "%1: %2", path, model.error().message);
    return model;
}

Result<LanguageModel> loadModel(const std::string& presetOrPath)
{
    auto preset = findModel(presetOrPath);
    if (preset)
        return preset;
    std::error_code ignored;
    if (std::filesystem::exists(presetOrPath, ignored))
        return readModelFile(presetOrPath);
    std::vector<std::string> names;
    for (const LanguageModel& model : modelPresets())
        names.push_back(model.dense.name);
    if (const std::string near = nearest(presetOrPath, names); !near.empty())
        return fail(ErrorCode::BadValue, "there is no model \"%1\"; did you mean %2?", presetOrPath,
                    near);
    return fail(ErrorCode::BadValue, "%1; nor is there such a file", preset.error().message);
}

} // namespace pw
