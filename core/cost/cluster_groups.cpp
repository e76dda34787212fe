// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/display_text.h"
#include "core/base/number.h"
#include "core/base/trim.h"
#include "core/base/try.h"
#include "core/cost/cluster.h"

#include <algorithm>

namespace pw::plan {

namespace {

constexpr std::int64_t mostOfKinds = mostDevices;

/// One kind with its number: "h100:32".
Result<Cluster> parseKind(std::string_view one)
{
    const std::size_t colon = one.find(':');
    PW_TRY(const Accelerator device, findAccelerator(trimmed(one.substr(0, colon))));
    Cluster group;
    group.device = device;
    group.devices = 0;
    if (colon == std::string_view::npos)
        return group;
    const auto count = wholeNumber(trimmed(one.substr(colon + 1)));
    if (!count || *count < 1 || *count > mostOfKinds)
        return fail(ErrorCode::BadValue,
                    "a kind has 1 to %1 accelerators, as in h100:32,a100:32, not %2", mostOfKinds,
                    inQuotes(one));
    group.devices = static_cast<int>(*count);
    return group;
}

} // namespace

Result<std::vector<Cluster>> parseKinds(std::string_view text)
{
    std::vector<Cluster> groups;
    std::int64_t sum = 0;
    for (;;) {
        const std::size_t comma = text.find(',');
        PW_TRY(Cluster group, parseKind(trimmed(text.substr(0, comma))));
        sum += group.devices;
        if (sum > mostOfKinds)
            return fail(ErrorCode::BadValue, "the kinds have more than %1 accelerators together",
                        mostOfKinds);
        groups.push_back(std::move(group));
        if (comma == std::string_view::npos)
            break;
        text.remove_prefix(comma + 1);
    }
    for (const Cluster& group : groups) {
        const std::string name(group.device.name);
        if (groups.size() > 1 && group.devices == 0)
            return fail(ErrorCode::BadValue,
                        "there are several kinds, and no number for %1; %2:8 would be eight", name,
                        name);
    }
    return groups;
}

Constants constantsFor(const Accelerator& device, int devices)
{
    return constantsFor(device.name, devices <= device.devicesPerNode);
}

Cluster shippedCluster(const Accelerator& device, int devices)
{
    return {device, devices, constantsFor(device, devices), {}};
}

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

const Cluster& leastKnownKind(const Cluster& cluster, Precision precision)
{
    const std::vector<const Cluster*> kinds = kindsOf(cluster);
    return **std::max_element(
        kinds.begin(), kinds.end(), [precision](const Cluster* a, const Cluster* b) {
            return a->constants.of(precision).spread < b->constants.of(precision).spread;
        });
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
    const std::vector<Cluster>& kinds = cluster.groups;
    if (kinds.empty())
        return device / cluster.device.devicesPerNode;
    int nodes = 0;
    std::size_t kind = 0;
    for (; kind + 1 < kinds.size() && device >= kinds[kind].devices; ++kind) {
        const int perNode = kinds[kind].device.devicesPerNode;
        nodes += (kinds[kind].devices + perNode - 1) / perNode;
        device -= kinds[kind].devices;
    }
    return nodes + device / kinds[kind].device.devicesPerNode;
}

double mostUsableMemory(const Cluster& cluster)
{
    double most = 0;
    for (const Cluster* kind : kindsOf(cluster))
        most = std::max(most, kind->usableMemory());
    return most;
}

double peakFlopsOf(const Cluster& cluster, Precision precision)
{
    double sum = 0;
    for (const Cluster* kind : kindsOf(cluster))
        sum += kind->devices * productPeak(kind->device, precision);
    return sum;
}

std::string kindsText(const Cluster& cluster)
{
    std::string text;
    for (const Cluster* kind : kindsOf(cluster))
        text += (text.empty() ? "" : " and ") + std::to_string(kind->devices) + " " +
                std::string(kind->device.name);
    return text;
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
