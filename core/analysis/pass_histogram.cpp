// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/pass_histogram.h"

#include <algorithm>

namespace pw {

namespace {

constexpr std::size_t histogramBins = 12;

std::vector<Ticks> sortedLengths(const PassLengths& lengths, PassKind kind)
{
    const auto found = lengths.find(kind);
    std::vector<Ticks> sorted = found == lengths.end() ? std::vector<Ticks>() : found->second;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

Ticks medianLength(const std::vector<Ticks>& sorted)
{
    return sorted.empty() ? -1 : sorted[(sorted.size() - 1) / 2];
}

/// The edges over all lengths, which are sorted.
std::vector<Ticks> edgesOver(const std::vector<Ticks>& all)
{
    // The twentieth part at the end stands in the last bin where it is far away from the rest.
    constexpr std::size_t part = 20;
    const Ticks least = all.front(), most = all.back();
    const Ticks usual = all[all.size() - 1 - all.size() / part];
    const bool far = most - least > 2 * (usual - least);
    const Ticks top = far ? usual : most;
    const std::size_t equal = far ? histogramBins - 1 : histogramBins;
    const Ticks width =
        std::max<Ticks>((top - least + static_cast<Ticks>(equal)) / static_cast<Ticks>(equal), 1);
    std::vector<Ticks> edges;
    for (std::size_t bin = 0; bin <= equal; ++bin)
        edges.push_back(least + static_cast<Ticks>(bin) * width);
    if (far)
        edges.push_back(std::max(most, edges.back()) + 1);
    return edges;
}

std::vector<std::int64_t> binned(const std::vector<Ticks>& sorted, const std::vector<Ticks>& edges)
{
    std::vector<std::int64_t> counts(edges.size() - 1, 0);
    for (const Ticks length : sorted) {
        const auto behind = std::upper_bound(edges.begin(), edges.end() - 1, length);
        ++counts[static_cast<std::size_t>(behind - edges.begin()) - 1];
    }
    return counts;
}

} // namespace

std::vector<PassHistogram> passHistograms(const PassLengths& before, const PassLengths& after)
{
    std::vector<PassHistogram> histograms;
    for (const PassKind kind : allPassKinds) {
        const std::vector<Ticks> one = sortedLengths(before, kind),
                                 two = sortedLengths(after, kind);
        std::vector<Ticks> all(one.size() + two.size());
        std::merge(one.begin(), one.end(), two.begin(), two.end(), all.begin());
        if (all.empty())
            continue;
        PassHistogram histogram;
        histogram.kind = kind;
        histogram.edges = edgesOver(all);
        histogram.before = binned(one, histogram.edges);
        histogram.after = binned(two, histogram.edges);
        histogram.medianBefore = medianLength(one);
        histogram.medianAfter = medianLength(two);
        histograms.push_back(std::move(histogram));
    }
    return histograms;
}

} // namespace pw
