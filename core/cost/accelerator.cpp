// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/accelerator.h"

#include "core/base/display_text.h"
#include "core/base/names.h"

#include <iterator>
#include <string>

namespace pw {

namespace {

constexpr double tera = 1e12;
constexpr double giga = 1e9;
constexpr double mib = 1048576.0;

constexpr Accelerator catalogue[] = {
    {.name = "a100",
     .title = "NVIDIA A100 SXM 80 GB",
     .peakFlops = 312 * tera,
     .fp32Flops = 19.5 * tera,
     .tf32Flops = 156 * tera,
     .peakBandwidth = 2039 * giga,
     .memory = 81920 * mib,
     .reserved = 1536 * mib,
     .units = 108,
     .insideBandwidth = 300 * giga,
     .nodeBandwidth = 100 * giga,
     .devicesPerNode = 8,
     .source = "data sheet: 312 TFLOP/s in 16 bits, 156 in TF32, 19.5 in FP32, 2,039 GB/s, NVLink "
               "600 GB/s both ways; nodes with four "
               "ports of 200 Gbit/s",
     .nodePorts = 4,
     .hostBandwidth = 32 * giga,
     .hostSharers = 2,
     .hostSource = "PCI Express 4.0 with 16 lanes: 32 GB/s a direction, one such link for the two "
                   "behind a switch of the DGX A100"},
    {.name = "h100",
     .title = "NVIDIA H100 SXM 80 GB",
     .peakFlops = 989.4 * tera,
     .fp32Flops = 66.9 * tera,
     .tf32Flops = 494.7 * tera,
     .fp8Flops = 1978.9 * tera,
     .peakBandwidth = 3350 * giga,
     .memory = 81559 * mib,
     .reserved = 2048 * mib,
     .units = 132,
     .insideBandwidth = 450 * giga,
     .nodeBandwidth = 400 * giga,
     .devicesPerNode = 8,
     .source = "data sheet: 989.4 TFLOP/s in 16 bits, 1,978.9 in 8 bits, 494.7 in TF32, 3.35 TB/s, "
               "NVLink 900 GB/s both ways; nodes with eight "
               "ports of 400 Gbit/s",
     .nodePorts = 8},
    {.name = "h100-500w",
     .title = "NVIDIA H100 96 GB HBM2e at 500 W",
     .peakFlops = 989.4 * tera,
     .fp32Flops = 66.9 * tera,
     .tf32Flops = 494.7 * tera,
     .fp8Flops = 1978.9 * tera,
     .peakBandwidth = 2400 * giga,
     .memory = 97871 * mib,
     .reserved = 2048 * mib,
     .units = 132,
     .insideBandwidth = 450 * giga,
     .nodeBandwidth = 400 * giga,
     .devicesPerNode = 8,
     .source =
         "as the H100, with 96 GB of HBM2e at 2.4 TB/s, as pytorch/torchtitan's benchmarks of "
         "December 2024 had them",
     .nodePorts = 8},
    {.name = "h200",
     .title = "NVIDIA H200 SXM 141 GB",
     .peakFlops = 989.4 * tera,
     .fp32Flops = 66.9 * tera,
     .tf32Flops = 494.7 * tera,
     .fp8Flops = 1978.9 * tera,
     .peakBandwidth = 4800 * giga,
     .memory = 143771 * mib,
     .reserved = 2048 * mib,
     .units = 132,
     .insideBandwidth = 450 * giga,
     .nodeBandwidth = 400 * giga,
     .devicesPerNode = 8,
     .source = "data sheet: as the H100, with 141 GB at 4.8 TB/s",
     .nodePorts = 8},
    {.name = "b200",
     .title = "NVIDIA B200 SXM 180 GB",
     .peakFlops = 2250 * tera,
     .fp32Flops = 75 * tera,
     .tf32Flops = 1125 * tera,
     .fp8Flops = 4500 * tera,
     .fp4Flops = 9000 * tera,
     .peakBandwidth = 7700 * giga,
     .memory = 183359 * mib,
     .reserved = 3072 * mib,
     .units = 148,
     .insideBandwidth = 900 * giga,
     .nodeBandwidth = 400 * giga,
     .devicesPerNode = 8,
     .source = "data sheet of the DGX B200: 2.25 PFLOP/s dense, 4.5 in 8 bits, 9 in 4 bits, 180 GB "
               "at 7.7 TB/s, NVLink 1.8 "
               "TB/s both ways; nodes with eight ports of 400 Gbit/s",
     .nodePorts = 8},
    {.name = "mi300x",
     .title = "AMD Instinct MI300X 192 GB",
     .peakFlops = 1307.4 * tera,
     .fp32Flops = 163.4 * tera,
     .tf32Flops = 653.7 * tera,
     .fp8Flops = 2614.9 * tera,
     .peakBandwidth = 5300 * giga,
     .memory = 196608 * mib,
     .reserved = 3072 * mib,
     .units = 304,
     .insideBandwidth = 448 * giga,
     .nodeBandwidth = 400 * giga,
     .devicesPerNode = 8,
     .source = "data sheet: 1,307.4 TFLOP/s, 5.3 TB/s, seven links of 64 GB/s a direction; nodes "
               "with eight ports of 400 Gbit/s",
     .nodePorts = 8},
    {.name = "gb200",
     .title = "NVIDIA GB200 NVL72 186 GB",
     .peakFlops = 2500 * tera,
     .fp32Flops = 80 * tera,
     .tf32Flops = 1250 * tera,
     .fp8Flops = 5000 * tera,
     .fp4Flops = 10000 * tera,
     .peakBandwidth = 8000 * giga,
     .memory = 189471 * mib,
     .reserved = 3072 * mib,
     .units = 148,
     .insideBandwidth = 900 * giga,
     .nodeBandwidth = 3600 * giga,
     .devicesPerNode = 72,
     .source = "data sheet of the GB200 NVL72: 2.5 PFLOP/s dense, 5 in 8 bits, 10 in 4 bits, and "
               "186 GB at 8 TB/s a GPU, "
               "NVLink 1.8 TB/s both ways among 72; a port of 400 Gbit/s a GPU",
     .nodePorts = 72,
     .hostBandwidth = 450 * giga,
     .hostSharers = 2,
     .hostSource = "NVLink-C2C: 900 GB/s both ways, for the two of a Grace"},
    {.name = "b300",
     .title = "NVIDIA B300 SXM 270 GB",
     .peakFlops = 2250 * tera,
     .fp32Flops = 75 * tera,
     .tf32Flops = 1125 * tera,
     .fp8Flops = 4500 * tera,
     .fp4Flops = 13500 * tera,
     .peakBandwidth = 7700 * giga,
     .memory = 275040 * mib,
     .reserved = 3072 * mib,
     .units = 148,
     .insideBandwidth = 900 * giga,
     .nodeBandwidth = 800 * giga,
     .devicesPerNode = 8,
     .source =
         "data sheet of the DGX B300: 72 PFLOP/s of eight in 8 bits with sparsity, 108 dense in "
         "4 bits, 270 GB at 7.7 TB/s, NVLink 1.8 TB/s both ways; nodes with eight ports of 800 "
         "Gbit/s",
     .nodePorts = 8},
    {.name = "gb300",
     .title = "NVIDIA GB300 NVL72 279 GB",
     .peakFlops = 2500 * tera,
     .fp32Flops = 80 * tera,
     .tf32Flops = 1250 * tera,
     .fp8Flops = 5000 * tera,
     .fp4Flops = 15000 * tera,
     .peakBandwidth = 8000 * giga,
     .memory = 284208 * mib,
     .reserved = 3072 * mib,
     .units = 148,
     .insideBandwidth = 900 * giga,
     .nodeBandwidth = 7200 * giga,
     .devicesPerNode = 72,
     .source = "data sheet of the GB300 NVL72: of 72 GPUs 360 PFLOP/s in 16 bits and 720 in 8 bits "
               "with sparsity, 1,080 dense in 4 bits; 279 GB at 8 TB/s a GPU, NVLink 1.8 TB/s both "
               "ways among 72; a port of 800 Gbit/s a GPU",
     .nodePorts = 72,
     .hostBandwidth = 450 * giga,
     .hostSharers = 2,
     .hostSource = "NVLink-C2C: 900 GB/s both ways, for the two of a Grace"},
    {.name = "gh200",
     .title = "NVIDIA GH200 96 GB",
     .peakFlops = 989.4 * tera,
     .fp32Flops = 66.9 * tera,
     .tf32Flops = 494.7 * tera,
     .fp8Flops = 1978.9 * tera,
     .peakBandwidth = 4000 * giga,
     .memory = 97871 * mib,
     .reserved = 2048 * mib,
     .units = 132,
     .insideBandwidth = 450 * giga,
     .nodeBandwidth = 100 * giga,
     .devicesPerNode = 4,
     .source = "data sheet: 989.4 TFLOP/s, 96 GB at 4 TB/s, NVLink 900 GB/s both ways; nodes of "
               "four with a port of 200 Gbit/s each",
     .nodePorts = 4,
     .hostBandwidth = 450 * giga,
     .hostSharers = 1,
     .hostSource = "NVLink-C2C: 900 GB/s both ways"},
    {.name = "v100",
     .title = "NVIDIA V100 SXM2 32 GB",
     .peakFlops = 125 * tera,
     .fp32Flops = 15.7 * tera,
     .peakBandwidth = 900 * giga,
     .memory = 32510 * mib,
     .reserved = 1024 * mib,
     .units = 80,
     .insideBandwidth = 150 * giga,
     .nodeBandwidth = 50 * giga,
     .devicesPerNode = 8,
     .source = "data sheet: 125 TFLOP/s in 16 bits, 900 GB/s, NVLink 300 GB/s both ways; nodes "
               "with four ports of 100 Gbit/s",
     .nodePorts = 4,
     .hostBandwidth = 16 * giga,
     .hostSharers = 2,
     .hostSource = "PCI Express 3.0 with 16 lanes: 16 GB/s a direction, one such link for the two "
                   "behind a switch of the DGX-1"},
    {.name = "t4",
     .title = "NVIDIA T4 16 GB",
     .peakFlops = 65 * tera,
     .fp32Flops = 8.1 * tera,
     .peakBandwidth = 320 * giga,
     .memory = 15109 * mib,
     .reserved = 768 * mib,
     .units = 40,
     .insideBandwidth = 16 * giga,
     .nodeBandwidth = 6.25 * giga,
     .devicesPerNode = 4,
     .source = "data sheet: 65 TFLOP/s in 16 bits, 320 GB/s, PCI Express 3.0 with 16 lanes; nodes "
               "of four with one port of 50 Gbit/s",
     .nodePorts = 1,
     .hostBandwidth = 16 * giga,
     .hostSharers = 1,
     .hostSource = "PCI Express 3.0 with 16 lanes: 16 GB/s a direction"},
    {.name = "laptop-cpu",
     .title = "Laptop processor, 8 cores, four-byte arithmetic, devices as threads",
     .peakFlops = 0.9 * tera,
     .fp32Flops = 0.9 * tera,
     .peakBandwidth = 51.2 * giga,
     .memory = 16384 * mib,
     .reserved = 4096 * mib,
     .units = 1,
     .insideBandwidth = 10 * giga,
     .nodeBandwidth = 0.125 * giga,
     .devicesPerNode = 1024,
     .source = "assumed: 8 cores of 32 operations a cycle at 3.5 GHz, two channels of DDR4-3200, a "
               "copy in memory as a link, Ethernet of 1 Gbit/s to others",
     .nodePorts = 1,
     .hostBandwidth = 25 * giga,
     .hostSharers = 1,
     .hostSource = "assumed: the same memory, read and written"},
};

} // namespace

const std::vector<Accelerator>& accelerators()
{
    static const std::vector<Accelerator> all(std::begin(catalogue), std::end(catalogue));
    return all;
}

std::string acceleratorNames()
{
    std::string names;
    for (const Accelerator& one : accelerators())
        names += (names.empty() ? "" : ", ") + std::string(one.name);
    return names;
}

Result<Accelerator> findAccelerator(std::string_view name)
{
    const auto nameOf = [](const Accelerator& one) -> std::string_view { return one.name; };
    if (const Accelerator* found = findNamed(accelerators(), name, nameOf))
        return *found;
    return fail(ErrorCode::BadValue, "there is no hardware %1; there are %2", inQuotes(name),
                acceleratorNames());
}

} // namespace pw
