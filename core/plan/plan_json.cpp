// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/plan_json.h"

#include "core/io/json_text.h"
#include "core/plan/plan_words.h"

#include <algorithm>
#include <cmath>

namespace pw::plan {

namespace {

constexpr double planRowMs = 1e3; ///< of a second

void offloadJson(JsonText& json, const Evaluation& row)
{
    const Configuration& c = row.configuration;
    if (c.offload == OffloadPolicy::None)
        return;
    json.member("offload", name(c.offload));
    json.key("offload_shares");
    json.beginArray(JsonText::Layout::OneLine);
    for (const double share : c.offloadShares)
        json.value(share);
    json.endArray();
    json.member("offload_copy_ms", planRowMs * row.offload.copies);
    json.member("offload_exposed_ms", planRowMs * row.offload.exposed);
    json.member("offload_ratio", row.offload.ratio);
    json.member("host_bytes",
                static_cast<std::int64_t>(std::llround(std::min(row.offload.hostBytes, 4e18))));
}

void planRowJson(JsonText& json, const LanguageModel& model, const Cluster& cluster,
                 const Evaluation& row, const Evaluation& best, bool proven)
{
    const Configuration& c = row.configuration;
    json.beginObject(JsonText::Layout::OneLine);
    json.member("family", std::string_view(c.family));
    json.key("parameters");
    json.beginObject(JsonText::Layout::OneLine);
    for (const auto& [parameter, value] : c.parameters)
        json.member(parameter, value);
    json.endObject();
    json.member("pipeline_parallel", c.pipelineParallel);
    json.member("tensor_parallel", c.tensorParallel);
    json.member("data_parallel", c.dataParallel);
    json.member("context_parallel", c.contextParallel);
    json.member("expert_parallel", c.expertParallel);
    json.member("micro_batch_size", c.microBatchSize);
    json.member("micro_batches", c.microBatches());
    json.member("chunks", c.chunks);
    json.member("recompute", name(c.recompute));
    if (c.recomputedLayers > 0)
        json.member("recompute_layers", c.recomputedLayers);
    offloadJson(json, row);
    if (!cluster.groups.empty()) {
        json.key("hardware");
        json.beginArray(JsonText::Layout::OneLine);
        for (const DeviceId rank : Ids<DeviceId>(c.pipelineParallel))
            json.value(clusterOfRank(cluster, c, rank).device.name);
        json.endArray();
    }
    json.key("split");
    json.beginArray(JsonText::Layout::OneLine);
    for (const int layers : c.split)
        json.value(layers);
    json.endArray();
    json.member("iteration_ms", planRowMs * row.seconds());
    const Surety surety = suretyOf(cluster, model);
    json.member("iteration_ms_from", planRowMs * row.seconds() * std::exp(-surety.spread));
    json.member("iteration_ms_to", planRowMs * row.seconds() * std::exp(surety.spread));
    json.member("pipeline_ms", planRowMs * row.parts.pipeline);
    json.member("bubble_rate", row.bubble);
    json.member("fitted_rows", surety.rows);
    json.member("precision", name(model.dense.precision));
    json.member("tokens_per_second", tokensPerSecond(model, row));
    json.member("mfu", modelUtilisation(model, cluster, row));
    json.key("peak_bytes");
    json.beginArray(JsonText::Layout::OneLine);
    for (const MemoryParts& memory : row.memory)
        json.value(static_cast<std::int64_t>(std::llround(std::min(memory.total(), 4e18))));
    json.endArray();
    json.key("memory");
    json.beginArray(JsonText::Layout::OneLine);
    for (const MemoryParts& memory : row.memory) {
        json.beginObject(JsonText::Layout::OneLine);
        for (const NamedBytes& part : namedBytes(memory))
            json.member(part.name,
                        static_cast<std::int64_t>(std::llround(std::min(part.bytes, 4e18))));
        json.endObject();
    }
    json.endArray();
    json.member("fits", row.fits);
    json.member("proven", proven);
    json.member("reason", std::string_view(reasonText(row, best)));
    json.endObject();
}

} // namespace

std::string planJson(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                     const PlanTable& table)
{
    JsonText json;
    json.beginArray();
    const std::size_t most = std::min(table.rows.size(), static_cast<std::size_t>(wish.rows));
    for (std::size_t i = 0; i < most; ++i)
        planRowJson(json, model, cluster, table.rows[i], table.rows.front(), i < table.proven);
    if (table.rows.empty() && table.nearest)
        planRowJson(json, model, cluster, *table.nearest, *table.nearest, false);
    json.endArray();
    return json.text();
}

std::string unflushedJson(const LanguageModel& model, const Cluster& cluster,
                          const PlanTable& table)
{
    JsonText json;
    json.beginArray();
    for (const Evaluation& row : table.unflushed)
        planRowJson(json, model, cluster, row, table.rows.empty() ? row : table.rows.front(),
                    false);
    json.endArray();
    return json.text();
}

} // namespace pw::plan
