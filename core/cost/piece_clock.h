// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/layer_time.h"

namespace pw::plan {

/// Adds up the kernels of a piece of the model; what they are for is known by the caller.
class PieceClock
{
public:
    PieceClock(const LanguageModel& model, const Configuration& configuration,
               const Cluster& cluster);

    /// A product with weights of a layer, tokens×k by k×n: once forward, once for either gradient.
    void product(double n, double k) { productOf(tokens, n, k); }
    /// The same for some rows, `batch` times; narrow numbers are made from the input before it, and
    /// from its gradient after it, for the two products that read each.
    void productOf(double rows, double n, double k, double batch = 1);
    /// The same without kernels that make narrow numbers.
    void groupedProduct(double rows, double n, double k, double batch)
    {
        productIn(m_layer, rows, n, k, batch);
    }
    /// One that stays in 16 bits where the layers' are narrower.
    void wideProduct(double n, double k) { productIn(m_wide, tokens, n, k, 1); }
    /// What a backward does for `weights` weights whatever the tokens: their gradients of this
    /// micro-batch are read and added to the sum of those before, which is read and written.
    void accumulation(double weights);
    /// Element-wise kernels that read and write `bytes` forward, and half as much again backward.
    void traffic(double bytes, int count);
    void attention(double forward, double backward, int count);
    void kernels(double forward, double backward, double weight);
    /// A sum over the tensor group of a tensor of the model's width, forward and backward.
    void tensorSum(double width);
    /// The host reads what the forward has found so far: it starts none of the kernels behind this
    /// before those ahead of it are done. Replayed passes do not wait.
    void waitForHost();

    PieceTime& time() { return m_time; }
    const ProductNumbers& wide() const { return m_wide; }

    /// The passes of all slices, with the host's part: it starts kernels while earlier ones work,
    /// so that only small ones wait for it.
    PieceTime finish();

private:
    /// Work of a pass up to where the host waits, or its end.
    struct Stretch
    {
        PassParts parts;
        double kernels = 0;
    };

    void productIn(const ProductNumbers& numbers, double rows, double n, double k, double batch);
    void hidePart(PassParts& parts, double part) const;
    double hostSeconds(double work, double kernels) const;
    PassParts withHost(Stretch stretch) const;

    const LanguageModel& m_model;
    const Cluster& m_cluster;
    Group m_tensor;
    bool m_sequenceParallel;
    bool m_overlapTensor;
    bool m_fusedAccumulation;
    const PrecisionTraits& m_traits;
    ProductNumbers m_layer; ///< of products with weights of a layer
    ProductNumbers m_wide;  ///< of those beside them
    PieceTime m_time;
    Stretch m_before; ///< of the forward, up to where the host waited
    double m_forward = 0, m_backward = 0, m_weight = 0;

public:
    const double t;
    const double element; ///< bytes of an activation
    const double slices;  ///< of a sequence, each with its kernels
    const double tokens;  ///< of one of them
};

} // namespace pw::plan
