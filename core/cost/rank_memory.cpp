// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/rank_memory.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

Bytes medianBytes(std::vector<Bytes> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[(values.size() - 1) / 2];
}

/// The slope of bytes over micro-batches in flight; nothing where all have as many.
std::optional<double> slopeOf(const std::vector<double>& inFlight, const std::vector<double>& bytes)
{
    const auto count = static_cast<double>(inFlight.size());
    double meanX = 0, meanY = 0;
    for (std::size_t i = 0; i < inFlight.size(); ++i) {
        meanX += inFlight[i] / count;
        meanY += bytes[i] / count;
    }
    double squares = 0, products = 0;
    for (std::size_t i = 0; i < inFlight.size(); ++i) {
        squares += (inFlight[i] - meanX) * (inFlight[i] - meanX);
        products += (inFlight[i] - meanX) * (bytes[i] - meanY);
    }
    constexpr double least = 1e-9;
    if (squares < least)
        return std::nullopt;
    return products / squares;
}

double inFlightOf(const SimResult& result, DeviceId device)
{
    return microBatchesFromShare(result.devices[device.index()].peakShare);
}

Bytes bytesTimes(Bytes bytes, double number)
{
    return static_cast<Bytes>(std::llround(static_cast<double>(bytes) * number));
}

} // namespace

std::optional<RankMemory> fitRankMemory(std::span<const Bytes> peaks, const PipelineSpec& spec,
                                        const SimResult& result)
{
    const Ids<DeviceId> devices(peaks.size());
    if (peaks.size() < 2 || peaks.size() != result.devices.size() || spec.routeCount() != 1)
        return std::nullopt;
    RankMemory memory;
    memory.firstDevice = spec.device(0, StageId(0));
    memory.lastDevice = spec.device(0, StageId(spec.stages() - 1));
    const auto between = [&](DeviceId device) {
        return device != memory.firstDevice && device != memory.lastDevice;
    };
    const auto slope = [&](bool all) {
        std::vector<double> inFlight, bytes;
        for (const DeviceId device : devices) {
            if (!all && !between(device))
                continue;
            inFlight.push_back(inFlightOf(result, device));
            bytes.push_back(static_cast<double>(peaks[device.index()]));
        }
        return inFlight.size() < 2 ? std::optional<double>() : slopeOf(inFlight, bytes);
    };
    std::optional<double> found = slope(false);
    if (!found)
        found = slope(true);
    if (!found || *found <= 0)
        return std::nullopt;
    memory.perMicroBatch = static_cast<Bytes>(std::llround(*found));
    std::vector<Bytes> plain;
    for (const DeviceId device : devices) {
        memory.fixed.push_back(peaks[device.index()] -
                               bytesTimes(memory.perMicroBatch, inFlightOf(result, device)));
        if (between(device))
            plain.push_back(memory.fixed.back());
    }
    if (!plain.empty()) {
        const Bytes usual = medianBytes(plain);
        const auto beyond = [&](DeviceId device) {
            return std::max<Bytes>(0, memory.fixed[static_cast<std::size_t>(device)] - usual);
        };
        memory.ofFirst = beyond(memory.firstDevice);
        memory.ofLast = memory.lastDevice == memory.firstDevice ? 0 : beyond(memory.lastDevice);
    }
    return memory;
}

std::vector<Bytes> rankMemory(const RankMemory& memory, const PipelineSpec& spec,
                              const SimResult& result)
{
    if (memory.fixed.size() != result.devices.size() || spec.routeCount() != 1)
        return {};
    std::vector<Bytes> peaks = memory.fixed;
    const auto move = [&peaks](Bytes bytes, DeviceId from, DeviceId to) {
        peaks[from.index()] -= bytes;
        peaks[to.index()] += bytes;
    };
    move(memory.ofFirst, memory.firstDevice, spec.device(0, StageId(0)));
    move(memory.ofLast, memory.lastDevice, spec.device(0, StageId(spec.stages() - 1)));
    for (const DeviceId device : Ids<DeviceId>(peaks.size()))
        peaks[device.index()] += bytesTimes(memory.perMicroBatch, inFlightOf(result, device));
    return peaks;
}

void putRankMemory(Costs& costs, const RankMemory& memory, const PipelineSpec& spec)
{
    for (ActivationCost& cell : costs.activation) {
        const auto bytesOf = [&memory](Share share) {
            return bytesTimes(memory.perMicroBatch, microBatchesFromShare(share));
        };
        cell.activation = bytesOf(cell.share);
        cell.keptForWeight = bytesOf(cell.keptForWeightShare);
        cell.stash = bytesOf(cell.stashShare);
    }
    const Ids<StageId> stages(spec.stages());
    std::vector<Bytes> hosted(memory.fixed.size(), 0);
    for (const StageId stage : stages)
        ++hosted[spec.device(0, stage).index()];
    // What was measured has the engine's own in it.
    costs.buffers.clear();
    costs.workspace.clear();
    costs.fragments = 0;
    costs.weights.clear();
    for (const StageId stage : stages) {
        const std::size_t device = spec.device(0, stage).index();
        costs.weights.push_back(std::max<Bytes>(0, memory.fixed[device]) / hosted[device]);
    }
}

} // namespace pw
