// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/nvml.h"

#include <atomic>
#include <cstdio>
#include <string>

// NVIDIA's management library. It counts GPUs as the machine does, so they are asked for by their
// own numbers; it answers nothing before it has begun; what the caller's pointer misses is refused.
struct nvmlDevice_st
{
    int number;
};

namespace pw::gpu {

namespace {

enum Answer
{
    Good = 0,
    Uninitialized = 1,
    InvalidArgument = 2,
    NotFound = 6,
    NoDriver = 9
};

struct Memory
{
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

std::atomic<bool> begun{false};
std::atomic<bool> asked{false};

constexpr int mostGpus = 64;

nvmlDevice_st* handleOf(int number)
{
    static nvmlDevice_st handles[mostGpus];
    handles[number].number = number;
    return &handles[number];
}

/// As the runtime makes it: the first byte is the GPU's number and one.
std::string uuidOf(int number)
{
    char text[64];
    std::snprintf(text, sizeof(text), "GPU-%02x000000-0000-0000-0000-000000000000", number + 1);
    return text;
}

template<typename Value>
int answer(const nvmlDevice_st* device, Value* out, Value value)
{
    if (!begun)
        return Uninitialized;
    if (device == nullptr || out == nullptr)
        return InvalidArgument;
    *out = value;
    return Good;
}

} // namespace

std::size_t takenByOthers()
{
    constexpr std::size_t mebibyte = std::size_t{1} << 20;
    return asked ? static_cast<std::size_t>(setting("PW_FAKE_OTHERS", 0)) * mebibyte : 0;
}

} // namespace pw::gpu

using namespace pw::gpu;

extern "C" {

int nvmlInit_v2()
{
    if (setting("PW_FAKE_NVML", 1) == 0)
        return NoDriver;
    begun = true;
    return Good;
}

int nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_st** device)
{
    if (!begun)
        return Uninitialized;
    if (uuid == nullptr || device == nullptr)
        return InvalidArgument;
    for (int number = 0; number < Machine::one().devices() && number < mostGpus; ++number) {
        if (uuidOf(number) == uuid) {
            *device = handleOf(number);
            return Good;
        }
    }
    return NotFound;
}

int nvmlDeviceGetClockInfo(nvmlDevice_st* device, unsigned which, unsigned* megahertz)
{
    constexpr unsigned multiprocessors = 1;
    constexpr unsigned memory = 2;
    if (which != multiprocessors && which != memory)
        return InvalidArgument;
    asked = true;
    return answer(device, megahertz, which == memory ? 2619U : 1980U);
}

int nvmlDeviceGetPowerUsage(nvmlDevice_st* device, unsigned* milliwatts)
{
    return answer(device, milliwatts, 512'000U);
}

int nvmlDeviceGetTemperature(nvmlDevice_st* device, unsigned sensor, unsigned* celsius)
{
    static std::atomic<unsigned> warmth{45};
    return sensor != 0 ? InvalidArgument : answer(device, celsius, warmth++);
}

int nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_st* device, unsigned long long* bits)
{
    return answer(device, bits, static_cast<unsigned long long>(setting("PW_FAKE_SLOWED", 0)));
}

int nvmlDeviceGetMemoryInfo(nvmlDevice_st* device, Memory* memory)
{
    if (device == nullptr)
        return begun ? InvalidArgument : Uninitialized;
    const std::size_t whole = Machine::one().whole();
    const std::size_t free = Machine::one().available(device->number) - takenByOthers();
    return answer(device, memory, Memory{whole, free, whole - free});
}
}
