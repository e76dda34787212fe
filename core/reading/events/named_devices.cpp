// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/named_devices.h"

#include "core/reading/events/event_time.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

namespace {

/// Processes that are devices by their names, as XLA's profiler (of JAX and TensorFlow) has them.
/// Their events have no category: what stands on streams is work, and steps, modules and operators
/// beside them are names around it. A TPU has no streams; its operators are the work.
void findXlaDevices(Trace& trace, const TraceNames& names, std::size_t firstTrack,
                    const EventFile& file)
{
    std::vector<std::int32_t> numbers; // by process; −1: no device
    std::vector<bool> streams;         // by process
    for (const EventProcess& process : file.processes) {
        std::int32_t number = -1;
        for (const std::string_view mark : {"/device:GPU:", "/device:TPU:"})
            if (const std::size_t at = process.name.find(mark); at != std::string::npos) {
                const std::string_view rest =
                    std::string_view(process.name).substr(at + mark.size());
                number = smallNumber(rest.substr(0, rest.find_first_not_of("0123456789")));
            }
        numbers.push_back(number);
    }
    if (std::all_of(numbers.begin(), numbers.end(), [](std::int32_t number) { return number < 0; }))
        return;
    const auto isStream = [](const TraceTrack& track) {
        return track.thread.rfind("Stream #", 0) == 0;
    };
    streams.assign(numbers.size(), false);
    for (std::size_t i = firstTrack; i < trace.tracks.size(); ++i)
        if (isStream(trace.tracks[i]))
            streams[processOf(trace.tracks[i].rank).index()] = true;
    std::vector<bool> works(trace.tracks.size(), false);
    for (std::size_t i = firstTrack; i < trace.tracks.size(); ++i) {
        TraceTrack& track = trace.tracks[i];
        const std::size_t process = processOf(track.rank).index();
        if (numbers[process] < 0)
            continue;
        track.device = true;
        track.deviceNumber = numbers[process];
        works[i] = streams[process] ? isStream(track) : track.thread == "XLA Ops";
    }
    for (std::size_t i = file.firstSpan; i < trace.spans.size(); ++i) {
        TraceSpan& span = trace.spans[i];
        const auto track = static_cast<std::size_t>(span.track);
        if (!trace.tracks[track].device || span.activity != ActivityKind::Other)
            continue;
        span.trust = Trust::Device;
        span.activity = works[track] ? names.kernelKind(span.name) : ActivityKind::Annotation;
    }
}

bool holds(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// What a task on a stream of Ascend's device does; it may be a wait or a mark.
ActivityKind ascendTaskKind(std::string_view task, ActivityKind kernel)
{
    for (const std::string_view part : {"Wait", "WAIT"})
        if (holds(task, part))
            return ActivityKind::Wait;
    for (const std::string_view part : {"Record", "RECORD", "PLACE_HOLDER"})
        if (holds(task, part))
            return ActivityKind::Annotation;
    return kernel;
}

/// A process of Ascend's profilers (torch_npu, msprof), by its name or its label "NPU", "NPU 3".
enum class AscendPart : std::uint8_t
{
    None,
    Hardware,     ///< its rows are streams
    Communication ///< operations on rows of groups, and the parts that they are made of on planes
};

/// What the profiler concludes from the others ("Overlap Analysis") is no work.
AscendPart ascendPartOf(const EventProcess& process)
{
    const bool labelled = process.label.compare(0, 3, "NPU") == 0;
    if (holds(process.name, "Overlap") || (!labelled && !holds(process.name, "Ascend Hardware")))
        return AscendPart::None;
    return process.name == "HCCL" || process.name == "Communication" ? AscendPart::Communication
                                                                     : AscendPart::Hardware;
}

ActivityKind ascendKind(AscendPart part, const TraceTrack& row, std::string_view task,
                        ActivityKind kernel)
{
    if (part == AscendPart::Hardware)
        return ascendTaskKind(task, kernel);
    const bool whole = holds(row.thread, "Group") || task.compare(0, 4, "hcom") == 0;
    return whole ? ActivityKind::Communication : ActivityKind::Annotation;
}

/// Their events have no category.
void findAscendDevices(Trace& trace, const TraceNames& names, std::size_t firstTrack,
                       EventFile& file)
{
    std::vector<AscendPart> parts; // by process
    for (const EventProcess& process : file.processes)
        parts.push_back(ascendPartOf(process));
    if (std::all_of(parts.begin(), parts.end(),
                    [](AscendPart part) { return part == AscendPart::None; }))
        return;
    file.origin = "torch_npu";
    for (std::size_t i = firstTrack; i < trace.tracks.size(); ++i) {
        TraceTrack& track = trace.tracks[i];
        const EventProcess& process = file.processes[processOf(track.rank).index()];
        if (parts[processOf(track.rank).index()] == AscendPart::None)
            continue;
        // Its hardware and HCCL are processes of their own, and one device.
        track.device = true;
        track.process = process.label.empty() ? "NPU" : process.label;
        const std::size_t blank = track.process.rfind(' ');
        track.deviceNumber =
            blank == std::string::npos ? -1 : smallNumber(track.process.substr(blank + 1));
        if (track.thread.find_first_not_of("0123456789") == std::string::npos)
            track.thread = (parts[processOf(track.rank).index()] == AscendPart::Hardware
                                ? "stream "
                                : process.name + " ") +
                           track.thread;
    }
    for (std::size_t i = file.firstSpan; i < trace.spans.size(); ++i) {
        TraceSpan& span = trace.spans[i];
        const TraceTrack& track = trace.tracks[static_cast<std::size_t>(span.track)];
        const AscendPart part = parts[processOf(track.rank).index()];
        if (part == AscendPart::None || span.activity != ActivityKind::Other)
            continue;
        span.trust = Trust::Device;
        span.activity = ascendKind(part, track, trace.nameOf(span), names.kernelKind(span.name));
    }
}

} // namespace

void findNamedDevices(Trace& trace, const TraceNames& names, std::size_t firstTrack,
                      EventFile& file)
{
    findXlaDevices(trace, names, firstTrack, file);
    findAscendDevices(trace, names, firstTrack, file);
}

} // namespace pw
