// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// How well the model of cost meets iterations that were measured, and how long a search takes.
// Build the release preset, then build/release/tests/bench_plan [FOLDER]
//
// FOLDER has a100-multi-node.csv and a100-one-node.csv. Every model is judged with constants that
// were fitted to the others; then all rows are listed with their predictions.
//
// bench_plan FOLDER sets [rows]: every table of the folder with the constants that ship, by
// accelerator and precision. bench_plan FOLDER fit NAME [FILE.csv]: constants for one accelerator
// from all of its rows there, or of one table. bench_plan FOLDER six NAME: constants from six rows,
// tried on its others. bench_plan FOLDER cross [NAME]: every set with constants that were fitted to
// all rows, to those of other models, and to half of the configurations. bench_plan FOLDER searches
// [WORD]: the searches alone, or those whose line has the word.

#include "core/plan/measured.h"
#include "core/plan/plan_words.h"
#include "core/plan/search.h"
#include "tests/bench/measured_sets.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <sys/resource.h>
#include <tuple>
#include <vector>

using namespace pw;
using namespace pw::plan;

namespace {

void print(const Judgement& one)
{
    std::printf("  %-44s %4d rows  mean error %5.2f %%  rank %.3f  first choice +%.1f %%  worst "
                "%.1f %%\n",
                one.name.c_str(), one.rows, 100 * one.meanError, one.rank, 100 * one.choiceLoss,
                100 * one.worst);
}

/// What rank correlation the disturbances of the measurements allow: were the predictions of
/// constants that were fitted to the model itself exactly right, and the runs disturbed as those
/// predictions say that they were, which correlation would be found? The ratios of measured to
/// predicted are dealt out anew, a thousand times.
void printCeiling(const std::vector<MeasuredRow>& rows, const Accelerator& device)
{
    const Constants constants = fitConstants(rows, device);
    std::vector<double> predicted, ratios;
    for (const MeasuredRow& row : rows) {
        const Result<double> seconds =
            iterationSeconds(row.model, Cluster{device, row.devices, constants}, row.configuration);
        if (!seconds)
            return;
        predicted.push_back(*seconds);
        ratios.push_back(row.seconds / *seconds);
    }
    constexpr int deals = 1000;
    std::mt19937 random(1);
    std::uniform_int_distribution<std::size_t> any(0, ratios.size() - 1);
    const auto choice = std::min_element(predicted.begin(), predicted.end()) - predicted.begin();
    constexpr double wantedRank = 0.85, wantedLoss = 0.04;
    int ranked = 0, chosen = 0, both = 0;
    std::vector<double> ranks;
    for (int i = 0; i < deals; ++i) {
        std::vector<double> disturbed = predicted;
        for (double& seconds : disturbed)
            seconds *= ratios[any(random)];
        ranks.push_back(rankCorrelation(predicted, disturbed));
        const double loss = disturbed[static_cast<std::size_t>(choice)] /
                                *std::min_element(disturbed.begin(), disturbed.end()) -
                            1;
        const bool goodRank = ranks.back() >= wantedRank, goodChoice = loss <= wantedLoss;
        ranked += goodRank ? 1 : 0;
        chosen += goodChoice ? 1 : 0;
        both += goodRank && goodChoice ? 1 : 0;
    }
    std::sort(ranks.begin(), ranks.end());
    const TransformerModel& dense = rows.front().model.dense;
    std::printf("  %d layers of %d: fitted to itself rank %.3f; a model without error would reach "
                "%.2f (%.2f to %.2f in nine of ten)\n",
                dense.layers, dense.hidden, judge(rows, device, constants).rank, ranks[deals / 2],
                ranks[deals / 20], ranks[deals - deals / 20]);
    constexpr double percent = 100.0 / deals;
    std::printf("    of its deals %.0f %% reach a rank of .85, %.0f %% a first choice within 4 %%, "
                "%.0f %% both\n",
                percent * ranked, percent * chosen, percent * both);
}

/// Runs that were disturbed whatever a model says: with the same degrees, a larger micro-batch
/// takes no longer a sample beside the bubble of equal stages, (p−1) ⁄ m; its kernels are larger,
/// its messages fewer. Where it did take longer, it or the run that it follows was not as it should
/// be.
void printDisturbed(const std::vector<MeasuredRow>& rows)
{
    std::map<std::tuple<int, int, int>, std::map<int, double>> runs;
    for (const MeasuredRow& row : rows) {
        const Configuration& c = row.configuration;
        const double m = c.microBatches();
        runs[{c.tensorParallel, c.dataParallel, c.pipelineParallel}][c.microBatchSize] =
            row.seconds * m / (m + c.pipelineParallel - 1);
    }
    int pairs = 0, longer = 0;
    double most = 0;
    for (const auto& [degrees, sizes] : runs) {
        for (auto one = sizes.begin(); std::next(one) != sizes.end(); ++one) {
            const double more = std::next(one)->second / one->second - 1;
            ++pairs;
            longer += more > 0 ? 1 : 0;
            most = std::max(most, more);
        }
    }
    std::printf("    of %d pairs of neighbouring micro-batch sizes %d took longer with the larger "
                "one, by up to %.1f %%\n",
                pairs, longer, 100 * most);
}

void judgeFile(const std::string& folder, const std::string& file, bool list)
{
    const Accelerator device = *findAccelerator("a100");
    const std::vector<MeasuredRow> rows =
        bench::measuredRows(folder, std::string(device.name), file);
    std::printf("%s\n", file.c_str());
    for (const Judgement& one : judgeLeftOut(rows, device))
        print(one);
    for (const std::vector<MeasuredRow>& model : byModel(rows)) {
        printCeiling(model, device);
        printDisturbed(model);
    }
    const Constants constants = fitConstants(rows, device);
    Judgement all = judge(rows, device, constants);
    all.name = "all, fitted to all";
    print(all);
    if (!list)
        return;
    for (const MeasuredRow& row : rows) {
        const Configuration& c = row.configuration;
        const Result<double> seconds =
            iterationSeconds(row.model, Cluster{device, row.devices, constants}, c);
        if (!seconds)
            continue;
        std::printf("  h%-5d L%-3d t%-2d d%-3d p%-2d b%-3d measured %9.1f ms  predicted %9.1f ms "
                    "%+6.1f %%\n",
                    row.model.dense.hidden, row.model.dense.layers, c.tensorParallel,
                    c.dataParallel, c.pipelineParallel, c.microBatchSize, 1e3 * row.seconds,
                    1e3 * *seconds, 100 * (*seconds / row.seconds - 1));
    }
}

/// Seconds that the processor worked for this program, on all threads.
double processorSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    constexpr double micro = 1e-6;
    return static_cast<double>(usage.ru_utime.tv_sec) +
           micro * static_cast<double>(usage.ru_utime.tv_usec);
}

