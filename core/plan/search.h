// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/evaluate.h"
#include "core/plan/planned_families.h"

#include <atomic>
#include <functional>
#include <limits>
#include <optional>

namespace pw::plan {

/// What a person asks for. A degree that is 0 is free.
struct Wish
{
    int globalBatch = 1;
    int pipelineParallel = 0;
    int tensorParallel = 0;
    int dataParallel = 0;
    int contextParallel = 0;
    int expertParallel = 0;
    int microBatchSize = 0;
    int chunks = 0;
    std::optional<RecomputePolicy> recompute;
    int recomputedLayers = 0;          ///< of every stage that `recompute` is for; 0: all
    std::string family;                ///< empty: `families`
    std::vector<std::string> families; ///< to try; empty: those of `plannedFamilies`
    std::vector<std::pair<std::string, double>> parameters; ///< of the family
    std::vector<int> split;
    bool evenSplit = false; ///< layers as even as it gets, whatever the ends hold
    bool sequenceParallel = false;
    int zero = 0;
    bool overlapReduction = false;
    bool overlapTensor = false;
    bool fusedAccumulation = false;
    bool vocabularyParallel = false;
    EngineMemory engine;
    std::optional<OffloadPolicy> offload = OffloadPolicy::None; ///< none: searched
    std::vector<double> offloadShares;                          ///< for `Shares`
    int rows = 10;                                              ///< that are wanted

    friend bool operator==(const Wish&, const Wish&) = default;
};

/// How engines of today train a model of today, which has fused attention and no dropout: ZeRO 1,
/// tokens split by tensor parallelism, collectives and the sum of gradients beside other work,
/// gradients added by their products. Others have none of it, as the systems that were measured.
void setUsualTraining(Wish& wish, const LanguageModel& model);

/// How far a search is.
struct SearchProgress
{
    std::size_t candidates = 0;
    std::size_t looked = 0; ///< evaluated, or known to be slower than enough others
    double best = 0;        ///< seconds; 0: none yet
};

/// A candidate that was looked at and did not fit.
struct TooLarge
{
    Configuration configuration; ///< the candidate
    std::vector<int> split;      ///< layers of every stage that it was looked at with
    double peak = 0;             ///< bytes of the fullest device
};

/// What a search found.
struct PlanTable
{
    /// That fit, fastest first. The first of them, as many as were wanted, are the fastest of all
    /// candidates, each made as good as it gets (`refined`); however many are wanted, they are the
    /// same.
    std::vector<Evaluation> rows;
    /// Of the first rows, up to as many as were wanted, those before which no other candidate can
    /// come. All wanted ones unless the search was stopped.
    std::size_t proven = 0;
    std::vector<double> bounds;     ///< of every row the seconds that it was known to take at least
    std::vector<Evaluation> pareto; ///< that no other beats in both time and memory
    std::optional<Evaluation> nearest; ///< where none fits: the one that needs least
    std::size_t candidates = 0;
    std::size_t evaluated = 0;
    std::size_t families = 0; ///< that were tried
    /// Of each family that never flushes the best on the shapes of the first rows, fastest first;
    /// only where no family is wished for. They train with older weights, so they are no rows.
    std::vector<Evaluation> unflushed;
    std::vector<TooLarge> tooLarge; ///< in the order of the candidates
    bool stopped = false;           ///< before everything was looked at
};

/// What is known before a search, so that it needs not look at everything again: for the same
/// model and wish, machines of the same memory or more, and the usual families.
struct KnownBefore
{
    /// Seconds: what takes longer is not wanted.
    double below = std::numeric_limits<double>::infinity();
    /// Of a search with machines of one kind; null: nothing.
    const std::vector<TooLarge>* tooLarge = nullptr;
    /// Times are not those of that search: what was too large is so where its order is the same for
    /// all times, and its layers are dealt out as they were.
    bool otherTimes = false;
    /// What that search found to fit is not wanted again: only rows with copies to the host's
    /// memory are. @pre it had none, and `below` is under its first row
    bool onlyOffload = false;
};

/// All configurations that a wish leaves, those that `check` refuses left out.
///
/// @error BadValue  there is none; says the smallest change that makes one
Result<std::vector<Configuration>> candidatesOf(const LanguageModel& model, const Cluster& cluster,
                                                const Wish& wish);

/// What a search may pass over.
enum class SearchCut : std::uint8_t
{
    Proven, ///< what takes longer than the wanted rows, or needs more memory than there is, by
            ///< bound
    Rows,   ///< the same, and nothing is looked at beside the wanted rows
    Never   ///< nothing: every candidate is looked at, and refined if it fits
};

/// Looks through all candidates, those with the lowest bound first, on all cores; refines what it
/// finds in the order of the bounds too, until none is left that is not above the last of the
/// wanted rows. Where none of `plannedFamilies` fits and no family is
/// wished for, `otherFamilies` are tried too.
///
/// @param stop      asks to end early with what is there; null: never
/// @param progress  called from the calling thread now and then; may be empty
/// @param known     of an earlier search; with a limit it finds no rows where none is below
/// @error BadValue  no candidate
Result<PlanTable> search(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                         const std::atomic<bool>* stop = nullptr,
                         const std::function<void(const SearchProgress&)>& progress = {},
                         SearchCut cut = SearchCut::Proven, const KnownBefore& known = {});

/// A configuration as good as it gets by what the wish leaves open: fewer layers computed again,
/// layers moved between stages; then all its passes simulated, unless they are very many.
Evaluation refined(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                   const Evaluation& evaluation);

/// The last two of these steps.
Evaluation withAllPasses(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                         const Evaluation& evaluation);

/// One configuration as far as a row is evaluated, without `check`: all its passes simulated,
/// unless they are very many.
/// @error BadValue  what the family refuses
Result<Evaluation> evaluatedAsRow(const LanguageModel& model, const Cluster& cluster,
                                  const Configuration& configuration);

/// Moves layers between stages as long as the simulated iteration gets shorter.
Evaluation withBetterSplit(const LanguageModel& model, const Cluster& cluster,
                           const Evaluation& evaluation);

/// Of a full recomputation that fits: as few layers of every stage computed again as fit, if that
/// is faster. Anything else stays as it is.
Evaluation withLessRecomputation(const LanguageModel& model, const Cluster& cluster,
                                 const Evaluation& evaluation);

} // namespace pw::plan
