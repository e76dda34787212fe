// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/costs.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// An accelerator as its maker describes it.
struct Accelerator
{
    std::string_view name;  ///< as typed: `h100`
    std::string_view title; ///< "NVIDIA H100 SXM 80 GB"
    double peakFlops = 0;   ///< FLOP/s of dense products in 16-bit floating point
    /// The same in other precisions; 0: it has no such products.
    double fp32Flops = 0, tf32Flops = 0, fp8Flops = 0, fp4Flops = 0;
    double peakBandwidth = 0;   ///< byte/s of the memory
    double memory = 0;          ///< bytes
    double reserved = 0;        ///< bytes of them that context, libraries and communicators take
    int units = 1;              ///< multiprocessors: products run in waves of as many tiles
    double insideBandwidth = 0; ///< byte/s of a device to its node, one direction
    double nodeBandwidth = 0;   ///< byte/s of a node to the others, one direction
    int devicesPerNode = 8;
    std::string_view source;
    int nodePorts = 8; ///< of a node's network: one device alone has one of them
    /// byte/s between a device and its host's memory, one direction, as the data sheet has it.
    double hostBandwidth = Offload::usualLink;
    int hostSharers = 1; ///< devices behind one link to the host, which take turns
    std::string_view hostSource = "PCI Express 5.0 with 16 lanes: 64 GB/s a direction";

    friend bool operator==(const Accelerator&, const Accelerator&) = default;
};

/// Those of clusters, the A100 first, and a laptop's processor.
const std::vector<Accelerator>& accelerators();

/// Their names, joined by commas.
std::string acceleratorNames();

/// The accelerator of a name.
/// @error BadValue  lists the names
Result<Accelerator> findAccelerator(std::string_view name);

} // namespace pw
