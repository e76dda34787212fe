// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/configuration_traits.h"
#include "core/plan/search.h"

#include <algorithm>

namespace pw::plan {

namespace {

std::vector<int> divisorsUpTo(int whole, int most)
{
    std::vector<int> divisors;
    for (int d = 1; d <= whole && d <= most; ++d) {
        if (whole % d == 0)
            divisors.push_back(d);
    }
    return divisors;
}

std::vector<int> orGiven(int given, std::vector<int> all)
{
    return given > 0 ? std::vector<int>{given} : std::move(all);
}

bool takesChunks(std::string_view family)
{
    const Result<const Family*> found = findFamily(family);
    return found && findParameter(**found, ParameterRole::Chunks) != nullptr;
}

class CandidateList
{
public:
    CandidateList(const LanguageModel& model, const Cluster& cluster, const Wish& wish)
        : m_model(model)
        , m_cluster(cluster)
        , m_wish(wish)
    {
        std::vector<std::string_view> families(wish.families.begin(), wish.families.end());
        if (!wish.family.empty())
            families = {wish.family};
        else if (families.empty())
            families = plannedFamilies();
        for (const std::string_view family : families)
            addFamily(family);
    }

    Result<std::vector<Configuration>> all()
    {
        const int devices = m_cluster.devices;
        constexpr int mostTensor = 64, mostContext = 64;
        // Less than this many tokens a device is no work for context parallelism.
        constexpr int leastTokens = 2048;
        const int context = std::clamp(m_model.dense.sequence / leastTokens, 1, mostContext);
        const int node = m_cluster.device.devicesPerNode;
        const int tensor = m_wish.tensorParallel > 0 ? mostTensor : std::min(2 * node, mostTensor);
        for (const int tp : orGiven(m_wish.tensorParallel, divisorsUpTo(devices, tensor))) {
            for (const int cp : orGiven(m_wish.contextParallel, powers(context))) {
                const int most = std::min(devices, m_model.dense.layers);
                for (const int pp : orGiven(m_wish.pipelineParallel, divisorsUpTo(devices, most)))
                    parallel(tp, cp, pp);
            }
        }
        if (m_all.empty())
            return fail(m_refusal
                            ? *m_refusal
                            : Error{ErrorCode::BadValue,
                                    said("there is no configuration of %1 devices for this model",
                                         devices)});
        return std::move(m_all);
    }

private:
    struct PlannedFamily
    {
        std::string_view id;
        bool chunked = false;
        int chunks = 1;
        std::vector<std::pair<std::string, double>> parameters;
        std::vector<int> segmentLengths; ///< of equal work
    };

    /// A family with each of the numbers of its shape that are looked at.
    void addFamily(std::string_view id)
    {
        const Result<const Family*> family = findFamily(id);
        if (!family)
            return;
        for (const auto& parameters :
             shapeVariants(**family, m_wish.parameters, m_model.dense.sequence)) {
            Configuration asked;
            asked.family = id;
            asked.parameters = parameters;
            settleSegments(m_model, asked);
            m_families.push_back(
                {id, takesChunks(id), traitsOf(asked).chunks, parameters, asked.segmentLengths});
        }
    }

    static std::vector<int> powers(int most)
    {
        std::vector<int> all;
        for (int one = 1; one <= most; one *= 2)
            all.push_back(one);
        return all;
    }

    void parallel(int tp, int cp, int pp)
    {
        Configuration c;
        c.tensorParallel = tp;
        c.contextParallel = cp;
        c.pipelineParallel = pp;
        c.globalBatch = m_wish.globalBatch;
        c.sequenceParallel = m_wish.sequenceParallel && tp > 1;
        c.zero = m_wish.zero;
        c.overlapReduction = m_wish.overlapReduction;
        c.overlapTensor = m_wish.overlapTensor;
        c.fusedAccumulation = m_wish.fusedAccumulation;
        c.vocabularyParallel = m_wish.vocabularyParallel && pp > 1;
        c.engine = m_wish.engine;
        c.split = m_wish.split;
        c.recomputedLayers = m_wish.recomputedLayers;
        const int together = tp * cp * pp;
        c.dataParallel = m_wish.dataParallel > 0 ? m_wish.dataParallel
                                                 : std::max(m_cluster.devices / together, 1);
        constexpr int mostExpert = 1024, mostSamples = 64;
        std::vector<int> experts = {1};
        if (m_model.experts.count > 0) {
            experts.clear();
            for (const int ep : divisorsUpTo(m_model.experts.count, mostExpert)) {
                if (tp * cp * c.dataParallel % ep == 0)
                    experts.push_back(ep);
            }
        }
        for (const int ep : orGiven(m_wish.expertParallel, experts)) {
            c.expertParallel = ep;
            std::vector<int> samples = powers(mostSamples);
            for (const int size : orGiven(m_wish.microBatchSize, samples)) {
                c.microBatchSize = size;
                withFamilies(c);
            }
        }
    }

