// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/cost/accelerator.h"
#include "core/cost/constants.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw::plan {

/// What memory is counted in. A card of 80 GB has 80 GiB, or a little less: its maker counts in
/// powers of two too.
constexpr double gibibyte = 1073741824.0;

/// The most devices that a cluster can have.
constexpr int mostDevices = 1 << 20;

/// Equal devices in equal nodes, with what is known of how they are really used; or several groups
/// of such nodes.
struct Cluster
{
    Accelerator device; ///< of the first group
    int devices = 8;    ///< in all
    Constants constants = fittedConstants();
    std::vector<Cluster> groups =
        {}; ///< of several kinds, each without groups; empty: all are alike

    /// Bytes of a device that a model may have.
    double usableMemory() const { return device.memory - device.reserved; }

    friend bool operator==(const Cluster&, const Cluster&) = default;
};

/// The constants that ship for an accelerator where a cluster has `devices` of all kinds: those of
/// one node if that holds them all, else those of several.
Constants constantsFor(const Accelerator& device, int devices);

/// Devices of one kind, with the constants that ship for as many.
Cluster shippedCluster(const Accelerator& device, int devices);

/// A cluster of groups, in the order in which pipelines go through them. One group is itself.
/// @pre groups is not empty
Cluster clusterOfGroups(std::vector<Cluster> groups);

/// Kinds of accelerators with their numbers, from text: "h100:32,a100:32". One kind alone may have
/// no number; its group then has 0 devices. Blanks around a kind do not count.
/// @error BadValue  a kind that is not known, a number beyond 1 to `mostDevices`, of several
///                  kinds one without a number, more than as many devices together
Result<std::vector<Cluster>> parseKinds(std::string_view text);

/// Groups of a cluster; itself where all devices are alike.
std::vector<const Cluster*> kindsOf(const Cluster& cluster);

/// The group whose times in a precision are least sure.
const Cluster& leastKnownKind(const Cluster& cluster, Precision precision);

/// The group of a device, counted through the groups.
std::size_t kindOfDevice(const Cluster& cluster, int device);

/// The node of a device; groups share none.
int nodeOfDevice(const Cluster& cluster, int device);

/// Most memory that a device of any group has for a model.
double mostUsableMemory(const Cluster& cluster);

/// FLOP/s of all devices' data sheets together.
double peakFlopsOf(const Cluster& cluster, Precision precision = Precision::Bf16);

/// The cluster with something changed of every group.
template<typename Change>
Cluster withEveryKind(Cluster cluster, const Change& change)
{
    if (cluster.groups.empty()) {
        change(cluster);
        return cluster;
    }
    for (Cluster& group : cluster.groups)
        change(group);
    return clusterOfGroups(std::move(cluster.groups));
}

/// "32 h100 and 32 a100".
std::string kindsText(const Cluster& cluster);

/// "32 × NVIDIA H100 SXM 80 GB in nodes of 8", groups joined by "and".
std::string clusterText(const Cluster& cluster);

/// Devices that work together: how many of them, and how many a node holds.
struct Group
{
    int size = 1;
    int perNode = 1; ///< members in a node
    int sharers = 1; ///< groups of the same kind that use a node's network at once

    int nodes() const { return (size + perNode - 1) / perNode; }
    bool crosses() const { return nodes() > 1; }
};

/// The group of `size` devices that stand `stride` apart, in a cluster whose devices fill nodes in
/// order.
Group groupOf(const Cluster& cluster, int size, int stride);

/// Seconds of a sum over a group in which every member gets `bytes` (ring all-reduce).
///
/// @param rate  the constant for the network between nodes
double allReduceSeconds(const Cluster& cluster, const Group& group, double bytes,
                        Constant rate = Constant::OutsideRate);

/// Seconds of gathering, or of summing and scattering, `bytes` in all: half of an all-reduce.
double gatherSeconds(const Cluster& cluster, const Group& group, double bytes,
                     Constant rate = Constant::OutsideRate);

/// Tokens on their way to experts that are spread over a group.
struct ExpertExchange
{
    double tokens = 0; ///< that a member has
    double bytes = 0;  ///< of one
    int perToken = 1;  ///< experts that one is sent to
    int nodes = 0;     ///< nodes that one is sent to at most; 0: any
};

/// Seconds of sending every token to its experts, or back.
///
/// A token crosses to a node once, however many of its experts are there, and goes on from there,
/// once to every device (arXiv:2412.19437 §3.2.2); experts are as often chosen as others.
double exchangeSeconds(const Cluster& cluster, const Group& group, const ExpertExchange& exchange);

/// Seconds of a message of `bytes` between two devices.
///
/// @param senders  devices of a node that send to another at once: as many as stand between two
///                 pipeline ranks, and no more than the node has
double messageSeconds(const Cluster& cluster, bool crossesNodes, double bytes, int senders);

/// What a product reads and writes, and how fast it can be.
struct ProductNumbers
{
    double peakFlops = 0; ///< of a device
    double rate = 1;      ///< part of `matrix_rate` that is reached of that
    double operandBytes = 2;
    double resultBytes = 2;

    friend bool operator==(const ProductNumbers&, const ProductNumbers&) = default;
};

/// Those of a precision on a cluster's device, whose results have `element` bytes.
ProductNumbers productNumbers(const Cluster& cluster, Precision precision, double element = 2);

/// Seconds of a product of matrices, M×K by K×N, `batch` times.
///
/// Tiles of several sizes are tried; the units take them in waves, and the last wave is as long as
/// the others. What a tile costs beside its columns is a time, so that narrow numbers do not make
/// it shorter.
double productSeconds(const Cluster& cluster, const ProductNumbers& numbers, double m, double n,
                      double k, double batch = 1);

/// The same in 16 bits.
double productSeconds(const Cluster& cluster, double m, double n, double k, double batch = 1);

/// byte/s that a device reaches to its host's memory, or back, while those that share its link copy
/// too. Of the data sheet's rate .85 are reached (assumed).
double hostRate(const Cluster& cluster);

/// Seconds of reading and writing `bytes`.
double trafficSeconds(const Cluster& cluster, double bytes);

} // namespace pw::plan
