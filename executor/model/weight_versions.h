// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/ops.h"
#include "executor/model/parameters.h"

#include <cstdint>
#include <map>
#include <vector>

namespace pw::exec {

/// One version of a stage's parameters, as passes read them.
class WeightView
{
public:
    WeightView(const std::vector<ParameterInfo>& parameters, const std::vector<Bytes>& offsets,
               void* data)
        : m_parameters(&parameters)
        , m_offsets(&offsets)
        , m_data(static_cast<std::byte*>(data))
    {
    }

    /// @pre the parameter is a matrix
    Matrix matrix(std::size_t parameter) const
    {
        const ParameterInfo& info = (*m_parameters)[parameter];
        return {at(parameter), info.rows, info.columns, info.columns};
    }
    /// @pre the parameter is not a matrix
    FloatMatrix vector(std::size_t parameter) const
    {
        const ParameterInfo& info = (*m_parameters)[parameter];
        return {static_cast<float*>(at(parameter)), info.rows, info.columns};
    }

private:
    void* at(std::size_t parameter) const { return m_data + (*m_offsets)[parameter]; }

    const std::vector<ParameterInfo>* m_parameters;
    const std::vector<Bytes>* m_offsets;
    std::byte* m_data;
};

/// Weight gradients of a stage, one tensor a parameter.
class GradientView
{
public:
    GradientView(const std::vector<ParameterInfo>& parameters, float* data)
        : m_parameters(&parameters)
        , m_data(data)
    {
    }

    FloatMatrix operator[](std::size_t parameter) const
    {
        const ParameterInfo& info = (*m_parameters)[parameter];
        return {m_data + info.offset, info.rows, info.columns};
    }
    float* data() const { return m_data; }

private:
    const std::vector<ParameterInfo>* m_parameters;
    float* m_data;
};

/// The parameters of one hosted stage: newest values, older versions while somebody reads them,
/// gradients by update, and the optimizer's states.
class WeightVersions
{
public:
    /// Takes the memory and sets the first weights, or those that the training has come to. With
    /// a sharded optimizer this copy's shard is that of its route.
    WeightVersions(Ops& ops, const RunPlan& plan, HostedStage stage);
    /// The copy of route 0.
    WeightVersions(Ops& ops, const RunPlan& plan, StageId stage)
        : WeightVersions(ops, plan, HostedStage{0, stage})
    {
    }

    const std::vector<ParameterInfo>& parameters() const { return m_parameters; }
    std::int64_t count() const { return m_count; }
    Bytes floatBytes() const { return m_count * static_cast<Bytes>(sizeof(float)); }

    /// The newest weights become version 0.
    /// @param readers  cells that will read each version
    void beginIteration(std::vector<int> readers);
    /// @pre the version is still there: `readers` counted whoever asks
    WeightView read(int version);
    /// A cell needs its version no more; the last one frees it, unless it is the newest.
    void doneReading(int version);

    /// Sums of an update; zero where nothing was added yet.
    GradientView gradients(int update);

    /// Makes the next version from the newest and an update's gradients, and clears these.
    void update(int update);
    /// Updates of the stage since the run began.
    int updates() const { return m_updates; }

    /// The weights themselves, in floats; `weightsChanged` after writing there.
    float* weights() { return m_count > 0 ? master() : nullptr; }
    void weightsChanged() { convert(); }

    double gradientSquares(int update);
    /// The next update takes its gradients times this.
    void scaleNext(double factor) { m_nextFactor = factor; }
    /// Until `settled` the next updates can be taken back, and keep their gradients.
    void keepForRollback();
    /// Takes the last update back and does it again with scaled gradients.
    void rollBack(int update, double factor);
    void settled(int update);

    std::vector<float> downloadParameters();
    std::vector<float> downloadGradients(int update);
    std::vector<float> downloadStates();
    /// Puts in what the downloads of another run of the same training gave.
    void continueFrom(const std::vector<float>& parameters, const std::vector<float>& states,
                      int updates);

private:
    void setFirstWeights(const RunPlan& plan);
    /// Writes the version that passes read from the master parameters.
    void convert();
    void keepNewest();
    void scaleGradients(int update, double factor);
    void step(int update);
    void dropGradients(int update);
    float* master() { return static_cast<float*>((m_master ? m_master : m_newest).data()); }

    Ops& m_ops;
    Optimizer m_optimizer;
    Element m_element;
    std::vector<ParameterInfo> m_parameters;
    std::vector<ParameterStretch> m_stretches;
    std::vector<Bytes> m_offsets; ///< of each parameter in a version
    std::int64_t m_count;
    std::int64_t m_shardBegin = 0; ///< parameters that the optimizer updates here
    std::int64_t m_shardEnd = 0;

    Buffer m_keptWeights; ///< before the last update, where it may be taken back
    Buffer m_keptStates;
    bool m_keeps = false;
    double m_nextFactor = 1;

    Buffer m_newest; ///< the newest version; the master parameters themselves where elements are
                     ///< floats
    Buffer m_master; ///< else
    Buffer m_states;
    int m_newestVersion = 0;
    std::map<int, Buffer> m_older;
    std::vector<int> m_readers;

    std::map<int, Buffer> m_gradients; ///< by update
    Buffer m_spareGradients;           ///< zero
    int m_updates = 0;
};

} // namespace pw::exec
