// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/plan_cluster.h"

#include "app/study_costs.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/plan/measured.h"

#include <algorithm>

namespace pw::app {

Option planCount(const char* name, const char* summary, const char* section, double maximum)
{
    return {.name = name,
            .kind = ValueKind::Whole,
            .placeholder = "N",
            .summary = summary,
            .section = section,
            .minimum = 1,
            .maximum = maximum};
}

namespace {

constexpr const char* planClusterSection = "The cluster";
constexpr double planGigabyte = 1e9;

tl::expected<plan::Constants, Failure> planConstants(const std::string& path)
{
    constexpr std::int64_t mostBytes = 1 << 20;
    PW_TRY(const std::string text, readFile(path, mostBytes));
    const Result<plan::Constants> constants = plan::parseConstants(text);
    if (!constants)
        return wrong(path + ": " + constants.error().message);
    return *constants;
}

/// What options say of an accelerator in the place of its data sheet.
tl::expected<void, Failure> replaceDeviceFields(Accelerator& device, const Arguments& arguments)
{
    device.devicesPerNode = arguments.whole("gpus-per-node", device.devicesPerNode);
    device.nodeBandwidth =
        arguments.number("node-bandwidth", device.nodeBandwidth / planGigabyte) * planGigabyte;
    if (arguments.has("host-link")) {
        device.hostBandwidth = arguments.number("host-link", 0) * planGigabyte;
        device.hostSharers = 1;
    }
    if (!arguments.has(memoryLimitName))
        return {};
    device.memory = arguments.number(memoryLimitName, 0) * plan::gibibyte;
    if (device.memory <= device.reserved)
        return usage("--memory-limit " + arguments.text(memoryLimitName) +
                     " is not more than the " + plainNumber(device.reserved / plan::gibibyte) +
                     " GiB that context and libraries take");
    return {};
}

} // namespace

std::vector<Option> planClusterOptions()
{
    return {{.name = "hardware",
             .kind = ValueKind::Text,
             .placeholder = "NAME",
             .summary = "accelerator (default a100): " + acceleratorNames() +
                        "; several kinds with their numbers: h100:32,a100:32",
             .section = planClusterSection},
            planCount("gpus",
                      "accelerators in all (default: those of the degrees that are given, else 8)",
                      planClusterSection, plan::mostDevices),
            planCount("gpus-per-node", "accelerators of a node (default 8)", planClusterSection,
                      1 << 10),
            {.name = memoryLimitName,
             .kind = ValueKind::Number,
             .placeholder = "GiB",
             .summary = "memory of an accelerator, GiB: 80 for a card of 80 GB (default: its data "
                        "sheet)",
             .section = planClusterSection,
             .minimum = 0.001,
             .maximum = 1e6,
             .formerly = {{"memory"}}},
            {.name = "node-bandwidth",
             .kind = ValueKind::Number,
             .placeholder = "GB/s",
             .summary = "from a node to the others, one direction",
             .section = planClusterSection,
             .minimum = 1e-3,
             .maximum = 1e6},
            {.name = "host-link",
             .kind = ValueKind::Number,
             .placeholder = "GB/s",
             .summary = "rate of a device's link to its host, in either direction (default: its "
                        "data sheet's, shared as in its server)",
             .section = planClusterSection,
             .minimum = 1e-3,
             .maximum = 1e6,
             .formerly = {{"host-bandwidth"}}},
            {.name = "constants",
             .kind = ValueKind::Text,
             .placeholder = "FILE",
             .summary = "constants that costs fit --measured wrote (default: those that ship)",
             .section = planClusterSection}};
}

tl::expected<plan::Cluster, Failure> planCluster(const Arguments& arguments)
{
    Result<std::vector<plan::Cluster>> groups =
        plan::parseKinds(arguments.text("hardware", "a100"));
    if (!groups)
        return usage("--hardware: " + groups.error().message);
    int sum = 0;
    for (const plan::Cluster& group : *groups)
        sum += group.devices;
    if (sum > 0 && arguments.whole("gpus", sum) != sum)
        return usage("--gpus " + arguments.text("gpus") +
                     " is not what --hardware has: " + std::to_string(sum));
    int devices = sum > 0 ? sum : groups->front().device.devicesPerNode;
    if (sum == 0 && arguments.has("tensor-parallel") && arguments.has("pipeline-parallel") &&
        arguments.has("data-parallel")) {
        double product = 1;
        for (const char* degree :
             {"tensor-parallel", "pipeline-parallel", "data-parallel", "context-parallel"})
            product *= arguments.whole(degree, 1);
        devices = static_cast<int>(std::min<double>(product, plan::mostDevices));
    }
    devices = arguments.whole("gpus", devices);
    if (sum == 0)
        groups->front().devices = devices;
    for (plan::Cluster& group : *groups) {
        PW_DO(replaceDeviceFields(group.device, arguments));
        group.constants = plan::constantsFor(group.device, devices);
        if (arguments.has("constants")) {
            PW_TRY(const auto constants, planConstants(arguments.text("constants")));
            group.constants = constants;
        }
    }
    return plan::clusterOfGroups(std::move(*groups));
}

} // namespace pw::app
