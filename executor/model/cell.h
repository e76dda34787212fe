// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/ops.h"
#include "executor/model/training.h"

#include <cstdint>
#include <vector>

namespace pw::exec {

/// What a cell keeps of one layer.
enum class LayerTensor : int
{
    Normal1,          ///< x̂1 = (x − mean) ⁄ σ of the layer's input
    Inverse1,         ///< 1 ⁄ σ, floats
    Affine1,          ///< what the query, key and value products read; after B its gradient
    Query,            ///< after B its gradient
    KeyValue,         ///< after B its gradient
    Probabilities,    ///< of the attention, or the logarithms of their sums; freed by B
    KeyValueGradient, ///< what later segments add; freed by B; none in the last segment
    AttentionOut,
    Normal2,
    Inverse2,
    Affine2, ///< what the MLP reads; after B its gradient
    PreGelu, ///< after B its gradient
    Gelu
};

constexpr int layerTensorCount = 13;

/// What a cell keeps of the output layer.
enum class OutputTensor : int
{
    Normal,
    Inverse,
    Affine, ///< what the output matrix reads; after B its gradient
    Logits  ///< F replaces them by their gradient
};

constexpr int outputTensorCount = 4;

/// One tensor of a cell. Tensors that a stage or segment does not have take no bytes.
struct CellTensor
{
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    Bytes bytes = 0;
    bool stashed = false;       ///< kept from F on where the cell is recomputed
    bool heldForWeight = false; ///< stays from B to W
    bool sum = false;           ///< 0 at first
};

/// The tensors of a cell (stage, micro-batch, segment), and so its bytes: the one place that knows.
class CellLayout
{
public:
    /// @param segmentTokens  tokens of a sample in every segment
    CellLayout(const GptModel& model, const StageContent& content,
               const std::vector<int>& segmentTokens, int segment);

    static constexpr std::size_t tokens = 0; ///< token numbers; only beside the embedding
    static constexpr std::size_t input = 1;  ///< after B the gradient of the stage's output
    std::size_t layer(int layer, LayerTensor which) const
    {
        const int place = 2 + layer * layerTensorCount + static_cast<int>(which);
        return static_cast<std::size_t>(place);
    }
    std::size_t output(OutputTensor which) const
    {
        const int place = 2 + m_layers * layerTensorCount + static_cast<int>(which);
        return static_cast<std::size_t>(place);
    }

    const CellTensor& operator[](std::size_t tensor) const { return m_tensors[tensor]; }
    std::size_t count() const { return m_tensors.size(); }

    int layers() const { return m_layers; }
    std::int64_t rows() const { return m_rows; }
    Bytes inputBytes() const { return m_tensors[input].bytes; }
    /// Tokens of a sample, in this segment and before it.
    int segmentTokens() const { return m_keys.back(); }
    int firstToken() const;
    /// What `Attention::keys` wants.
    const std::vector<int>& keys() const { return m_keys; }
    const Attention& attention() const { return m_attention; }

    Bytes activation() const;
    Bytes stash() const;
    Bytes heldForWeight() const;

    CellLayout(const CellLayout&) = delete;
    CellLayout& operator=(const CellLayout&) = delete;

private:
    void add(std::int64_t rows, std::int64_t columns, Bytes elementBytes, bool stashed, bool held,
             bool sum = false);

    int m_layers;
    std::int64_t m_rows;
    std::vector<int> m_keys;
    Attention m_attention;
    std::vector<CellTensor> m_tensors;
};

/// Memory of one cell, from its F to its W or BW.
class Cell
{
public:
    Cell(Ops& ops, const CellLayout& layout, bool recomputed)
        : m_ops(&ops)
        , m_layout(&layout)
        , m_recomputed(recomputed)
        , m_buffers(layout.count())
    {
    }

    const CellLayout& layout() const { return *m_layout; }
    bool recomputed() const { return m_recomputed; }

    Matrix matrix(std::size_t tensor) const
    {
        const CellTensor& shape = (*m_layout)[tensor];
        return {m_buffers[tensor].data(), shape.rows, shape.columns, shape.columns};
    }
    FloatMatrix floats(std::size_t tensor) const
    {
        const CellTensor& shape = (*m_layout)[tensor];
        return {static_cast<float*>(m_buffers[tensor].data()), shape.rows, shape.columns};
    }
    void* data(std::size_t tensor) const { return m_buffers[tensor].data(); }
    bool has(std::size_t tensor) const { return static_cast<bool>(m_buffers[tensor]); }

    /// Replaces a tensor by memory of the same size, counted as an activation from now on.
    void put(std::size_t tensor, Buffer buffer);
    /// What F takes: everything, or the stash where the cell is recomputed. Sums begin at 0.
    void takeForForward();
    /// What F did not: for R.
    void takeRest();
    /// What is missing of `first` … `last` − 1, as workspace: for F of a recomputed cell.
    void takeForNow(std::size_t first, std::size_t last);
    /// Gives the same back to the caller, who frees it.
    void leave(std::size_t first, std::size_t last, std::vector<Buffer>& out);
    /// After B: frees what W does not need, counts the rest as held for W.
    void holdForWeight();
    /// Takes out all memory that is counted as an activation. @return by tensor; empty where there
    /// is none
    std::vector<Buffer> takeAll();
    /// Puts such memory in.
    void putAll(std::vector<Buffer> buffers);
    /// Puts the memory of `other`, of the same size, in the place of a tensor's, and back.
    void exchange(std::size_t tensor, Buffer& other);

private:
    Ops* m_ops;
    const CellLayout* m_layout;
    bool m_recomputed;
    std::vector<Buffer> m_buffers;
};

} // namespace pw::exec
