// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/presets.h"

#include "core/base/names.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace pw::exec {

namespace {

/// A model that gives the matrix units of a GPU work for milliseconds, so wide that four devices
/// of one GPU hold it with the activations of any of the usual schedules.
constexpr GptModel filling(int hidden)
{
    constexpr int headSize = 128;
    GptModel model;
    model.layers = 16;
    model.hidden = hidden;
    model.heads = hidden / headSize;
    model.sequence = 2048;
    model.vocabulary = 8192;
    model.element = Element::BFloat16;
    return model;
}

constexpr std::array<NamedGptModel, 7> models = {{
    {"tiny",
     "0.1 million parameters, for tests and demonstrations that take seconds",
     {.layers = 8, .hidden = 32, .heads = 2, .sequence = 32, .vocabulary = 64, .samples = 4}},
    {"small",
     "0.4 million parameters; the loss falls within a minute on a laptop",
     {.layers = 8, .hidden = 64, .heads = 4, .sequence = 64, .vocabulary = 64, .samples = 8}},
    {"medium",
     "51 million parameters, for a workstation's cores or a small GPU",
     {.layers = 16, .hidden = 512, .heads = 8, .sequence = 256, .vocabulary = 512, .samples = 4}},
    {"24gb", "0.4 billion parameters in bfloat16, for a GPU of 24 GB that is split in four",
     filling(1408)},
    {"40gb", "1 billion, for one of 40 GB", filling(2176)},
    {"80gb", "2.2 billion, for one of 80 GB", filling(3328)},
    {"h200", "3.3 billion, for one of 141 GB", filling(4096)},
}};

} // namespace

std::span<const NamedGptModel> namedGptModels()
{
    return models;
}

Result<GptModel> findGptModel(std::string_view name)
{
    const auto nameOf = [](const NamedGptModel& each) { return each.name; };
    if (const NamedGptModel* known = findNamed(models, name, nameOf))
        return known->model;
    std::vector<std::string> names;
    for (const NamedGptModel& each : models) {
        names.emplace_back(each.name);
    }
    std::string text = "no model is called " + std::string(name);
    const std::string meant = nearest(name, names);
    if (!meant.empty()) {
        text += "; is " + meant + " meant?";
    } else {
        text += "; there are";
        for (std::size_t i = 0; i < names.size(); ++i)
            text += (i == 0 ? " " : ", ") + names[i];
    }
    return fail(ErrorCode::BadValue, text);
}

double usualLearningRate(const GptModel& model)
{
    constexpr double ofNarrowOnes = 3e-3;
    constexpr double timesWidth = 0.5;
    return std::min(ofNarrowOnes, timesWidth / model.hidden);
}

} // namespace pw::exec
