// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/cluster.h"

#include <algorithm>

namespace pw::plan {

Cluster clusterOfGroups(std::vector<Cluster> groups)
{
    Cluster all = groups.front();
    if (groups.size() == 1)
        return all;
    all.devices = 0;
    for (const Cluster& group : groups)
        all.devices += group.devices;
    all.groups = std::move(groups);
    return all;
}

std::vector<const Cluster*> kindsOf(const Cluster& cluster)
{
    std::vector<const Cluster*> kinds;
    for (const Cluster& group : cluster.groups)
        kinds.push_back(&group);
    if (kinds.empty())
        kinds.push_back(&cluster);
    return kinds;
}

std::size_t kindOfDevice(const Cluster& cluster, int device)
{
    std::size_t kind = 0;
    while (kind + 1 < cluster.groups.size() && device >= cluster.groups[kind].devices)
        device -= cluster.groups[kind++].devices;
    return kind;
}

int nodeOfDevice(const Cluster& cluster, int device)
{
    int nodes = 0;
    const std::vector<const Cluster*> kinds = kindsOf(cluster);
    std::size_t kind = 0;
    for (; kind + 1 < kinds.size() && device >= kinds[kind]->devices; ++kind) {
        const int perNode = kinds[kind]->device.devicesPerNode;
        nodes += (kinds[kind]->devices + perNode - 1) / perNode;
        device -= kinds[kind]->devices;
    }
    return nodes + device / kinds[kind]->device.devicesPerNode;
}

double mostUsableMemory(const Cluster& cluster)
{
    double most = 0;
    for (const Cluster* kind : kindsOf(cluster))
        most = std::max(most, kind->usableMemory());
    return most;
}

double peakFlopsOf(const Cluster& cluster)
{
    double sum = 0;
    for (const Cluster* kind : kindsOf(cluster))
        sum += kind->devices * kind->device.peakFlops;
    return sum;
}

std::string clusterText(const Cluster& cluster)
{
    std::string text;
    for (const Cluster* kind : kindsOf(cluster))
        text += (text.empty() ? "" : " and ") + std::to_string(kind->devices) + " × " +
                std::string(kind->device.title) + " in nodes of " +
                std::to_string(kind->device.devicesPerNode);
    return text;
}

} // namespace pw::plan
