// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/assert.h"
#include "executor/model/micro_batch_text.h"
#include "executor/model/parameters.h"
#include "executor/model/reference_muon.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

// The truth must not share a mistake with the stages, so it has nothing of theirs: parameters are
// found by name, every value is a tensor of its own, a micro-batch is one piece.
// One file: what is held against everything else must be read from top to end.

namespace pw::exec {

namespace {

/// A matrix with memory of its own.
struct Tensor
{
    Tensor() = default;
    Tensor(Ops& ops, std::int64_t rows, std::int64_t columns)
        : memory(ops, rows * columns * ops.elementBytes(), MemoryUse::Workspace)
        , matrix{memory.data(), rows, columns, columns}
    {
    }

    Buffer memory;
    Matrix matrix;
};

/// The same of floats.
struct FloatTensor
{
    FloatTensor() = default;
    FloatTensor(Ops& ops, std::int64_t rows, std::int64_t columns)
        : memory(ops, rows * columns * static_cast<Bytes>(sizeof(float)), MemoryUse::Workspace)
        , matrix{static_cast<float*>(memory.data()), rows, columns}
    {
        ops.zero(memory.data(), memory.bytes());
    }

    Buffer memory;
    FloatMatrix matrix;
};

/// A parameter with everything that belongs to it.
struct Parameter
{
    ParameterInfo info;
    int stage = 0;
    FloatTensor value;
    FloatTensor gradient;
    FloatTensor states[2];
    std::vector<double> before;     ///< the step before, where a delay is corrected
    std::map<int, Buffer> versions; ///< as they are read: elements, or floats

    Matrix matrix(int version) const
    {
        return {versions.at(version).data(), info.rows, info.columns, info.columns};
    }
    FloatMatrix vector(int version) const
    {
        return {static_cast<float*>(versions.at(version).data()), info.rows, info.columns};
    }
};

/// A layer norm's values.
struct Norm
{
    Tensor normal;
    FloatTensor inverse;
    Tensor out;
};

/// What the backward of a layer reads.
struct LayerValues
{
    Norm norm1;
    Tensor query, keyValue, probabilities, attended;
    Norm norm2;
    Tensor wide, activated;
};

class Reference
{
public:
    Reference(const RunPlan& plan, Ops& ops);
    ReferenceRun run();

private:
    void addParameters(int stage);
    void beginIteration();
    double trainMicroBatch(int iteration, int microBatch);
    void update(int update, ReferenceRun& result);
    void step(Parameter& parameter, bool late);
    std::vector<float> download(const FloatTensor& tensor);
    void clip();
    StageSnapshot snapshot(int stage);
    Buffer versionNow(const Parameter& parameter);
    void dropVersions(int microBatch);

    Parameter& find(const std::string& name) { return m_parameters.at(m_places.at(name)); }
    int versionOf(const Parameter& parameter) const
    {
        return m_plan.schedule.weightVersion(StageId(parameter.stage), m_microBatch);
    }
    Matrix matrix(const std::string& name)
    {
        const Parameter& parameter = find(name);
        return parameter.matrix(versionOf(parameter));
    }
    FloatMatrix vector(const std::string& name)
    {
        const Parameter& parameter = find(name);
        return parameter.vector(versionOf(parameter));
    }

    Tensor make(std::int64_t columns) { return {m_ops, m_rows, columns}; }
    /// x · weights and, where there is one of the name, the bias
    Tensor linear(const Tensor& x, const std::string& name);
    Tensor linearBackward(const Tensor& x, const Tensor& gradient, const std::string& name);
    /// Values stand behind the keys.
    Matrix valuesOf(const Tensor& keyValue) const;
    Norm norm(const Tensor& x, const std::string& name);
    /// residual + the gradient of the norm's input
    Tensor normBackward(const Norm& values, const Tensor& gradient, const Tensor* residual,
                        const std::string& name);
    Tensor sum(const Tensor& a, const Tensor& b);
    Attention attention() const;
    LayerValues layer(Tensor& stream, const std::string& name);
    void layerBackward(LayerValues& values, Tensor& gradient, const std::string& name);

