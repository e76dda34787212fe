// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/offload_report.h"

#include "app/text_table.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/io/offload_text.h"
#include "core/sim/host_copies.h"

#include <algorithm>
#include <vector>

namespace pw::app {

namespace {

std::string linkText(const Link& link)
{
    std::string text = link.bytesPerSecond > 0
                           ? plainNumber(link.bytesPerSecond / 1e9) + " GB/s in either direction"
                           : "a link that carries any size at once";
    if (link.latency > 0)
        text += ", " + timeText(link.latency) + " a copy beside";
    return text;
}

/// Why all copies are empty.
std::string noSizeText(const Study& study)
{
    const std::vector<ActivationCost>& activations = study.costs.costs.activation;
    const bool anySize = std::any_of(activations.begin(), activations.end(),
                                     [](const ActivationCost& one) { return one.activation > 0; });
    return anySize
               ? "; what recomputation keeps has no size, so that a copy takes no time: --stash "
                 "says which part of an activation it is"
               : "; activations have no size, so that a copy takes no time: --activation or a "
                 "model gives them one";
}

void writeCopies(JsonText& json, const SimResult& result)
{
    json.key("copies");
    json.beginArray();
    for (const HostCopy& copy : result.copies) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("device", copy.device);
        json.member("stage", copy.cell.stage);
        json.member("micro_batch", copy.cell.microBatch);
        json.member("segment", copy.cell.segment);
        json.member("bytes", copy.bytes);
        json.member("out_start_ms", msFromTicks(copy.outStart));
        json.member("out_end_ms", msFromTicks(copy.outEnd));
        json.member("back_start_ms", msFromTicks(copy.backStart));
        json.member("back_end_ms", msFromTicks(copy.backEnd));
        json.member("wait_ms", msFromTicks(copy.wait));
        json.endObject();
    }
    json.endArray();
}

} // namespace

std::string offloadText(const Study& study, const SimResult& result, const Screen& screen)
{
    if (result.copies.empty())
        return {};
    TextTable table(screen, {{"device"},
                             {"activations"},
                             {"there"},
                             {"copying", "both ways"},
                             {"hidden"},
                             {"waited for"},
                             {"most", "on the host"}});
    Bytes all = 0;
    for (const DeviceId device : Ids<DeviceId>(study.schedule.devices())) {
        const HostTraffic traffic = hostTraffic(result, device);
        all += traffic.bytes;
        table.append({std::to_string(device), std::to_string(traffic.cells),
                      byteText(traffic.bytes), timeText(traffic.copying),
                      percentText(traffic.hidden()), timeText(traffic.waiting),
                      byteText(traffic.peakOnHost)});
    }
    std::string note = "over " + linkText(study.costs.costs.offload.link);
    if (all == 0)
        note += noSizeText(study);
    return screen.bold("Activations in the host's memory") + "\n" +
           screen.paint(wrapped(note, screen.width), Role::Secondary) + "\n" + table.text();
}

void writeOffload(JsonText& json, const Study& study, const SimResult& result, bool copies)
{
    if (result.copies.empty())
        return;
    const Offload& offload = study.costs.costs.offload;
    json.key("offload");
    json.beginObject();
    json.member("cells", std::string_view(pw::offloadText(offload.cells, study.schedule.spec())));
    json.member("latency_ms", msFromTicks(offload.link.latency));
    json.member("bytes_per_second", offload.link.bytesPerSecond);
    json.key("per_device");
    json.beginArray();
    for (const DeviceId device : Ids<DeviceId>(study.schedule.devices())) {
        const HostTraffic traffic = hostTraffic(result, device);
        json.beginObject(JsonText::Layout::OneLine);
        json.member("device", device);
        json.member("activations", traffic.cells);
        json.member("bytes", traffic.bytes);
        json.member("copying_ms", msFromTicks(traffic.copying));
        json.member("hidden", traffic.hidden());
        json.member("waiting_ms", msFromTicks(traffic.waiting));
        json.member("peak_on_host_bytes", traffic.peakOnHost);
        json.endObject();
    }
    json.endArray();
    if (copies)
        writeCopies(json, result);
    json.endObject();
}

} // namespace pw::app
