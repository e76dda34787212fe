// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/constants.h"

namespace pw::plan {

namespace {

constexpr std::array<ConstantInfo, constantCount> planConstantInfos = {{
    {"matrix_rate", "", "part of the peak that a large matrix product reaches", 0.78, 0.08, 0.3, 1},
    {"matrix_start", "", "inner columns whose time a tile costs beside its own", 150, 0.7, 1, 2000},
    {"memory_rate", "", "part of the memory bandwidth that element-wise kernels reach", 0.7, 0.25,
     0.1, 1},
    {"launch_time", "s", "time of the host for a kernel", 40e-6, 0.3, 1e-6, 1e-4},
    {"inside_rate", "", "part of the links inside a node that a collective reaches", 0.78, 0.1,
     0.05, 1},
    {"partial_rate", "", "part of that where the group is some of a node's devices", 0.8, 0.25, 0.2,
     1},
    {"inside_latency", "s", "time of a step of a ring inside a node beside its bytes", 5e-6, 0.7,
     5e-7, 1e-4},
    {"outside_rate", "", "part of a node's network that a tensor collective reaches", 0.9, 0.1,
     0.05, 1},
    {"reduce_rate", "", "part of a node's network that the sum of gradients reaches", 0.6, 0.3,
     0.05, 1},
    {"outside_latency", "s", "time of a step of a ring over nodes beside its bytes", 1e-5, 0.7,
     1e-6, 1e-3},
    {"hop_rate", "", "part of the link that a message between stages reaches", 0.5, 0.4, 0.02, 1},
    {"exchange_time", "s", "time that a message between stages keeps its devices busy", 1e-4, 1,
     1e-7, 1e-2},
    {"step_time", "s", "time of an iteration beside all that is counted", 1e-2, 1, 1e-5, 1},
}};

} // namespace

std::span<const ConstantInfo, constantCount> constantInfos()
{
    return planConstantInfos;
}

Constants usualConstants()
{
    Constants constants;
    for (std::size_t i = 0; i < constantCount; ++i)
        constants.values[i] = planConstantInfos[i].usual;
    return constants;
}

Constants fittedConstants()
{
    // What `pipewright fit --measured` writes for runs of three models on 64 to 512 A100.
    Constants constants;
    constants.values = {0.7747, 163.8,  0.8704,   5.808e-5, 0.8492,   0.4551,  5.587e-6,
                        0.9441, 0.6042, 6.389e-6, 0.514,    9.970e-5, 1.067e-2};
    return constants;
}

Constants oneNodeConstants()
{
    // The same for runs on 2 to 8 A100 of one node; what lies between nodes is as usual.
    Constants constants;
    constants.values = {0.7788, 129.8,  0.8060,   4.796e-5, 0.8132,   0.9885,  2.203e-5,
                        0.9,    0.7948, 9.952e-6, 0.4985,   1.206e-4, 2.513e-3};
    return constants;
}

Constants constantsFor(std::string_view accelerator, bool oneNode)
{
    if (accelerator == "a100")
        return oneNode ? oneNodeConstants() : fittedConstants();
    Constants constants = fittedConstants();
    constants[Constant::PartialRate] = usualConstants()[Constant::PartialRate];
    return constants;
}

} // namespace pw::plan