    const RunPlan& m_plan;
    const PipelineSpec& m_spec;
    const GptModel& m_model;
    Ops& m_ops;
    std::int64_t m_rows;
    std::vector<int> m_keys;
    std::vector<Parameter> m_parameters;
    std::map<std::string, std::size_t> m_places;
    int m_microBatch = 0; ///< of the iteration
    int m_updates = 0;
};

Reference::Reference(const RunPlan& plan, Ops& ops)
    : m_plan(plan)
    , m_spec(plan.schedule.spec())
    , m_model(plan.model)
    , m_ops(ops)
    , m_rows(plan.model.tokens())
    , m_keys{plan.model.sequence}
{
    for (const StageId stage : Ids<StageId>(m_spec.stages()))
        addParameters(stage);
}

void Reference::addParameters(int stage)
{
    for (const ParameterInfo& info : parametersOf(m_model, m_plan.split, stage)) {
        Parameter parameter;
        parameter.info = info;
        parameter.stage = stage;
        for (FloatTensor* tensor :
             {&parameter.value, &parameter.gradient, &parameter.states[0], &parameter.states[1]})
            *tensor = FloatTensor(m_ops, info.rows, info.columns);
        std::vector<float> first(static_cast<std::size_t>(info.size()));
        fillFirstWeights(m_model, info, m_plan.seed, 0, first);
        m_ops.upload(parameter.value.memory.data(), first.data(), parameter.value.memory.bytes());
        m_places.emplace(info.name, m_parameters.size());
        m_parameters.push_back(std::move(parameter));
    }
}

Buffer Reference::versionNow(const Parameter& parameter)
{
    const bool floats = !parameter.info.matrix || m_model.element == Element::Float32;
    const Bytes width = floats ? static_cast<Bytes>(sizeof(float)) : m_ops.elementBytes();
    Buffer version(m_ops, parameter.info.size() * width, MemoryUse::Workspace);
    const std::int64_t columns = parameter.info.columns;
    if (floats)
        m_ops.copy(version.data(), parameter.value.memory.data(), version.bytes());
    else
        m_ops.fromFloat(parameter.value.matrix,
                        {version.data(), parameter.info.rows, columns, columns});
    return version;
}

void Reference::beginIteration()
{
    for (Parameter& parameter : m_parameters) {
        parameter.versions.clear();
        parameter.versions.emplace(0, versionNow(parameter));
    }
}

/// Drops what no micro-batch from this one on reads; the newest stays.
void Reference::dropVersions(int microBatch)
{
    for (Parameter& parameter : m_parameters) {
        const int newest = parameter.versions.rbegin()->first;
        int oldest = newest;
        for (int j = microBatch; j < m_spec.totalMicroBatches(); ++j)
            oldest = std::min(oldest, m_plan.schedule.weightVersion(StageId(parameter.stage), j));
        parameter.versions.erase(parameter.versions.begin(),
                                 parameter.versions.lower_bound(oldest));
    }
}

ReferenceRun Reference::run()
{
    ReferenceRun result;
    for (int iteration = -m_plan.warmup; iteration < m_plan.iterations; ++iteration) {
        beginIteration();
        double loss = 0;
        for (int j = 0; j < m_spec.totalMicroBatches(); ++j) {
            dropVersions(j);
            loss += trainMicroBatch(iteration, j);
            const int updateNumber = m_spec.updateOf(j);
            const bool end = j + 1 == m_spec.totalMicroBatches();
            if (end || m_spec.updateOf(j + 1) != updateNumber)
                update(updateNumber, result);
            if ((j + 1) % m_spec.microBatches == 0) {
                result.losses.push_back(loss / m_spec.microBatches);
                loss = 0;
            }
        }
    }
    return result;
}

StageSnapshot Reference::snapshot(int stage)
{
    StageSnapshot seen;
    seen.stage = {0, StageId(stage)};
    seen.update = m_updates - 1;
    for (const Parameter& parameter : m_parameters) {
        if (parameter.stage != stage)
            continue;
        std::vector<float> values(static_cast<std::size_t>(parameter.info.size()));
        for (auto& [from, to] : {std::pair(&parameter.value, &seen.parameters),
                                 std::pair(&parameter.gradient, &seen.gradients)}) {
            m_ops.download(values.data(), from->memory.data(), from->memory.bytes());
            to->insert(to->end(), values.begin(), values.end());
        }
    }
    return seen;
}

/// Scales all gradients down to the norm that the optimizer allows.
void Reference::clip()
{
    const double limit = m_plan.optimizer.clipNorm;
    if (limit <= 0)
        return;
    double squares = 0;
    for (Parameter& parameter : m_parameters) {
        for (const float value : download(parameter.gradient))
            squares += static_cast<double>(value) * static_cast<double>(value);
    }
    const double norm = std::sqrt(squares);
    if (norm <= limit)
        return;
    for (Parameter& parameter : m_parameters) {
        std::vector<float> values = download(parameter.gradient);
        for (float& value : values)
            value = static_cast<float>(static_cast<double>(value) * (limit / norm));
        m_ops.upload(parameter.gradient.memory.data(), values.data(),
                     parameter.gradient.memory.bytes());
    }
}

std::vector<float> Reference::download(const FloatTensor& tensor)
{
    std::vector<float> values(static_cast<std::size_t>(tensor.matrix.size()));
    m_ops.download(values.data(), tensor.memory.data(), tensor.memory.bytes());
    return values;
}

/// One parameter's step of the optimizer. @param late  its gradient is one step old
void Reference::step(Parameter& parameter, bool late)
{
    const Optimizer& optimizer = m_plan.optimizer;
    const std::vector<float> old = download(parameter.value);
    if (optimizer.kind == OptimizerKind::Muon && parameter.info.ofLayer) {
        MuonNumbers numbers{parameter.info.rows, parameter.info.columns, old,
                            download(parameter.gradient), download(parameter.states[0])};
        referenceMuonStep(optimizer, numbers);
        m_ops.upload(parameter.value.memory.data(), numbers.values.data(),
                     parameter.value.memory.bytes());
        m_ops.upload(parameter.states[0].memory.data(), numbers.momentum.data(),
                     parameter.states[0].memory.bytes());
    } else {
        m_ops.update(optimizer, m_updates, parameter.info.size(), parameter.info.matrix,
                     parameter.value.matrix.data, parameter.gradient.matrix.data,
                     parameter.states[0].matrix.data, parameter.states[1].matrix.data);
    }
    if (optimizer.delayCorrection <= 0)
        return;
    std::vector<float> values = download(parameter.value);
    parameter.before.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double taken = static_cast<double>(values[i]) - static_cast<double>(old[i]);
        if (late)
            values[i] =
                static_cast<float>(static_cast<double>(old[i]) + taken +
                                   optimizer.delayCorrection * (taken - parameter.before[i]));
        parameter.before[i] = taken;
    }
    m_ops.upload(parameter.value.memory.data(), values.data(), parameter.value.memory.bytes());
}

void Reference::update(int update, ReferenceRun& result)
{
    ++m_updates;
    for (const StageId stage : Ids<StageId>(m_spec.stages()))
        result.snapshots.push_back(snapshot(stage));
    clip();
    for (Parameter& parameter : m_parameters) {
        step(parameter, update > 0);
        m_ops.zero(parameter.gradient.memory.data(), parameter.gradient.memory.bytes());
        parameter.versions.insert_or_assign(update + 1, versionNow(parameter));
    }
}

Tensor Reference::linear(const Tensor& x, const std::string& name)
{
    const Matrix weight = matrix(name);
    Tensor y = make(weight.columns);
    m_ops.multiply(x.matrix, Transpose::No, weight, Transpose::No, y.matrix);
    if (m_places.count(name + " bias") > 0)
        m_ops.addBias(y.matrix, vector(name + " bias"));
    return y;
}

Tensor Reference::linearBackward(const Tensor& x, const Tensor& gradient, const std::string& name)
{
    m_ops.multiplyAdd(x.matrix, Transpose::Yes, gradient.matrix, Transpose::No,
                      find(name).gradient.matrix);
    if (m_places.count(name + " bias") > 0)
        m_ops.addRowSums(gradient.matrix, find(name + " bias").gradient.matrix);
    Tensor below = make(x.matrix.columns);
    m_ops.multiply(gradient.matrix, Transpose::No, matrix(name), Transpose::Yes, below.matrix);
    return below;
}

Norm Reference::norm(const Tensor& x, const std::string& name)
{
    Norm values{make(m_model.hidden), FloatTensor(m_ops, 1, m_rows), make(m_model.hidden)};
    m_ops.normalize(x.matrix, values.normal.matrix, values.inverse.matrix);
    m_ops.affine(values.normal.matrix, vector(name + " scale"), vector(name + " shift"),
                 values.out.matrix);
    return values;
}

Tensor Reference::normBackward(const Norm& values, const Tensor& gradient, const Tensor* residual,
                               const std::string& name)
{
    m_ops.addAffineGradients(gradient.matrix, values.normal.matrix,
                             find(name + " scale").gradient.matrix,
                             find(name + " shift").gradient.matrix);
    Tensor below = make(m_model.hidden);
    m_ops.normalizeBackward(gradient.matrix, values.normal.matrix, values.inverse.matrix,
                            vector(name + " scale"),
                            residual == nullptr ? Matrix{} : residual->matrix, below.matrix);
    return below;
}

Tensor Reference::sum(const Tensor& a, const Tensor& b)
{
    Tensor out = make(a.matrix.columns);
    m_ops.add(a.matrix, b.matrix, out.matrix);
    return out;
}

Attention Reference::attention() const
{
    return {.samples = m_model.samples,
            .heads = m_model.heads,
            .headSize = m_model.headSize(),
            .queries = m_model.sequence,
            .keys = m_keys};
}

Matrix Reference::valuesOf(const Tensor& keyValue) const
{
    const Bytes behind = m_model.hidden * m_ops.elementBytes();
    return {static_cast<std::byte*>(keyValue.matrix.data) + behind, m_rows, m_model.hidden,
            keyValue.matrix.stride};
}

LayerValues Reference::layer(Tensor& stream, const std::string& name)
{
    LayerValues values;
    values.norm1 = norm(stream, name + "norm 1");
    values.query = linear(values.norm1.out, name + "queries");
    values.keyValue = linear(values.norm1.out, name + "keys and values");
    m_ops.addBias(valuesOf(values.keyValue), vector(name + "values bias"));
    values.probabilities = Tensor(m_ops, m_rows * m_model.heads, m_model.sequence);
    values.attended = make(m_model.hidden);
    const Matrix keysValues[] = {values.keyValue.matrix};
    m_ops.attention(attention(), values.query.matrix, keysValues, values.probabilities.matrix,
                    values.attended.matrix);
    stream = sum(stream, linear(values.attended, name + "attention out"));
    values.norm2 = norm(stream, name + "norm 2");
    values.wide = linear(values.norm2.out, name + "mlp in");
    values.activated = make(m_model.ffnWidth());
    m_ops.gelu(values.wide.matrix, values.activated.matrix);
    stream = sum(stream, linear(values.activated, name + "mlp out"));
    return values;
}

void Reference::layerBackward(LayerValues& values, Tensor& gradient, const std::string& name)
{
    const Tensor activated = linearBackward(values.activated, gradient, name + "mlp out");
    Tensor wide = make(m_model.ffnWidth());
    m_ops.geluBackward(activated.matrix, values.wide.matrix, wide.matrix);
    const Tensor norm2 = linearBackward(values.norm2.out, wide, name + "mlp in");
    gradient = normBackward(values.norm2, norm2, &gradient, name + "norm 2");

    const Tensor attended = linearBackward(values.attended, gradient, name + "attention out");
    Tensor query = make(m_model.hidden);
    Tensor keyValue = make(2 * m_model.hidden);
    const Matrix keysValues[] = {values.keyValue.matrix};
    m_ops.attentionBackward(attention(), values.query.matrix, keysValues,
                            values.probabilities.matrix, attended.matrix, query.matrix,
                            keyValue.matrix, {});
    m_ops.addRowSums(valuesOf(keyValue), find(name + "values bias").gradient.matrix);
    const Tensor norm1 = sum(linearBackward(values.norm1.out, query, name + "queries"),
                             linearBackward(values.norm1.out, keyValue, name + "keys and values"));
    gradient = normBackward(values.norm1, norm1, &gradient, name + "norm 1");
}

double Reference::trainMicroBatch(int iteration, int microBatch)
{
    m_microBatch = microBatch;
    const TextRows text =
        textRows(m_plan, microBatchNumber(m_plan, iteration, microBatch), 0, m_model.sequence);
    const Bytes textBytes = m_rows * static_cast<Bytes>(sizeof(std::int32_t));
    const Buffer tokenMemory(m_ops, textBytes, MemoryUse::Workspace);
    const Buffer targetMemory(m_ops, textBytes, MemoryUse::Workspace);
    m_ops.upload(tokenMemory.data(), text.tokens.data(), textBytes);
    m_ops.upload(targetMemory.data(), text.targets.data(), textBytes);
    const Tokens tokens{static_cast<const std::int32_t*>(tokenMemory.data()), m_rows};
    const Tokens targets{static_cast<const std::int32_t*>(targetMemory.data()), m_rows};

    auto nameOf = [](int layer) { return "layer " + std::to_string(layer) + ": "; };
    Tensor stream = make(m_model.hidden);
    m_ops.embed(tokens, m_model.sequence, 0, matrix("embedding: tokens"),
                matrix("embedding: positions"), stream.matrix);
    std::vector<LayerValues> layers;
    for (int l = 0; l < m_model.layers; ++l)
        layers.push_back(layer(stream, nameOf(l)));
    const Norm last = norm(stream, "output: norm");
    const Tensor logits = linear(last.out, "output: weights");
    FloatTensor loss(m_ops, 1, 1);
    const int microBatches = m_spec.updateRule == UpdateRule::Stashed ? 1 : m_spec.microBatches;
    const auto scale = static_cast<float>(1.0 / (static_cast<double>(m_rows) * microBatches));
    m_ops.crossEntropy(logits.matrix, targets, scale, loss.matrix.data);

    const Tensor top = linearBackward(last.out, logits, "output: weights");
    Tensor gradient = normBackward(last, top, nullptr, "output: norm");
    for (int l = m_model.layers - 1; l >= 0; --l)
        layerBackward(layers[static_cast<std::size_t>(l)], gradient, nameOf(l));
    m_ops.addEmbeddingGradients(tokens, m_model.sequence, 0, gradient.matrix,
                                find("embedding: tokens").gradient.matrix,
                                find("embedding: positions").gradient.matrix);
    float total = 0;
    m_ops.download(&total, loss.memory.data(), loss.memory.bytes());
    return static_cast<double>(total) / static_cast<double>(m_rows);
}

} // namespace

Optimizer comparableOptimizer()
{
    Optimizer optimizer;
    optimizer.kind = OptimizerKind::AdamW;
    optimizer.epsilon = 1e-2;
    return optimizer;
}

Result<ReferenceRun> trainReference(const RunPlan& plan, Ops& ops)
{
    if (const Result<void> good = check(plan.model); !good)
        return fail(good.error());
    return Reference(plan, ops).run();
}

} // namespace pw::exec
