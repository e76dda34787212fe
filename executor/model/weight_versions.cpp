// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/weight_versions.h"

#include "core/base/assert.h"
#include "executor/model/optimizer_step.h"

#include <algorithm>
#include <utility>

namespace pw::exec {

namespace {

constexpr Bytes floatSize = sizeof(float);

std::vector<Bytes> versionOffsets(const std::vector<ParameterInfo>& parameters, Element element)
{
    std::vector<Bytes> offsets;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        offsets.push_back(versionBytes({parameters.data(), i + 1}, element) -
                          parameterBytes(parameters[i], element));
    return offsets;
}

} // namespace

WeightVersions::WeightVersions(Ops& ops, const RunPlan& plan, HostedStage stage)
    : m_ops(ops)
    , m_optimizer(plan.optimizer)
    , m_element(plan.model.element)
    , m_parameters(parametersOf(plan.model, plan.split, stage.stage))
    , m_stretches(stretchesOf(m_parameters))
    , m_offsets(versionOffsets(m_parameters, m_element))
    , m_count(parameterCount(m_parameters))
{
    if (m_count == 0)
        return;
    const int shards = plan.shardedOptimizer ? plan.schedule.spec().routeCount() : 1;
    const int shard = plan.shardedOptimizer ? stage.route : 0;
    m_shardBegin = shardStart(m_count, shard, shards);
    m_shardEnd = shardStart(m_count, shard + 1, shards);
    m_newest = Buffer(ops, versionBytes(m_parameters, m_element), MemoryUse::Weights);
    if (m_element != Element::Float32)
        m_master = Buffer(ops, floatBytes(), MemoryUse::Optimizer);
    m_states = Buffer(ops, (m_shardEnd - m_shardBegin) * floatSize * stateCount(m_optimizer),
                      MemoryUse::Optimizer);
    ops.zero(m_states.data(), m_states.bytes());
    m_spareGradients = Buffer(ops, floatBytes(), MemoryUse::Gradients);
    ops.zero(m_spareGradients.data(), m_spareGradients.bytes());
    setFirstWeights(plan);
    convert();
}

void WeightVersions::setFirstWeights(const RunPlan& plan)
{
    // On the device: a host would take minutes for the billions of a large model.
    std::vector<float> same;
    for (const ParameterInfo& parameter : m_parameters) {
        const FirstValues values = firstValuesOf(plan.model, parameter, plan.seed);
        float* const out = master() + parameter.offset;
        if (values.drawn) {
            m_ops.draw(out, parameter.size(), values.key, values.deviation);
        } else {
            same.assign(static_cast<std::size_t>(parameter.size()), values.same);
            m_ops.upload(out, same.data(), parameter.size() * floatSize);
        }
    }
}

void WeightVersions::convert()
{
    if (!m_master)
        return;
    // The same stretches as in the master parameters, matrices narrower.
    auto* const begin = static_cast<std::byte*>(m_newest.data());
    Bytes at = 0;
    for (const ParameterStretch& stretch : m_stretches) {
        at = stretchStart(at, m_element);
        float* from = master() + stretch.offset;
        if (stretch.matrix) {
            m_ops.fromFloat({from, 1, stretch.count},
                            {begin + at, 1, stretch.count, stretch.count});
            at += stretch.count * m_ops.elementBytes();
        } else {
            m_ops.copy(begin + at, from, stretch.count * floatSize);
            at += stretch.count * floatSize;
        }
    }
}

void WeightVersions::beginIteration(std::vector<int> readers)
{
    m_newestVersion = 0;
    m_older.clear();
    m_readers = std::move(readers);
}

WeightView WeightVersions::read(int version)
{
    if (version == m_newestVersion)
        return {m_parameters, m_offsets, m_newest.data()};
    const auto older = m_older.find(version);
    PW_ASSERT(older != m_older.end());
    return {m_parameters, m_offsets, older->second.data()};
}

void WeightVersions::doneReading(int version)
{
    int& readers = m_readers[static_cast<std::size_t>(version)];
    --readers;
    PW_ASSERT(readers >= 0);
    if (readers == 0)
        m_older.erase(version);
}

GradientView WeightVersions::gradients(int update)
{
    const auto found = m_gradients.find(update);
    if (found != m_gradients.end())
        return {m_parameters, static_cast<float*>(found->second.data())};
    Buffer sums = std::move(m_spareGradients);
    if (!sums && m_count > 0) {
        sums = Buffer(m_ops, floatBytes(), MemoryUse::Gradients);
        m_ops.zero(sums.data(), sums.bytes());
    }
    const auto placed = m_gradients.emplace(update, std::move(sums)).first;
    return {m_parameters, static_cast<float*>(placed->second.data())};
}

void WeightVersions::keepNewest()
{
    const auto version = static_cast<std::size_t>(m_newestVersion);
    if (version >= m_readers.size() || m_readers[version] == 0)
        return;
    Buffer kept(m_ops, m_newest.bytes(), MemoryUse::Versions);
    m_ops.copy(kept.data(), m_newest.data(), m_newest.bytes());
    m_older.emplace(m_newestVersion, std::move(kept));
}

void WeightVersions::update(int update)
{
    ++m_updates;
    const double factor = std::exchange(m_nextFactor, 1.0);
    if (m_count == 0)
        return;
    if (factor < 1)
        scaleGradients(update, factor);
    keepNewest();
    ++m_newestVersion;
    if (m_keeps) {
        const auto copied = [this](const void* data, Bytes bytes) {
            Buffer kept(m_ops, bytes, MemoryUse::Versions);
            m_ops.copy(kept.data(), data, bytes);
            return kept;
        };
        m_keptWeights = copied(master(), floatBytes());
        m_keptStates = copied(m_states.data(), m_states.bytes());
    }
    step(update);
    if (!m_keeps)
        dropGradients(update);
}

/// The optimizer's step over this copy's shard.
void WeightVersions::step(int update)
{
    const OptimizerStep step{.optimizer = m_optimizer,
                             .number = m_updates,
                             .late = update > 0, // the first of an iteration reads the newest
                             .parameters = m_parameters,
                             .stretches = m_stretches,
                             .begin = m_shardBegin,
                             .end = m_shardEnd};
    takeStep(m_ops, step, master(), gradients(update).data(), static_cast<float*>(m_states.data()));
    convert();
}

void WeightVersions::dropGradients(int update)
{
    Buffer used = std::move(m_gradients.at(update));
    m_gradients.erase(update);
    m_ops.zero(used.data(), used.bytes());
    if (!m_spareGradients)
        m_spareGradients = std::move(used);
}

double WeightVersions::gradientSquares(int update)
{
    return m_count > 0 ? m_ops.squares(gradients(update).data(), m_count) : 0;
}

void WeightVersions::scaleGradients(int update, double factor)
{
    if (m_count > 0)
        m_ops.scale(gradients(update).data(), factor, m_count);
}

void WeightVersions::keepForRollback()
{
    m_keeps = true;
}

void WeightVersions::rollBack(int update, double factor)
{
    if (m_count == 0)
        return;
    m_ops.copy(master(), m_keptWeights.data(), m_keptWeights.bytes());
    m_ops.copy(m_states.data(), m_keptStates.data(), m_keptStates.bytes());
    scaleGradients(update, factor);
    step(update);
}

void WeightVersions::settled(int update)
{
    m_keeps = false;
    m_keptWeights.reset();
    m_keptStates.reset();
    if (m_count > 0)
        dropGradients(update);
}

std::vector<float> WeightVersions::downloadParameters()
{
    std::vector<float> values(static_cast<std::size_t>(m_count));
    if (m_count > 0)
        m_ops.download(values.data(), master(), floatBytes());
    return values;
}

std::vector<float> WeightVersions::downloadGradients(int update)
{
    std::vector<float> values(static_cast<std::size_t>(m_count));
    if (m_count > 0)
        m_ops.download(values.data(), gradients(update).data(), floatBytes());
    return values;
}

std::vector<float> WeightVersions::downloadStates()
{
    std::vector<float> values(static_cast<std::size_t>(m_states.bytes() / floatSize));
    if (!values.empty())
        m_ops.download(values.data(), m_states.data(), m_states.bytes());
    return values;
}

void WeightVersions::continueFrom(const std::vector<float>& parameters,
                                  const std::vector<float>& states, int updates)
{
    m_updates = updates;
    if (m_count == 0)
        return;
    PW_ASSERT(static_cast<std::int64_t>(parameters.size()) == m_count);
    PW_ASSERT(static_cast<Bytes>(states.size()) * floatSize == m_states.bytes());
    m_ops.upload(master(), parameters.data(), floatBytes());
    m_ops.upload(m_states.data(), states.data(), m_states.bytes());
    convert();
}

} // namespace pw::exec
