// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/constants.h"

namespace pw::plan {

namespace {

constexpr std::array<ConstantInfo, constantCount> planConstantInfos = {{
    {"matrix_rate", "", "part of the peak that a large matrix product reaches", 0.78, 0.3, 0.2, 1},
    {"matrix_start", "", "inner columns whose time a tile costs beside its own", 60, 1, 1, 2000},
    {"memory_rate", "", "part of the memory bandwidth that element-wise kernels reach", 0.7, 0.25,
     0.1, 1},
    {"launch_time", "s", "time of the host for a kernel", 40e-6, 0.3, 1e-6, 1e-4},
    {"inside_rate", "", "part of the links inside a node that a collective reaches", 0.78, 0.1,
     0.05, 1},
    {"partial_rate", "", "part of that for a group of half a node", 0.8, 0.25, 0.2, 1},
    {"inside_latency", "s", "time of a step of a ring inside a node beside its bytes", 5e-6, 0.7,
     5e-7, 1e-4},
    {"outside_rate", "", "part of a node's network that a tensor collective reaches", 0.9, 0.1,
     0.05, 1},
    {"reduce_rate", "", "part of a node's network that the sum of gradients reaches", 0.8, 0.2,
     0.05, 1},
    {"outside_latency", "s", "time of a step of a ring over nodes beside its bytes", 1e-5, 0.7,
     1e-6, 1e-3},
    {"hop_rate", "", "part of the link that a message between stages reaches", 0.85, 0.3, 0.02, 1},
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
    // What `pipewright fit --measured` found for runs of three models on 64 to 512 A100.
    Constants constants;
    constants.values = {0.8107, 56.04,  0.7225,   4.134e-5, 0.8142,   0.5165,  5.454e-6,
                        0.9494, 0.7412, 7.163e-6, 0.8766,   9.904e-5, 1.052e-2};
    constants.rows = 88;
    constants.spread = 0.212;
    return constants;
}

Constants oneNodeConstants()
{
    // The same for runs on 2 to 8 A100 of one node; what lies between nodes is as usual.
    Constants constants;
    constants.values = {0.7805, 58.84,  0.7768,   4.759e-5, 0.7894,   0.9123,  1.659e-5,
                        0.9,    0.8533, 9.974e-6, 0.8499,   1.010e-4, 3.014e-3};
    constants.rows = 720;
    constants.spread = 0.133;
    return constants;
}

namespace {

/// What `pipewright fit --measured tests/data/measured/b200-llama70b.csv --hardware b200
/// --overlap-tensor no` writes.
Constants b200Constants()
{
    Constants constants;
    constants.values = {0.4652, 65.54, 0.6781, 5.536e-5, 0.7674,   0.8113,  1.011e-5,
                        0.9,    0.8,   1e-5,   0.8501,   9.867e-5, 1.529e-2};
    constants.rows = 12;
    constants.spread = 0.1;
    return constants;
}

/// Assumed: BLAS with all cores warm reaches 44 % of the peak, devices are threads of one process.
Constants laptopConstants()
{
    Constants constants;
    constants.values = {0.44, 8, 0.49, 2e-6, 0.5, 0.8, 2e-6, 0.88, 0.88, 1e-4, 1, 2e-6, 1e-3};
    return constants;
}

/// Constants of another machine.
Constants borrowed(Constants constants)
{
    constants.rows = 0;
    constants.spread = Constants::unfittedSpread;
    return constants;
}

} // namespace

Constants constantsFor(std::string_view accelerator, bool oneNode)
{
    if (accelerator == "a100")
        return oneNode ? oneNodeConstants() : fittedConstants();
    if (accelerator == "b200")
        return b200Constants();
    // The same processor, two to a host.
    if (accelerator == "gb200")
        return borrowed(b200Constants());
    if (accelerator == "laptop-cpu")
        return laptopConstants();
    Constants constants = borrowed(fittedConstants());
    constants[Constant::PartialRate] = usualConstants()[Constant::PartialRate];
    return constants;
}

} // namespace pw::plan
