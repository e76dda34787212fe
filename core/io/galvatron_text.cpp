// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/number.h"
#include "core/base/try.h"
#include "core/families/family.h"
#include "core/io/engine_text.h"
#include "core/io/file_problem.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <numeric>

namespace pw {

namespace {

constexpr std::int64_t mostStrategyBytes = 1 << 20;
constexpr int mostStrategyLayers = 100'000;

/// The same number for every layer: "0,0,0".
std::string forEveryLayer(int layers, std::string_view number)
{
    std::string text;
    for (int i = 0; i < layers; ++i)
        text += (i > 0 ? "," : "") + std::string(number);
    return text;
}

/// Reads "2,2,3"; a word that is not a count is refused.
std::vector<int> strategyCounts(JsonFields& fields, std::string_view field)
{
    std::vector<int> counts;
    const std::string text = fields.text(field);
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view word = trimmed(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
        const auto count = parseNumber(word);
        if (!count || *count < 0 || *count > mostStrategyLayers ||
            counts.size() >= static_cast<std::size_t>(mostStrategyLayers)) {
            fields.refuse(field, "%1 is not a list of counts with commas between them");
            return {};
        }
        counts.push_back(*count);
    }
    return counts;
}

/// Whether a schedule has the order of a family at its own shape.
Result<bool> hasOrderOf(const Schedule& schedule, std::string_view family)
{
    FamilyOptions options;
    options.devices = schedule.devices();
    options.microBatches = schedule.spec().microBatches;
    PW_TRY(const Family* const found, findFamily(family));
    const Result<Schedule> other = buildUniform(*found, options, UniformCosts{});
    return other && other->orders() == schedule.orders();
}

} // namespace

std::string writeGalvatron(const GalvatronStrategy& strategy)
{
    const int layers = std::accumulate(strategy.layers.begin(), strategy.layers.end(), 0);
    std::string division;
    for (const int count : strategy.layers)
        division += (division.empty() ? "" : ",") + std::to_string(count);
    JsonText json;
    json.beginObject();
    json.member("pp_deg", strategy.devices);
    json.member("tp_sizes_enc", std::string_view(forEveryLayer(layers, "1")));
    json.member("tp_consecutive_flags", std::string_view(forEveryLayer(layers, "1")));
    json.member("dp_types_enc", std::string_view(forEveryLayer(layers, "0")));
    json.member("use_sp", std::string_view(forEveryLayer(layers, "0")));
    json.member("checkpoint",
                std::string_view(forEveryLayer(layers, strategy.recompute ? "1" : "0")));
    json.member("global_bsz", strategy.batch);
    json.member("chunks", strategy.microBatches);
    json.member("pp_division", std::string_view(division));
    json.member("pipeline_type", strategy.flush ? "pipedream_flush" : "gpipe");
    json.member("default_dp_type", "ddp");
    json.member("vtp", 1);
    json.member("vsp", 0);
    json.member("embed_sdp", 0);
    json.endObject();
    return json.text();
}

Result<GalvatronStrategy> readGalvatron(std::string_view text)
{
    PW_TRY(const JsonDocument document, parseJson(text, mostStrategyBytes));
    JsonFields::Failure failure;
    JsonFields fields(document, "", failure);
    GalvatronStrategy strategy;
    constexpr int mostDevices = 4096;
    constexpr int mostMicroBatches = 1'000'000;
    strategy.devices = static_cast<int>(fields.integer("pp_deg", 1, mostDevices));
    strategy.microBatches = static_cast<int>(fields.integer("chunks", 1, mostMicroBatches));
    strategy.batch = fields.integer("global_bsz", 0, std::int64_t{1} << 40, 0);
    strategy.layers = strategyCounts(fields, "pp_division");
    const std::string type = fields.text("pipeline_type", "pipedream_flush");
    if (type != "pipedream_flush" && type != "gpipe")
        fields.refuse("pipeline_type", "%1 is %2; there are pipedream_flush and gpipe",
                      inQuotes(type));
    strategy.flush = type != "gpipe";
    if (fields.has("checkpoint")) {
        const std::vector<int> flags = strategyCounts(fields, "checkpoint");
        strategy.recompute =
            std::any_of(flags.begin(), flags.end(), [](int flag) { return flag != 0; });
    }
    if (failure)
        return fail(*failure);
    if (strategy.layers.size() != static_cast<std::size_t>(strategy.devices))
        return fail(ErrorCode::BadValue, "pp_division has %1 stages and pp_deg is %2",
                    strategy.layers.size(), strategy.devices);
    // Counts of one stage are small; of thousands of stages their sum need not be.
    const std::int64_t layers =
        std::accumulate(strategy.layers.begin(), strategy.layers.end(), std::int64_t{0});
    if (layers < 1 || layers > mostStrategyLayers)
        return fail(ErrorCode::BadValue, "pp_division has %1 layers in all; 1 to %2 make a model",
                    layers, mostStrategyLayers);
    return strategy;
}

Result<GalvatronStrategy> galvatronOf(const Schedule& schedule, const LayerSplit& split,
                                      std::int64_t batch)
{
    const PipelineSpec& spec = schedule.spec();
    if (spec.routeCount() > 1 || spec.routes.front() != Placement::linear(spec.devices))
        return fail(ErrorCode::BadValue, "Galvatron has stage k on rank k, one stage a rank; this "
                                         "schedule has another placement");
    GalvatronStrategy strategy;
    strategy.devices = spec.devices;
    strategy.microBatches = spec.microBatches;
    strategy.batch = batch;
    for (const StageContent& stage : split)
        strategy.layers.push_back(stage.layers);
    for (const bool flush : {true, false}) {
        PW_TRY(const bool same, hasOrderOf(schedule, flush ? "1f1b" : "gpipe"));
        strategy.flush = flush;
        if (same)
            return strategy;
    }
    return fail(ErrorCode::BadValue,
                "Galvatron knows the orders of 1F1B and GPipe; this schedule has another one");
}

} // namespace pw
