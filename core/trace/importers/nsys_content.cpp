// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/nsys_content.h"

namespace pw::nsys {

Content::Content(Trace& theTrace, TraceNames& theNames)
    : trace(theTrace)
    , names(theNames)
{
    file.firstSpan = trace.spans.size();
    file.origin = "Nsight Systems";
}

std::int32_t Content::processOf(std::int64_t id)
{
    const auto [found, made] = processOfId.emplace(id, static_cast<std::int32_t>(processes.size()));
    if (made)
        processes.push_back({id, {}});
    return found->second;
}

std::int32_t Content::threadOf(std::int64_t globalThread)
{
    const auto [found, made] =
        threadOfId.emplace(globalThread, static_cast<std::int32_t>(threads.size()));
    if (made) {
        Thread thread;
        thread.id = globalThread;
        thread.process = processOf(globalThread >> threadBits);
        threads.push_back(std::move(thread));
    }
    return found->second;
}

std::int32_t Content::deviceOf(std::int32_t process, std::int64_t number)
{
    const auto [found, made] = deviceOfNumber.emplace(std::pair(process, number),
                                                      static_cast<std::int32_t>(devices.size()));
    if (made) {
        Device device;
        device.process = process;
        device.number = number;
        devices.push_back(std::move(device));
    }
    return found->second;
}

std::int32_t Content::newTrack()
{
    trace.tracks.emplace_back();
    return static_cast<std::int32_t>(trace.tracks.size()) - 1;
}

} // namespace pw::nsys