struct Searched
{
    const char* model;
    const char* hardware;
    int devices;
    int batch;
};

void timeSearch(const Searched& one, bool offloads, const std::string& word)
{
    const std::string name = std::string(one.model) + " on " + std::to_string(one.devices) + " " +
                             one.hardware + (offloads ? ", offload searched" : "");
    if (name.find(word) == std::string::npos)
        return;
    const LanguageModel model = *findModel(one.model);
    const Cluster cluster{*findAccelerator(one.hardware), one.devices,
                          constantsFor(one.hardware, false)};
    Wish wish;
    wish.globalBatch = one.batch;
    setUsualTraining(wish, model);
    if (offloads)
        wish.offload.reset();
    const auto begin = std::chrono::steady_clock::now();
    const double before = processorSeconds();
    const Result<PlanTable> table = search(model, cluster, wish);
    const double worked = processorSeconds() - before;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("  %s: %.2f s of a core, %.2f s", name.c_str(), worked, seconds);
    if (table && !table->rows.empty())
        std::printf(", %zu configurations of %zu families, %zu simulated, best %.1f ms (%s)",
                    table->candidates, table->families, table->evaluated,
                    1e3 * table->rows.front().seconds(), rowName(table->rows.front()).c_str());
    std::printf("\n");
    std::fflush(stdout);
}

void timeSearches(const std::string& word)
{
    std::printf("searches\n");
    for (const bool offloads : {false, true}) {
        for (const Searched& one :
             {Searched{"llama3-70b", "h100", 64, 256}, Searched{"llama3-70b", "h100", 1024, 1024},
              Searched{"llama3-405b", "h100", 1024, 1024},
              Searched{"mixtral-8x22b", "h100", 256, 1024}})
            timeSearch(one, offloads, word);
    }
}

} // namespace

int main(int argc, char** argv)
{
    const std::string folder = argc > 1 ? argv[1] : "../shared/data/measured";
    const std::string what = argc > 2 ? argv[2] : "";
    if (what == "sets") {
        bench::judgeSets(folder, argc > 3);
        return 0;
    }
    if (argc > 3 && what == "fit") {
        bench::fitSets(folder, argv[3], argc > 4 ? argv[4] : "");
        return 0;
    }
    if (what == "cross") {
        bench::crossSets(folder, argc > 3 ? argv[3] : "");
        return 0;
    }
    if (argc > 3 && what == "six") {
        bench::tryFewRows(folder, argv[3]);
        return 0;
    }
    if (what == "searches") {
        timeSearches(argc > 3 ? argv[3] : "");
        return 0;
    }
    judgeFile(folder, "a100-multi-node.csv", true);
    judgeFile(folder, "a100-one-node.csv", false);
    timeSearches("");
    return 0;
}
