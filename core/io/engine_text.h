// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/cost/layer_split.h"
#include "core/families/default_family.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// What other training engines are told of a schedule, beside PyTorch's CSV and Megatron's layout.

/// The name that TorchTitan and NeMo AutoModel must be given beside a CSV. The class that runs a
/// CSV is always PyTorch's runtime; the name still decides where stages are: `1F1B` for one stage a
/// rank, `PipelineScheduleMulti` for stage k on rank k mod P, `ZBVZeroBubble` for a V of two.
///
/// @error BadValue  any other placement: neither engine can be told of it
Result<std::string> torchScheduleName(const PipelineSpec& spec);

/// How an engine calls the modules of a Llama-like model.
enum class ModuleStyle : std::uint8_t
{
    TorchTitan, ///< tok_embeddings, layers.3, norm, lm_head
    HuggingFace ///< model.embed_tokens, model.layers.3, model.norm, lm_head, and on every stage
                ///< model.rotary_emb
};

/// Names of the modules of every stage.
/// @error BadValue  multi-token layers, which no such name stands for
Result<std::vector<std::vector<std::string>>> moduleNames(const LayerSplit& split,
                                                          ModuleStyle style);

/// A Python file with a function that puts the pipeline into a `Trainer.Config` of TorchTitan,
/// whose command line has no place for lists of lists.
/// @error BadValue  as of `torchScheduleName` and `moduleNames`
Result<std::string> torchTitanOptions(const Schedule& schedule, const LayerSplit& split,
                                      std::string_view csvPath);

/// NeMo AutoModel's `distributed` section in YAML, as far as it speaks of the pipeline.
/// @error BadValue  as of `torchScheduleName` and `moduleNames`
Result<std::string> nemoConfig(const Schedule& schedule, const LayerSplit& split,
                               std::string_view csvPath);

/// Primus's table as its log shows it, below a comment: `Rank 0: (F|0|0),(SF|0|0),…`, function,
/// micro-batch, chunk. Between two stages of one rank stands a message to itself.
///
/// @error BadValue  segments, two routes, steps, updates, recompute passes or overlapped pairs
/// @error Deadlock  as of `lower`
Result<std::string> primusTable(const Schedule& schedule);

/// The same as a Python class for Primus, which reads no file of an order:
/// `generate_schedule_table` and `direction_map`, with a word on where it goes.
///
/// Primus runs only names that its launcher knows, so the class takes the place of the one with the
/// same placement and kinds of passes.
///
/// @error BadValue  as of `primusTable`, ranks with unequal numbers of stages, and placements that
/// no
///                  name of Primus has, such as a zigzag
Result<std::string> primusClass(const Schedule& schedule, const std::string& title);

/// The part of Galvatron's strategy file that speaks of the pipeline.
struct GalvatronStrategy
{
    int devices = 1;                   ///< pp_deg
    int microBatches = 1;              ///< chunks
    std::string family{defaultFamily}; ///< id, of the word in pipeline_type
    std::vector<int> layers{};         ///< pp_division
    std::int64_t batch = 0;            ///< global_bsz; 0: it is not said
    bool recompute = false;            ///< checkpoint is 1 on some layer

    friend bool operator==(const GalvatronStrategy&, const GalvatronStrategy&) = default;
};

/// A strategy file: lists of a number a layer are texts with commas, as Galvatron writes them.
std::string writeGalvatron(const GalvatronStrategy& strategy);

/// Reads a strategy file. What it says of tensor and data parallelism is checked and left aside.
///
/// @error Syntax    not JSON, or a field that is missing, doubled, of another type or out of range
/// @error BadValue  fields that contradict each other: stages of pp_division and pp_deg, its layers
///                  and a list of a number a layer, samples of a step and micro-batches
Result<GalvatronStrategy> readGalvatron(std::string_view text);

/// The strategy of a schedule: Galvatron knows 1F1B and GPipe with one stage a rank.
///
/// @param batch  samples of an optimizer step
/// @error BadValue  any other order or placement; fewer samples than micro-batches
Result<GalvatronStrategy> galvatronOf(const Schedule& schedule, const LayerSplit& split,
                                      std::int64_t batch);

} // namespace pw
