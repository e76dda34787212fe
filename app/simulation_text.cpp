// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/simulation_text.h"

#include "app/figures.h"
#include "app/text_table.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/sim/explain.h"
#include "core/sim/memory.h"

#include <algorithm>
#include <array>

namespace pw::app {

namespace {

/// The formula beside a value, and whether the two agree.
std::string formText(const Study& study, Quantity quantity, double simulated, const Screen& screen)
{
    const std::optional<FormValue> form = closedForm(study, quantity);
    if (!form)
        return {};
    const std::string value =
        isTime(quantity) ? timeText(static_cast<Ticks>(form->value)) : plainNumber(form->value);
    const std::string text = "= " + std::string(form->formula);
    return form->agrees(simulated) ? screen.paint(text, Role::Secondary)
                                   : "formula " + value + " " + screen.paint(text, Role::Secondary);
}

/// What the fullest device holds, by kind: "weights 2.1, activations 15.3".
std::string kindsText(const MemoryPoint& point, double unit)
{
    std::string text;
    for (int kind = 0; kind < memoryKindCount; ++kind) {
        const Bytes bytes = point.bytes[static_cast<std::size_t>(kind)];
        if (bytes > 0)
            text += (text.empty() ? "" : ", ") + std::string(name(static_cast<MemoryKind>(kind))) +
                    " " + plainNumber(static_cast<double>(bytes) / unit);
    }
    return text;
}

/// What an entry waited for, for the critical path.
std::string_view reasonText(WaitReason reason)
{
    switch (reason) {
    case WaitReason::Start:
        return "starts at once";
    case WaitReason::Order:
        return "after the pass before it";
    case WaitReason::Dependency:
        return "as soon as what it needs is there";
    case WaitReason::Message:
        return "when its message arrives";
    case WaitReason::Reload:
        return "when its activation is back from the host";
    case WaitReason::Memory:
        return "when there is memory";
    case WaitReason::Finished:
        return "";
    }
    return "";
}

} // namespace

std::string headingText(const Study& study, const Screen& screen)
{
    return screen.bold(study.title) + "  " + shapeText(study.schedule.spec()) + "\n" +
           screen.paint(wrapped(study.costs.wholeText(), screen.width), Role::Secondary);
}

std::string figuresText(const Study& study, const SimResult& result, const Screen& screen)
{
    const Figures figures = figuresOf(study.schedule, study.costs.costs, result);
    const Unit unit = timeUnit(figures.makespan);
    const auto units = [&unit](Ticks time) { return static_cast<double>(time) / unit.size; };
    const std::vector<std::string> numbers = columnNumbers(std::array<double, 3>{
        units(figures.makespan), units(figures.span.idle), units(figures.wall.idle)});
    const std::string name = " " + std::string(unit.name);
    using Align = TextTable::Align;
    TextTable table(screen, {{"", "", Align::Left},
                             {"", "", Align::Right, 3},
                             {"", "", Align::Left, 0},
                             {"", "", Align::Right, 3},
                             {"", "", Align::Left, 3}});
    const auto bubble = [&](const char* title, Quantity quantity, const std::string& number,
                            const Bubble& idle) {
        table.append({title, screen.bold(number), name, tablePercent(idle.rate()),
                      formText(study, quantity, static_cast<double>(idle.idle), screen)});
    };
    table.append(
        {"makespan", screen.bold(numbers[0]), name, "",
         formText(study, Quantity::Makespan, static_cast<double>(figures.makespan), screen)});
    bubble("span bubble", Quantity::SpanBubble, numbers[1], figures.span);
    if (const auto published = publishedForm(study, Quantity::SpanBubble)) {
        table.append({"  as published",
                      columnNumbers(std::array<double, 1>{published->value / unit.size})[0], name,
                      tablePercent(rateBeside(figures.span, published->value)),
                      screen.paint(std::string(published->formula) + ", " +
                                       std::string(published->condition),
                                   Role::Secondary)});
    }
    bubble("wall bubble", Quantity::WallBubble, numbers[2], figures.wall);
    table.append({"peak activation", screen.bold(plainNumber(figures.peakMicroBatches)), " mb",
                  figures.peakBytes > 0 ? byteText(figures.peakBytes) : "",
                  formText(study, Quantity::PeakActivation, figures.peakMicroBatches, screen)});
    const Bytes memory = figures.memory.total();
    const bool more = memory > figures.peakBytes;
    if (more) {
        const Bytes cap = study.costs.costs.memoryCap.empty()
                              ? 0
                              : *std::min_element(study.costs.costs.memoryCap.begin(),
                                                  study.costs.costs.memoryCap.end());
        const Unit bytes = byteUnit(memory);
        table.append({"peak memory",
                      screen.bold(plainNumber(static_cast<double>(memory) / bytes.size)),
                      " " + std::string(bytes.name), "",
                      cap > 0 ? screen.paint("of " + byteText(cap), Role::Secondary) : ""});
    }
    if (!more)
        return table.text();
    const std::string kinds = "device " + std::to_string(figures.memory.device) + ", " +
                              std::string(byteUnit(memory).name) + ": " +
                              kindsText(figures.memory.point, byteUnit(memory).size);
    return table.text() + screen.paint(wrapped(kinds, screen.width, 4, 2), Role::Secondary);
}

std::string devicesText(const SimResult& result, const Screen& screen)
{
    const std::size_t count = result.devices.size();
    const Unit unit = timeUnit(result.makespan);
    std::array<std::vector<double>, 7> values;
    for (std::size_t d = 0; d < count; ++d) {
        const DeviceResult& device = result.devices[d];
        const DeviceId number(d);
        const std::array<double, 7> row = {
            static_cast<double>(device.busy) / unit.size,
            static_cast<double>(device.firstStart) / unit.size,
            static_cast<double>(device.lastEnd) / unit.size,
            static_cast<double>(spanBubble(result, number).idle) / unit.size,
            static_cast<double>(wallBubble(result, number).idle) / unit.size,
            microBatchesFromShare(device.peakShare),
            static_cast<double>(device.peakActivation)};
        for (std::size_t c = 0; c < row.size(); ++c)
            values[c].push_back(row[c]);
    }
    const bool bytes = peakActivation(result) > 0;
    const Unit byteSize = byteUnit(peakActivation(result));
    for (double& size : values[6])
        size /= byteSize.size;
    const std::string time(unit.name);
    std::vector<TextTable::Column> columns = {{"device"},
                                              {"busy", time},
                                              {"start", time},
                                              {"end", time},
                                              {"span bubble", time, TextTable::Align::Right, 3},
                                              {"wall bubble", time},
                                              {"peak", "mb", TextTable::Align::Right, 3}};
    if (bytes)
        columns.push_back({"peak", std::string(byteSize.name)});
    std::array<std::vector<std::string>, 7> texts;
    for (std::size_t c = 0; c < values.size(); ++c)
        texts[c] = columnNumbers(values[c]);
    TextTable table(screen, columns);
    for (std::size_t d = 0; d < count; ++d) {
        std::vector<std::string> row = {std::to_string(d)};
        for (std::size_t c = 0; c < (bytes ? 7U : 6U); ++c)
            row.push_back(texts[c][d]);
        table.append(row);
    }
    return table.text();
}

std::string gapsText(const Study& study, const SimResult& result, const Screen& screen)
{
    constexpr std::size_t most = 12; // of a device
    using Align = TextTable::Align;
    std::string out = screen.bold("Idle time") + "\n";
    TextTable table(screen, {{"device"}, {"from"}, {"to"}, {"idle"}, {"", "", Align::Left}});
    for (const DeviceId device : Ids<DeviceId>(study.schedule.devices())) {
        const std::vector<Gap> all = gaps(study.schedule, study.costs.costs, result, device);
        for (std::size_t i = 0; i < std::min(all.size(), most); ++i)
            table.append({std::to_string(device), timeText(all[i].start), timeText(all[i].end),
                          timeText(all[i].end - all[i].start), all[i].text});
        if (all.size() > most)
            table.append(
                {std::to_string(device), "", "", "",
                 "… and " + std::to_string(all.size() - most) + " more gaps; --json has them all"});
    }
    return out + table.text();
}

std::string criticalPathText(const Study& study, const SimResult& result, const Screen& screen)
{
    constexpr std::size_t most = 60;
    const Schedule& schedule = study.schedule;
    const std::vector<CriticalEntry> path = criticalPath(schedule, study.costs.costs, result);
    using Align = TextTable::Align;
    TextTable table(
        screen,
        {{"start"}, {"time"}, {"device"}, {"pass", "", Align::Left}, {"", "", Align::Left}});
    const std::size_t shown = path.size() <= most ? path.size() : most;
    for (std::size_t i = 0; i < shown; ++i) {
        const auto at = static_cast<std::size_t>(path[i].entry);
        const OrderEntry entry = schedule.entry(path[i].entry);
        std::string passes = describe(entry.pass, schedule.spec());
        if (entry.paired)
            passes += " with " + describe(entry.partner, schedule.spec());
        table.append({timeText(result.start[at]), timeText(result.end[at] - result.start[at]),
                      std::to_string(schedule.device(schedule.table().id(entry.pass))), passes,
                      screen.paint(reasonText(path[i].reason), Role::Secondary)});
    }
    std::string out = screen.bold("Critical path") + "\n" + table.text();
    if (shown < path.size())
        out += "  … and " + std::to_string(path.size() - shown) + " more; --json has them all\n";
    return out;
}

} // namespace pw::app
