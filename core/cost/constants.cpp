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
    {"eight_bit_rate", "", "part of matrix_rate that products of 8 bits reach", 0.85, 0.3, 0.1,
     1.5},
    {"four_bit_rate", "", "part of matrix_rate that products of 4 bits reach", 0.6, 0.3, 0.1, 1.5},
    {"pass_time", "s", "time of the engine for a pass, whatever is in it", 1e-3, 1.5, 0, 1},
    {"host_blend", "", "how far host and device wait for each other, 0 to 1", 1.0 / 3, 1, 0, 1},
}};

/// The host_blend of engines that wait for the device here and there: for the rows of experts, for
/// the norm of a pass, for its messages.
constexpr double waiting = 1.0 / 3;

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
    // What `pipewright costs fit --measured` found for runs of three models on 64 to 512 A100.
    Constants constants;
    constants.values = {0.8107,   56.04,  0.7225, 4.134e-5, 0.8142, 0.5165,
                        5.454e-6, 0.9494, 0.7412, 7.163e-6, 0.8766, 9.904e-5,
                        1.052e-2, 0.85,   0.6,    0,        waiting};
    constants.of(Precision::Bf16) = {88, 0.212};
    return constants;
}

Constants oneNodeConstants()
{
    // The same for runs on 2 to 8 A100 of one node; what lies between nodes is as usual. Their
    // engine starts kernels and looks at nothing: host_blend is 0. The others were found with a
    // host that waits and products of odd width as fast as others; then the launch time alone was
    // fitted anew (47.6 µs before).
    Constants constants;
    constants.values = {0.7805, 58.84,    0.7768, 4.89e-5,  0.7894,   0.9123, 1.659e-5, 0.9,
                        0.8533, 9.974e-6, 0.8499, 1.010e-4, 3.014e-3, 0.85,   0.6};
    constants.of(Precision::Bf16) = {720, 0.129};
    return constants;
}

