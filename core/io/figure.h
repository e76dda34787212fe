// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/lane_pictures.h"
#include "core/model/annotation.h"
#include "core/model/costs.h"
#include "core/sim/memory.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pw {

/// Idle part of a device by both measures, 0 … 1.
struct FigureBubble
{
    std::string device;
    double wall = 0;
    double span = 0;
    std::string rates; ///< both in words
};

/// What a device holds over time: bytes by kind, or micro-batches where no bytes are known.
struct FigureMemory
{
    std::vector<MemoryPoint> bytes;
    std::vector<std::pair<Ticks, double>> microBatches;
    std::optional<Bytes> cap;
    std::optional<double> microBatchCap; ///< beside `microBatches`
    DeviceId device{0};

    bool empty() const { return bytes.empty() && microBatches.empty(); }
};

/// The memory of the device that holds most. @pre the result is of this schedule and these costs
FigureMemory fullestMemory(const Schedule& schedule, const Costs& costs, const SimResult& result);

/// What there is to see. Parts that are empty are left out.
struct FigureParts
{
    std::string title;
    std::string numbers; ///< below the title
    FigureLanes lanes;
    FigureMemory memory;
    std::vector<FigureBubble> bubbles;
    std::vector<PlacedAnnotation> annotations; ///< over the lanes
};

/// How a figure looks.
struct FigureForm
{
    FigureGround ground = FigureGround::Light;
    double width = 1200;   ///< of the whole figure, in CSS pixels
    double laneHeight = 0; ///< 0: as there is room for
    ColorBy colorBy = ColorBy::Kind;
    bool legend = true;
};

/// The words of figures; %1 is what a sentence is about.
struct FigureWords
{
    std::string idle = "idle";
    std::string tints = "full to light: first to last chunk of a device";
    std::string toHost = "to the host's memory";
    std::string fromHost = "back from the host's memory";
    std::string device = "device %1";
    std::string memory = "Memory";
    std::string memoryOf = "of %1, by kind";
    std::string activations = "Activations";
    std::string activationsOf = "of %1, in micro-batches";
    std::string cap = "limit %1";
    std::string bubble = "Bubble";
    std::string bubbleOf = "idle part of the makespan (wall) and of the device's own span";
    std::array<std::string, passKindCount> kinds = {"forward",
                                                    "backward for the input",
                                                    "backward for the weights",
                                                    "backward, both",
                                                    "recompute",
                                                    "update"};
    std::array<std::string, memoryKindCount> memoryKinds = {
        "weights",    "weight versions", "gradients", "optimizer", "activations",
        "held for W", "buffers",         "workspace", "fragments"};
    std::string (*bytes)(Bytes bytes) = nullptr; ///< null: as the command line writes them
};

/// Lays out a figure: what it consists of and where that is, whoever draws it.
Picture layFigure(const FigureParts& figure, const FigureForm& form, const FigureWords& words,
                  const TextMeasure& measure);

} // namespace pw
