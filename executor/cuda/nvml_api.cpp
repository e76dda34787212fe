// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/nvml_api.h"

#include "executor/cuda/find_function.h"

#include <array>
#include <dlfcn.h>
#include <string>

namespace pw::exec::cuda {

namespace {

using NvmlDevice = struct nvmlDevice_st*;

struct NvmlMemory
{
    unsigned long long total = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
};

constexpr int nvmlGood = 0;
constexpr unsigned clockOfMultiprocessors = 1;
constexpr unsigned clockOfMemory = 2;
constexpr unsigned sensorOfGpu = 0;

/// What is used; what an old or a new library lacks is null.
struct NvmlApi
{
    int (*init)() = nullptr;
    int (*handleOf)(const char* uuid, NvmlDevice* device) = nullptr;
    int (*clock)(NvmlDevice device, unsigned which, unsigned* megahertz) = nullptr;
    int (*power)(NvmlDevice device, unsigned* milliwatts) = nullptr;
    int (*temperature)(NvmlDevice device, unsigned sensor, unsigned* celsius) = nullptr;
    int (*reasons)(NvmlDevice device, unsigned long long* bits) = nullptr;
    int (*memory)(NvmlDevice device, NvmlMemory* bytes) = nullptr;
    bool begun = false;
};

NvmlApi openNvml()
{
    NvmlApi api;
    void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return api;
    findFunction(library, "nvmlInit_v2", api.init);
    findFunction(library, "nvmlDeviceGetHandleByUUID", api.handleOf);
    findFunction(library, "nvmlDeviceGetClockInfo", api.clock);
    findFunction(library, "nvmlDeviceGetPowerUsage", api.power);
    findFunction(library, "nvmlDeviceGetTemperature", api.temperature);
    if (!findFunction(library, "nvmlDeviceGetCurrentClocksEventReasons", api.reasons))
        findFunction(library, "nvmlDeviceGetCurrentClocksThrottleReasons",
                     api.reasons); // before 535
    findFunction(library, "nvmlDeviceGetMemoryInfo", api.memory);
    api.begun = api.init != nullptr && api.handleOf != nullptr && api.init() == nvmlGood;
    return api;
}

/// Never closed: it lasts as long as the process.
const NvmlApi& nvml()
{
    static const NvmlApi api = openNvml();
    return api;
}

/// Null where it is not known: no library, or a part of a GPU.
NvmlDevice deviceOfNvml(const GpuIdentity& gpu)
{
    NvmlDevice device = nullptr;
    if (!nvml().begun || nvml().handleOf(identityText(gpu).c_str(), &device) != nvmlGood)
        return nullptr;
    return device;
}

std::int32_t knownOr(bool good, unsigned value)
{
    return good ? static_cast<std::int32_t>(value) : GpuReading::unknown;
}

} // namespace

std::string identityText(const GpuIdentity& gpu)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "GPU";
    for (std::size_t i = 0; i < gpu.size(); ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        const auto byte = std::to_integer<unsigned>(gpu[i]);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

GpuSlowdowns slowdownsOfNvml(unsigned long long reasons)
{
    struct Meaning
    {
        unsigned long long bits;
        GpuSlowdown slowdown;
    };
    constexpr unsigned long long hardware = 0x8;
    constexpr unsigned long long hardwareHeat = 0x40;
    constexpr unsigned long long powerBrake = 0x80;
    constexpr std::array<Meaning, 5> meanings = {{
        {0x1, GpuSlowdown::Idle},
        {0x2 | 0x10 | 0x100, GpuSlowdown::Setting}, // set clocks, clocks in step, a display's
        {0x4, GpuSlowdown::PowerLimit},
        {0x20 | hardwareHeat, GpuSlowdown::Heat},
        {powerBrake, GpuSlowdown::PowerBrake},
    }};
    GpuSlowdowns all = 0;
    for (const Meaning& meaning : meanings) {
        if ((reasons & meaning.bits) != 0)
            all |= bitOf(meaning.slowdown);
    }
    // This bit stands beside the two that say why.
    if ((reasons & hardware) != 0 && (reasons & (hardwareHeat | powerBrake)) == 0)
        all |= bitOf(GpuSlowdown::Hardware);
    return all;
}

GpuReading readGpu(const GpuIdentity& gpu)
{
    GpuReading reading;
    NvmlDevice const device = deviceOfNvml(gpu);
    if (device == nullptr)
        return reading;
    const NvmlApi& api = nvml();
    unsigned value = 0;
    const auto good = [](auto function, auto... arguments) {
        return function != nullptr && function(arguments...) == nvmlGood;
    };
    bool known = good(api.clock, device, clockOfMultiprocessors, &value);
    reading.clock = knownOr(known, value);
    known = good(api.clock, device, clockOfMemory, &value);
    reading.memoryClock = knownOr(known, value);
    known = good(api.power, device, &value);
    reading.power = knownOr(known, value);
    known = good(api.temperature, device, sensorOfGpu, &value);
    reading.temperature = knownOr(known, value);
    unsigned long long reasons = 0;
    reading.slowdownsKnown = good(api.reasons, device, &reasons);
    reading.slowdowns = reading.slowdownsKnown ? slowdownsOfNvml(reasons) : 0;
    return reading;
}

std::optional<Bytes> usedBytes(const GpuIdentity& gpu)
{
    NvmlDevice const device = deviceOfNvml(gpu);
    NvmlMemory memory;
    if (device == nullptr || nvml().memory == nullptr || nvml().memory(device, &memory) != nvmlGood)
        return std::nullopt;
    return static_cast<Bytes>(memory.used);
}

} // namespace pw::exec::cuda