    void withFamilies(Configuration c)
    {
        for (const PlannedFamily& family : m_families) {
            c.family = std::string(family.id);
            c.parameters = family.parameters;
            c.segmentLengths = family.segmentLengths;
            const int most = std::max(m_model.dense.layers / c.pipelineParallel, 1);
            constexpr int mostChunks = 12;
            // On one device all families are one.
            if (c.pipelineParallel == 1 && family.id != m_families.front().id)
                continue;
            if (!family.chunked) {
                if (m_wish.chunks > 0 && m_wish.chunks != family.chunks) {
                    refuseChunks(family);
                    continue;
                }
                c.chunks = family.chunks;
                withPolicies(c);
                continue;
            }
            for (int v = 1; v <= std::min(most, mostChunks); ++v) {
                // One chunk is 1F1B; chunks that do not divide the layers are not even.
                if (m_wish.chunks > 0
                        ? v != m_wish.chunks
                        : (v == 1 && m_families.back().id != m_families.front().id) ||
                              (v > 2 && m_model.dense.layers % (v * c.pipelineParallel) != 0 &&
                               (m_model.dense.layers + 2) % (v * c.pipelineParallel) != 0))
                    continue;
                c.chunks = v;
                withPolicies(c);
            }
            if (m_wish.chunks > std::min(most, mostChunks)) {
                c.chunks = m_wish.chunks;
                withPolicies(c);
            }
        }
    }

    void withPolicies(Configuration c)
    {
        for (const RecomputePolicy policy :
             {RecomputePolicy::None, RecomputePolicy::Selective, RecomputePolicy::Full}) {
            if (m_wish.recompute && policy != *m_wish.recompute)
                continue;
            // A fused attention has nothing that a selective policy could forget.
            if (!m_wish.recompute && policy == RecomputePolicy::Selective &&
                m_model.dense.flashAttention)
                continue;
            c.recompute = policy;
            if (m_wish.evenSplit && c.split.empty() && c.stages() <= m_model.dense.layers)
                c.split = evenLayers(m_model.dense.layers, c.stages());
            withOffload(c);
        }
    }

    void withOffload(Configuration c)
    {
        for (const OffloadPolicy policy : {OffloadPolicy::None, OffloadPolicy::Activations,
                                           OffloadPolicy::All, OffloadPolicy::Shares}) {
            const bool searched = !m_wish.offload && policy != OffloadPolicy::Shares &&
                                  (policy == OffloadPolicy::None || c.pipelineParallel > 1);
            if (!searched && m_wish.offload != policy)
                continue;
            c.offload = policy;
            c.offloadShares =
                policy == OffloadPolicy::Shares ? m_wish.offloadShares : std::vector<double>();
            if (const Result<void> good = check(m_model, m_cluster, c); !good) {
                refuse(good.error(), c.devices() == m_cluster.devices);
                continue;
            }
            m_all.push_back(c);
        }
    }

    /// Of what is refused the first is told; of one that uses all devices, where there is such.
    void refuse(const Error& error, bool allDevices)
    {
        if (m_refusal && (m_refusalOfAll || !allDevices))
            return;
        m_refusal = error;
        m_refusalOfAll = allDevices;
    }
    void refuseChunks(const PlannedFamily& family)
    {
        if (m_wish.family.empty())
            return;
        const std::string chunks = countText(family.chunks, "chunk");
        refuse({ErrorCode::BadValue, std::string(family.id) + " has " + chunks +
                                         " on every device, not " + std::to_string(m_wish.chunks) +
                                         "; --chunks " + std::to_string(family.chunks) +
                                         " would do"},
               false);
    }

    const LanguageModel& m_model;
    const Cluster& m_cluster;
    const Wish& m_wish;
    std::vector<PlannedFamily> m_families;
    std::vector<Configuration> m_all;
    std::optional<Error> m_refusal;
    bool m_refusalOfAll = false;
};

} // namespace

void setUsualTraining(Wish& wish, const LanguageModel& model)
{
    const bool today = !model.dense.dropout && model.dense.flashAttention;
    wish.zero = today || model.dense.distributedOptimizer ? 1 : 0;
    wish.sequenceParallel = today || model.dense.sequenceParallel;
    wish.overlapReduction = today;
    wish.overlapTensor = today || model.dense.overlapTensor;
    wish.fusedAccumulation = today || model.dense.fusedAccumulation;
}

Result<std::vector<Configuration>> candidatesOf(const LanguageModel& model, const Cluster& cluster,
                                                const Wish& wish)
{
    PW_DO(checkShape(model));
    if (!wish.family.empty()) {
        PW_DO(findFamily(wish.family));
    }
    return CandidateList(model, cluster, wish).all();
}

} // namespace pw::plan
