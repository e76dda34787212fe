// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/hardware.h"

#include "core/base/names.h"

#include <cmath>

namespace pw {

namespace {

constexpr double tera = 1e12;
constexpr double giga = 1e9;
constexpr double micro = 1e-6;
constexpr double mib = 1048576.0;

constexpr Figure vendor(double value, std::string_view source)
{
    return {value, Basis::Vendor, source};
}

constexpr Figure assumed(double value, std::string_view source)
{
    return {value, Basis::Assumed, source};
}

Hardware a100()
{
    Hardware machine;
    machine.name = "a100";
    machine.title = "NVIDIA A100 SXM 80 GB, nodes of 8";
    machine.peakFlops = vendor(312 * tera, "data sheet, dense BF16");
    machine.matmulFlops = {
        245 * tera, Basis::Derived,
        "FLOPs of W over T_W of the 12 profiled rows of arXiv:2401.10241: 238 to "
        "255 TFLOP/s"};
    machine.attentionFlops =
        assumed(120 * tera, "unfused products with scores of head size 96 to 128");
    machine.flashFlops = assumed(180 * tera, "below the 230 TFLOP/s that arXiv:2307.08691 reports");
    machine.peakBandwidth = vendor(2039 * giga, "data sheet");
    machine.memoryBandwidth = {1000 * giga, Basis::Derived,
                               "set so that T_F and T_B of arXiv:2401.10241 come out within 12 %"};
    machine.memory = vendor(81920 * mib, "80 GiB, as the driver shows");
    machine.reserved = assumed(1536 * mib, "context, libraries, communicators");
    machine.devicesPerNode = vendor(8, "HGX board");
    machine.insideLatency = assumed(8 * micro, "one message through the communication library");
    machine.insideBandwidth = assumed(230 * giga, "of 300 GB/s a direction, NVLink 3 data sheet");
    machine.betweenLatency = assumed(15 * micro, "one message through the communication library");
    machine.betweenBandwidth = assumed(22 * giga, "of 25 GB/s, one HDR 200 Gbit/s port a device");
    machine.collective = assumed(230 * giga, "as a message inside the node");
    return machine;
}

Hardware h100()
{
    Hardware machine;
    machine.name = "h100";
    machine.title = "NVIDIA H100 SXM 80 GB, nodes of 8";
    machine.peakFlops = vendor(989.4 * tera, "data sheet, dense BF16");
    machine.matmulFlops =
        assumed(640 * tera, "65 % of the peak; power limits it below the A100's part");
    machine.attentionFlops =
        assumed(250 * tera, "the A100's, grown by more than its bandwidth, less than its peak");
    machine.flashFlops = assumed(450 * tera, "below the 740 TFLOP/s that arXiv:2407.08608 reports");
    machine.peakBandwidth = vendor(3350 * giga, "data sheet, HBM3");
    machine.memoryBandwidth = assumed(1640 * giga, "the A100's part of the peak, 49 %");
    machine.memory = vendor(81559 * mib, "as the driver shows");
    machine.reserved = assumed(2048 * mib, "context, libraries, communicators");
    machine.devicesPerNode = vendor(8, "HGX board");
    machine.insideLatency = assumed(8 * micro, "one message through the communication library");
    machine.insideBandwidth = assumed(350 * giga, "of 450 GB/s a direction, NVLink 4 data sheet");
    machine.betweenLatency = assumed(15 * micro, "one message through the communication library");
    machine.betweenBandwidth = assumed(45 * giga, "of 50 GB/s, one NDR 400 Gbit/s port a device");
    machine.collective = assumed(350 * giga, "as a message inside the node");
    return machine;
}

Hardware h200()
{
    Hardware machine = h100();
    machine.name = "h200";
    machine.title = "NVIDIA H200 SXM 141 GB, nodes of 8";
    machine.matmulFlops =
        assumed(690 * tera, "70 % of the peak; training shapes, below large squares");
    machine.attentionFlops = assumed(300 * tera, "the H100's, grown by less than its bandwidth");
    machine.peakBandwidth = vendor(4800 * giga, "data sheet, HBM3e");
    machine.memoryBandwidth = assumed(2350 * giga, "the A100's part of the peak, 49 %");
    machine.memory = vendor(143771 * mib, "as the driver shows");
    return machine;
}

Hardware laptopCpu()
{
    Hardware machine;
    machine.name = "laptop-cpu";
    machine.title = "Laptop processor, 8 cores, four-byte arithmetic, devices as threads";
    machine.peakFlops = assumed(0.9 * tera, "8 cores, 32 FLOP a cycle, 3.5 GHz");
    machine.matmulFlops = assumed(0.4 * tera, "BLAS with all cores warm");
    machine.attentionFlops = assumed(0.15 * tera, "small products");
    machine.flashFlops = assumed(0.15 * tera, "no fused kernel is assumed to be faster");
    machine.peakBandwidth = assumed(51.2 * giga, "two channels of DDR4-3200");
    machine.memoryBandwidth = assumed(25 * giga, "49 % of the peak, as for the A100");
    machine.memory = assumed(16384 * mib, "16 GiB");
    machine.reserved = assumed(4096 * mib, "the system and other programs");
    machine.devicesPerNode = assumed(1024, "all devices are in one machine");
    machine.insideLatency = assumed(2 * micro, "a wake-up of a thread");
    machine.insideBandwidth = assumed(10 * giga, "a copy in memory");
    machine.betweenLatency = assumed(100 * micro, "TCP");
    machine.betweenBandwidth = assumed(0.11 * giga, "1 Gbit/s Ethernet");
    machine.collective = assumed(5 * giga, "two copies in memory");
    return machine;
}

} // namespace

std::vector<NamedFigure> figures(const Hardware& hardware)
{
    return {{"peak rate", "FLOP/s", hardware.peakFlops},
            {"matrix product rate", "FLOP/s", hardware.matmulFlops},
            {"attention rate", "FLOP/s", hardware.attentionFlops},
            {"flash attention rate", "FLOP/s", hardware.flashFlops},
            {"peak memory bandwidth", "B/s", hardware.peakBandwidth},
            {"memory bandwidth", "B/s", hardware.memoryBandwidth},
            {"memory", "B", hardware.memory},
            {"reserved memory", "B", hardware.reserved},
            {"devices per node", "", hardware.devicesPerNode},
            {"latency inside a node", "s", hardware.insideLatency},
            {"bandwidth inside a node", "B/s", hardware.insideBandwidth},
            {"latency between nodes", "s", hardware.betweenLatency},
            {"bandwidth between nodes", "B/s", hardware.betweenBandwidth},
            {"all-reduce rate", "B/s", hardware.collective}};
}

const std::vector<Hardware>& hardwarePresets()
{
    static const std::vector<Hardware> presets = {a100(), h100(), h200(), laptopCpu()};
    return presets;
}

Result<Hardware> findHardware(std::string_view name)
{
    const auto nameOf = [](const Hardware& machine) { return machine.name; };
    if (const Hardware* machine = findNamed(hardwarePresets(), name, nameOf))
        return *machine;
    std::string names;
    for (const Hardware& machine : hardwarePresets()) {
        names += (names.empty() ? "" : ", ") + std::string(machine.name);
    }
    return fail(ErrorCode::BadValue, "there is no hardware \"%1\"; there are %2", name, names);
}

Result<void> check(const Hardware& hardware)
{
    for (const NamedFigure& named : figures(hardware)) {
        const bool mayBeZero = named.unit == "s" || named.name == "reserved memory";
        const double value = named.figure.value;
        if (!std::isfinite(value) || value < 0 || (value == 0 && !mayBeZero)) {
            return fail(ErrorCode::BadValue, "%1 is %2; %3", named.name, std::to_string(value),
                        mayBeZero ? said("at least 0") : said("more than 0"));
        }
    }
    if (hardware.reserved.value >= hardware.memory.value)
        return fail(ErrorCode::BadValue, "the reserved memory is all of the memory");
    return {};
}

} // namespace pw
