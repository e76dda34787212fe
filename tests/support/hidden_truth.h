// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/advice.h"

#include <random>
#include <vector>

namespace pw::test {

/// A model on a pipeline: what truly takes how long and holds how much, which advice does not know.
struct Truth
{
    std::vector<int> layers = {4, 4, 4, 4};
    Ticks forward = 5'000'000; ///< of a layer
    Ticks backward = 10'000'000;
    double weightPart = 0.45;
    Ticks embedding = 2'000'000; ///< forward; the backward takes twice as long
    Ticks head = 15'000'000;
    Ticks fixed = 300'000; ///< of every pass
    Ticks hop = 400'000;
    int microBatches = 8;
    double size = 1;         ///< of a micro-batch, times the measured one
    double attention = 0;    ///< of a layer, that grows with the place in the sequence
    double passNoise = 0.03; ///< of single passes
    double stepNoise = 0.01;
    std::vector<int> recomputed{};       ///< stages whose backward computes the forward again
    double again = 1;                    ///< of a forward, that this takes
    bool endsAgain = false;              ///< embedding and head too
    Bytes layerActivation = 100'000'000; ///< of a micro-batch
    double kept = 0.05;                  ///< of it, by a layer that is computed again
    Bytes layerWeights = 300'000'000;
    Bytes endWeights = 400'000'000; ///< of embedding and head each
    double hostRate = 40e9;
};

/// Costs of an order of the model, with stages that hold their activations in another way.
Costs trueCosts(const Truth& truth, const PipelineSpec& spec, const std::vector<int>& layers,
                const StageHolding& holding = {});

/// Steps of an order with its true times and noise, each simulated.
std::vector<SimResult> steps(const Truth& truth, const Schedule& schedule, const Costs& costs,
                             int count, std::mt19937& random);

Ticks medianStep(const std::vector<SimResult>& all);

/// Advice is made from what a trace of the steps tells.
AdviceSource tracedSource(const Schedule& schedule, const std::vector<SimResult>& all);

struct Measured
{
    Schedule schedule;
    std::vector<SimResult> steps;
    std::vector<Bytes> peaks; ///< by device
};

Measured measured(const Truth& truth, const char* family, std::mt19937& random);

/// The step of a change, with its true times.
std::vector<SimResult> changedSteps(const Truth& truth, const AdvisedChange& change,
                                    std::mt19937& random);

/// What devices truly hold with a change.
std::vector<Bytes> changedPeaks(const Truth& truth, const AdvisedChange& change);

/// One of many.
Truth truthOf(int number);

/// Searches end with their looks, however busy the machine is.
AdviceRequest quickRequest();

/// Promises, and those of them that held.
struct HeldCount
{
    int held = 0, all = 0;

    void add(bool holds)
    {
        ++all;
        held += holds ? 1 : 0;
    }
};

} // namespace pw::test