namespace {

/// From here on: what `bench_plan FOLDER fit NAME` finds from the rows of an accelerator in the
/// folder of measured tables, with a pass_time of .25 ms expected: but for the GH200's, rows do not
/// tell it from lower rates, and one digit of it is all that is known. Models with experts help to
/// find the constants; how sure times are is said by the others.

/// MooreThreads/SimuMax in 16 bits, NVIDIA-NeMo/Megatron-Bridge in 8, whose engine gets more out of
/// it. Four bits have the GB200's ratio to eight.
Constants b200Constants()
{
    Constants constants;
    constants.values = {0.4715, 62.14, 0.8531,   3.315e-5, 0.7719, 0.7742, 1.8e-5, 0.9,    0.8,
                        1e-5,   0.85,  9.984e-5, 0.01664,  1.455,  1.07,   4e-4,   waiting};
    constants.of(Precision::Bf16) = {12, 0.074};
    constants.of(Precision::Fp8) = {2, 0.237};
    return constants;
}

/// NVIDIA-NeMo/Megatron-Bridge.
Constants h100Constants()
{
    Constants constants;
    constants.values = {0.7773,   60.65,  0.5611,  3.123e-5, 0.7809, 0.8527, 4.876e-6, 0.9002, 0.8,
                        9.996e-6, 0.8498, 9.69e-5, 0.01011,  0.9566, 0.6,    2e-4,     waiting};
    constants.of(Precision::Fp8) = {8, 0.111};
    return constants;
}

/// pytorch/torchtitan, what it computes again and gathers included.
Constants slowH100Constants()
{
    Constants constants;
    constants.values = {0.4445,   60.68, 0.6935, 4e-5,     0.7814, 0.7998, 5e-6, 0.9,    0.7955,
                        1.002e-5, 0.85,  0.0001, 0.009874, 0.8289, 0.6,    2e-4, waiting};
    constants.of(Precision::Bf16) = {2, 0.119};
    constants.of(Precision::Fp8) = {3, 0.115};
    return constants;
}

/// NVIDIA-NeMo/Megatron-Bridge.
Constants gb200Constants()
{
    Constants constants;
    constants.values = {0.6704, 58.01,  0.7388,    3.869e-5, 0.7859, 0.7656, 5.012e-6, 0.9,    0.8,
                        1e-5,   0.8498, 0.0001043, 0.009942, 0.765,  0.5625, 3e-4,     waiting};
    constants.of(Precision::Fp8) = {8, 0.103};
    constants.of(Precision::Mxfp8) = {4, 0.159};
    constants.of(Precision::Nvfp4) = {4, 0.173};
    return constants;
}

/// NVIDIA-NeMo/Megatron-Bridge.
Constants gb300Constants()
{
    Constants constants;
    constants.values = {0.8136, 57.59,  0.6026,    3.596e-5, 0.7858, 0.8045, 4.977e-6, 0.9,    0.8,
                        1e-5,   0.8494, 0.0001021, 0.009868, 0.8386, 0.5765, 3e-4,     waiting};
    constants.of(Precision::Fp8) = {6, 0.135};
    constants.of(Precision::Mxfp8) = {4, 0.265};
    constants.of(Precision::Nvfp4) = {4, 0.152};
    return constants;
}

/// eth-easl/sailor, whose engine seems to have trained in 32 bits; Megatron-DeepSpeed takes some
/// milliseconds for every pass.
Constants gh200Constants()
{
    Constants constants;
    constants.values = {0.7068,   62.77,  0.4156,    4.711e-5, 0.7686, 0.8, 5.91e-6, 0.9,    0.7875,
                        1.001e-5, 0.8312, 0.0001027, 0.005868, 0.85,   0.6, 3e-3,    waiting};
    constants.of(Precision::Tf32) = {15, 0.129};
    return constants;
}

/// Assumed: BLAS with all cores warm reaches 44 % of the peak, devices are threads of one process.
Constants laptopConstants()
{
    Constants constants;
    constants.values = {0.44, 8, 0.49, 2e-6, 0.5, 0.8, 2e-6, 0.88,   0.88,
                        1e-4, 1, 2e-6, 1e-3, 1,   1,   0,    waiting};
    return constants;
}

/// Constants of another machine.
Constants borrowed(Constants constants)
{
    constants.surety = {};
    return constants;
}

} // namespace

Constants constantsFor(std::string_view accelerator, bool oneNode)
{
    if (accelerator == "a100")
        return oneNode ? oneNodeConstants() : fittedConstants();
    if (accelerator == "b200")
        return b200Constants();
    if (accelerator == "h100")
        return h100Constants();
    if (accelerator == "h100-500w")
        return slowH100Constants();
    if (accelerator == "gb200")
        return gb200Constants();
    if (accelerator == "gb300")
        return gb300Constants();
    if (accelerator == "gh200")
        return gh200Constants();
    // The same processors, with another memory or another host.
    if (accelerator == "h200")
        return borrowed(h100Constants());
    if (accelerator == "b300")
        return borrowed(gb300Constants());
    if (accelerator == "laptop-cpu")
        return laptopConstants();
    Constants constants = borrowed(fittedConstants());
    constants[Constant::PartialRate] = usualConstants()[Constant::PartialRate];
    return constants;
}

std::string_view sourceOfConstants(std::string_view accelerator)
{
    struct Source
    {
        std::string_view accelerator, whose;
    };
    constexpr Source sources[] = {
        {"a100", "VIA-Research/vTrain"},
        {"b200", "MooreThreads/SimuMax, NVIDIA-NeMo/Megatron-Bridge"},
        {"h100", "NVIDIA-NeMo/Megatron-Bridge"},
        {"h100-500w", "pytorch/torchtitan"},
        {"h200", "those of the h100"},
        {"gb200", "NVIDIA-NeMo/Megatron-Bridge"},
        {"gb300", "NVIDIA-NeMo/Megatron-Bridge"},
        {"b300", "those of the gb300"},
        {"gh200", "eth-easl/sailor"},
        {"laptop-cpu", "assumed"},
    };
    for (const Source& source : sources) {
        if (source.accelerator == accelerator)
            return source.whose;
    }
    return "those of the a100";
}

} // namespace pw::plan
