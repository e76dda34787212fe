// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/cell.h"
#include "executor/model/weight_versions.h"

#include <span>
#include <vector>

namespace pw::exec {

/// Memory that passes need while they run. What a pass lets go stays until `clear` where passes
/// overlap, since another may still be at work.
class Scratch
{
public:
    explicit Scratch(Ops& ops)
        : m_ops(ops)
    {
    }

    /// A matrix of elements, there until `clear`.
    Matrix matrix(std::int64_t rows, std::int64_t columns);
    /// The same as memory of the caller's own.
    Buffer buffer(std::int64_t rows, std::int64_t columns);
    /// Memory of any kind, there until `clear`.
    void* bytes(Bytes bytes);
    /// Takes memory to free.
    void drop(Buffer buffer);
    void setOverlapping(bool overlapping) { m_overlapping = overlapping; }
    void clear() { m_buffers.clear(); }
    std::vector<Buffer>& buffers() { return m_buffers; }
    bool overlapping() const { return m_overlapping; }

private:
    Ops& m_ops;
    bool m_overlapping = false;
    std::vector<Buffer> m_buffers;
};

/// What the output stage compares with.
struct Target
{
    Tokens tokens;         ///< the next token of every row
    float scale = 1;       ///< of the gradients
    float* loss = nullptr; ///< on the device; losses of all rows are added
};

/// One stage of a GPT: the computations of F, R, B, W and BW on the tensors of a cell.
///
/// Pre-norm blocks on a residual stream. F keeps only what the products and their backwards read;
/// the stream itself is kept at the stage's input. B puts each gradient in the place of what is no
/// longer needed, W finds everything there and rebuilds the gradients of the stream between layers,
/// which takes no product.
class GptStage
{
public:
    GptStage(Ops& ops, const GptModel& model, const StageContent& content);

    /// F and R. What the cell does not keep now is workspace while the pass needs it.
    ///
    /// @param earlier  cells of the same micro-batch's earlier segments, in order
    /// @param out      the stage's output; workspace with the output layer
    /// @param target   with the output layer only
    void forward(Cell& cell, std::span<Cell* const> earlier, const WeightView& weights, Matrix out,
                 const Target* target, Scratch& scratch);

    /// B, or with `gradients` BW. The gradient of the stage's output stands at `input`, but for the
    /// output stage, which makes it.
    ///
    /// @param out  gradient of the stage's input; workspace with the embedding
    void backward(Cell& cell, std::span<Cell* const> earlier, const WeightView& weights, Matrix out,
                  const GradientView* gradients, Scratch& scratch);

    /// W: adds the weight gradients of a cell whose B has run.
    void weight(Cell& cell, const WeightView& weights, const GradientView& gradients,
                Scratch& scratch);

    const StageContent& content() const { return m_content; }

private:
    struct LayerPlace;
    struct BackwardSpace;

    void forwardLayer(const LayerPlace& at, std::span<Cell* const> earlier, Matrix in, Matrix out,
                      Matrix space);
    void forwardOutput(Cell& cell, const WeightView& weights, Matrix in, const Target& target);

    void backwardOutput(Cell& cell, const WeightView& weights);
    void backwardMlp(const LayerPlace& at, Matrix above, Matrix wide);
    void backwardAttention(const LayerPlace& at, std::span<Cell* const> earlier, Matrix middle,
                           BackwardSpace& space);
    void backwardNorm1(const LayerPlace& at, Matrix middle, Matrix out);
    void backwardNorm2(const LayerPlace& at, Matrix above, Matrix out);

    void weightOutput(Cell& cell, const WeightView& weights, const GradientView& gradients,
                      Matrix space);
    void weightMlp(const LayerPlace& at, Matrix above, const GradientView& gradients, Matrix space);
    void weightAttention(const LayerPlace& at, Matrix middle, const GradientView& gradients,
                         Matrix space);
    void weightEmbedding(Cell& cell, Matrix below, const GradientView& gradients);

    std::vector<Matrix> keysValues(const LayerPlace& at, std::span<Cell* const> earlier) const;
    Tokens tokensOf(const Cell& cell) const;

    Ops& m_ops;
    GptModel m_model;
    StageContent m_content;
    ParameterPlaces m_places;
};

} // namespace pw::exec
