// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/cluster.h"
#include "core/cost/configuration.h"
#include "core/cost/language_model.h"

namespace pw::plan {

/// Seconds of a pass, by what they go into.
struct PassParts
{
    double products = 0;  ///< matrix products with weights
    double attention = 0; ///< scores and values
    double traffic = 0;   ///< element-wise kernels
    double host = 0;      ///< what starting the kernels takes beyond their work
    double tensor = 0;    ///< collectives of tensor and sequence parallelism
    double expert = 0;    ///< tokens to their experts and back
    double context = 0;   ///< keys and values of the other parts of the sequence
    double offload = 0;   ///< copies to the host's memory and back, as far as no pass hides them

    double total() const
    {
        return products + attention + traffic + host + tensor + expert + context + offload;
    }
    PassParts& operator+=(const PassParts& other);
    friend PassParts operator*(double factor, PassParts parts);

    friend bool operator==(const PassParts&, const PassParts&) = default;
};

/// The passes of one micro-batch through one piece of the model, whatever the order that runs them.
struct PieceTime
{
    PassParts forward;
    PassParts backward; ///< for the input, with what is computed again before it
    PassParts weight;
    /// Both backwards as one pass: never longer than the two, for the host is ahead in the one
    /// while the device works at the other, and a sum over the tensor group is hidden under both.
    PassParts joined;

    PieceTime& operator+=(const PieceTime& other);
    friend PieceTime operator+(PieceTime a, const PieceTime& b) { return a += b; }
    friend PieceTime operator*(double factor, const PieceTime& time);
    /// Of a micro-batch whose backward is one pass, or two. @param split  two
    double total(bool split = false) const
    {
        return forward.total() + (split ? backward.total() + weight.total() : joined.total());
    }

    friend bool operator==(const PieceTime&, const PieceTime&) = default;
};

/// One layer. @param experts  whether its MLP is one of experts
PieceTime layerTime(const LanguageModel& model, const Configuration& configuration,
                    const Cluster& cluster, bool experts);

/// The look-up of the embedding and the sum of its gradients.
PieceTime embeddingTime(const LanguageModel& model, const Configuration& configuration,
                        const Cluster& cluster);

/// Last norm, output matrix and loss.
PieceTime outputTime(const LanguageModel& model, const Configuration& configuration,
                     const Cluster& cluster);

} // namespace pw::plan
