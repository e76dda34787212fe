// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/accelerator.h"

#include "core/base/display_text.h"
#include "core/base/names.h"

#include <string>

namespace pw {

namespace {

constexpr double teraFlops = 1e12;
constexpr double gigaBytes = 1e9;
constexpr double mib = 1048576.0;

/// Links to the host that are not the usual one.
void addHostLinks(std::vector<Accelerator>& all)
{
    const auto host = [&all](std::string_view name, double bandwidth, int sharers,
                             std::string_view source) {
        for (Accelerator& one : all) {
            if (one.name == name) {
                one.hostBandwidth = bandwidth;
                one.hostSharers = sharers;
                one.hostSource = source;
            }
        }
    };
    host("a100", 32 * gigaBytes, 2,
         "PCI Express 4.0 with 16 lanes: 32 GB/s a direction, one such link for "
         "the two behind a switch of the DGX A100");
    host("v100", 16 * gigaBytes, 2,
         "PCI Express 3.0 with 16 lanes: 16 GB/s a direction, one such link for the two behind a "
         "switch of the DGX-1");
    host("t4", 16 * gigaBytes, 1, "PCI Express 3.0 with 16 lanes: 16 GB/s a direction");
    host("gh200", 450 * gigaBytes, 1, "NVLink-C2C: 900 GB/s both ways");
    host("gb200", 450 * gigaBytes, 2, "NVLink-C2C: 900 GB/s both ways, for the two of a Grace");
    host("laptop-cpu", 25 * gigaBytes, 1, "assumed: the same memory, read and written");
}

std::vector<Accelerator> makeAccelerators()
{
    std::vector<Accelerator> all = {
        {"a100", "NVIDIA A100 SXM 80 GB", 312 * teraFlops, 2039 * gigaBytes, 81920 * mib,
         1536 * mib, 108, 300 * gigaBytes, 100 * gigaBytes, 8,
         "data sheet: 312 TFLOP/s, 2,039 GB/s, NVLink 600 GB/s both ways; nodes with four ports of "
         "200 Gbit/s",
         4},
        {"h100", "NVIDIA H100 SXM 80 GB", 989.4 * teraFlops, 3350 * gigaBytes, 81559 * mib,
         2048 * mib, 132, 450 * gigaBytes, 400 * gigaBytes, 8,
         "data sheet: 989.4 TFLOP/s, 3.35 TB/s, NVLink 900 GB/s both ways; nodes with eight ports "
         "of 400 Gbit/s"},
        {"h200", "NVIDIA H200 SXM 141 GB", 989.4 * teraFlops, 4800 * gigaBytes, 143771 * mib,
         2048 * mib, 132, 450 * gigaBytes, 400 * gigaBytes, 8,
         "data sheet: as the H100, with 141 GB at 4.8 TB/s"},
        {"b200", "NVIDIA B200 SXM 180 GB", 2250 * teraFlops, 7700 * gigaBytes, 183359 * mib,
         3072 * mib, 148, 900 * gigaBytes, 400 * gigaBytes, 8,
         "data sheet of the DGX B200: 2.25 PFLOP/s dense, 180 GB at 7.7 TB/s, NVLink 1.8 TB/s both "
         "ways; nodes with eight ports of 400 Gbit/s"},
        {"mi300x", "AMD Instinct MI300X 192 GB", 1307.4 * teraFlops, 5300 * gigaBytes, 196608 * mib,
         3072 * mib, 304, 448 * gigaBytes, 400 * gigaBytes, 8,
         "data sheet: 1,307.4 TFLOP/s, 5.3 TB/s, seven links of 64 GB/s a direction; nodes with "
         "eight ports of 400 Gbit/s"},
        {"gb200", "NVIDIA GB200 NVL72 186 GB", 2500 * teraFlops, 8000 * gigaBytes, 189471 * mib,
         3072 * mib, 148, 900 * gigaBytes, 3600 * gigaBytes, 72,
         "data sheet of the GB200 NVL72: 2.5 PFLOP/s dense and 186 GB at 8 TB/s a GPU, NVLink 1.8 "
         "TB/s both ways among 72; a port of 400 Gbit/s a GPU",
         72},
        {"gh200", "NVIDIA GH200 96 GB", 989.4 * teraFlops, 4000 * gigaBytes, 97871 * mib,
         2048 * mib, 132, 450 * gigaBytes, 100 * gigaBytes, 4,
         "data sheet: 989.4 TFLOP/s, 96 GB at 4 TB/s, NVLink 900 GB/s both ways; nodes of four "
         "with "
         "a port of 200 Gbit/s each",
         4},
        {"v100", "NVIDIA V100 SXM2 32 GB", 125 * teraFlops, 900 * gigaBytes, 32510 * mib,
         1024 * mib, 80, 150 * gigaBytes, 50 * gigaBytes, 8,
         "data sheet: 125 TFLOP/s in 16 bits, 900 GB/s, NVLink 300 GB/s both ways; nodes with four "
         "ports of 100 Gbit/s",
         4},
        {"t4", "NVIDIA T4 16 GB", 65 * teraFlops, 320 * gigaBytes, 15109 * mib, 768 * mib, 40,
         16 * gigaBytes, 6.25 * gigaBytes, 4,
         "data sheet: 65 TFLOP/s in 16 bits, 320 GB/s, PCI Express 3.0 with 16 lanes; nodes of "
         "four "
         "with one port of 50 Gbit/s",
         1},
        {"laptop-cpu", "Laptop processor, 8 cores, four-byte arithmetic, devices as threads",
         0.9 * teraFlops, 51.2 * gigaBytes, 16384 * mib, 4096 * mib, 1, 10 * gigaBytes,
         0.125 * gigaBytes, 1024,
         "assumed: 8 cores of 32 operations a cycle at 3.5 GHz, two channels of DDR4-3200, a copy "
         "in memory as a link, Ethernet of 1 Gbit/s to others",
         1},
    };
    addHostLinks(all);
    return all;
}

} // namespace

const std::vector<Accelerator>& accelerators()
{
    static const std::vector<Accelerator> all = makeAccelerators();
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
