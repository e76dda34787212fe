// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/figures.h"
#include "app/gantt.h"
#include "app/number_text.h"
#include "app/study.h"
#include "app/text_table.h"
#include "core/io/json_text.h"

#include <array>
#include <ostream>

namespace pw::app::commands {

namespace {

constexpr std::array<Quantity, 5> allQuantities = {Quantity::SpanBubble, Quantity::WallBubble,
                                                   Quantity::Makespan, Quantity::PeakActivation,
                                                   Quantity::WeightVersions};

bool isTime(Quantity quantity)
{
    return quantity != Quantity::PeakActivation && quantity != Quantity::WeightVersions;
}

void writeContext(JsonText& json, const Study& study)
{
    const PipelineSpec& spec = study.schedule.spec();
    json.key("family");
    if (study.family != nullptr)
        json.value(study.family->id);
    else
        json.null();
    json.member("title", std::string_view(study.title));
    json.member("devices", spec.devices);
    json.member("micro_batches", spec.microBatches);
    json.member("steps", spec.steps);
    json.member("stages", spec.stages());
    json.member("segments", spec.segments());
    json.member("routes", spec.routeCount());
    json.key("parameters");
    json.beginObject(JsonText::Layout::OneLine);
    if (study.family != nullptr) {
        for (const Parameter& parameter : study.family->parameters)
            json.member(parameter.name,
                        parameterValue(*study.family, study.options, parameter.name));
    }
    json.endObject();
}

void writeForms(JsonText& json, const Study& study)
{
    json.key("closed_forms");
    json.beginArray();
    for (const Quantity quantity : allQuantities) {
        const std::optional<FormValue> form = closedForm(study, quantity);
        if (!form)
            continue;
        json.beginObject(JsonText::Layout::OneLine);
        json.member("quantity", jsonName(quantity));
        json.member("value", isTime(quantity) ? form->value / ticksPerMs : form->value);
        json.member("formula", form->formula);
        json.member("condition", form->condition);
        json.endObject();
    }
    json.endArray();
}

void writeDevices(JsonText& json, const SimResult& result)
{
    json.key("per_device");
    json.beginArray();
    for (std::size_t d = 0; d < result.devices.size(); ++d) {
        const DeviceResult& device = result.devices[d];
        const int number = static_cast<int>(d);
        json.beginObject(JsonText::Layout::OneLine);
        json.member("device", number);
        json.member("busy_ms", msFromTicks(device.busy));
        json.member("first_start_ms", msFromTicks(device.firstStart));
        json.member("last_end_ms", msFromTicks(device.lastEnd));
        json.member("span_bubble_ms", msFromTicks(spanBubble(result, number).idle));
        json.member("wall_bubble_ms", msFromTicks(wallBubble(result, number).idle));
        json.member("peak_activation_mb", microBatchesFromShare(device.peakShare));
        json.member("peak_activation_bytes", device.peakActivation);
        json.endObject();
    }
    json.endArray();
}

void writePass(JsonText& json, int device, const Pass& pass, Ticks start, Ticks end)
{
    json.beginObject(JsonText::Layout::OneLine);
    json.member("device", device);
    json.member("kind", name(pass.kind));
    json.member("route", static_cast<int>(pass.route));
    json.member("stage", pass.stage);
    json.member("micro_batch", pass.microBatch);
    json.member("segment", pass.segment);
    json.member("start_ms", msFromTicks(start));
    json.member("end_ms", msFromTicks(end));
    json.endObject();
}

void writePasses(JsonText& json, const Schedule& schedule, const SimResult& result)
{
    json.key("passes");
    json.beginArray();
    for (int device = 0; device < schedule.devices(); ++device) {
        for (std::int32_t e = schedule.begin(device); e < schedule.end(device); ++e) {
            const OrderEntry entry = schedule.entry(e);
            const Ticks start = result.start[static_cast<std::size_t>(e)];
            const Ticks end = result.end[static_cast<std::size_t>(e)];
            writePass(json, device, entry.pass, start, end);
            if (entry.paired)
                writePass(json, device, entry.partner, start, end);
        }
    }
    json.endArray();
}

std::string jsonOf(const Study& study, const SimResult& result, bool passes)
{
    const Figures figures = figuresOf(result);
    JsonText json;
    json.beginObject();
    writeContext(json, study);
    json.member("makespan_ms", msFromTicks(figures.makespan));
    json.member("span_bubble_ms", msFromTicks(figures.span.idle));
    json.member("span_bubble_rate", figures.span.rate());
    json.member("wall_bubble_ms", msFromTicks(figures.wall.idle));
    json.member("wall_bubble_rate", figures.wall.rate());
    json.member("peak_activation_mb", figures.peakMicroBatches);
    json.member("peak_activation_bytes", figures.peakBytes);
    writeForms(json, study);
    writeDevices(json, result);
    if (passes)
        writePasses(json, study.schedule, result);
    json.endObject();
    return json.text();
}

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

std::string percent(double rate)
{
    return columnNumbers(std::array<double, 1>{100 * rate}, 2)[0] + " %";
}

std::string summary(const Study& study, const SimResult& result, const Screen& screen)
{
    const Figures figures = figuresOf(result);
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
        table.append({title, screen.bold(number), name, percent(idle.rate()),
                      formText(study, quantity, static_cast<double>(idle.idle), screen)});
    };
    table.append(
        {"makespan", screen.bold(numbers[0]), name, "",
         formText(study, Quantity::Makespan, static_cast<double>(figures.makespan), screen)});
    bubble("span bubble", Quantity::SpanBubble, numbers[1], figures.span);
    bubble("wall bubble", Quantity::WallBubble, numbers[2], figures.wall);
    table.append({"peak activation", screen.bold(plainNumber(figures.peakMicroBatches)), " mb",
                  figures.peakBytes > 0 ? byteText(figures.peakBytes) : "",
                  formText(study, Quantity::PeakActivation, figures.peakMicroBatches, screen)});
    return table.text();
}

std::string deviceTable(const SimResult& result, const Screen& screen)
{
    const std::size_t count = result.devices.size();
    const Unit unit = timeUnit(result.makespan);
    std::array<std::vector<double>, 7> values;
    for (std::size_t d = 0; d < count; ++d) {
        const DeviceResult& device = result.devices[d];
        const int number = static_cast<int>(d);
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

Outcome run(const Arguments& arguments, Console& console)
{
    if (arguments.has("passes") && !arguments.has("json"))
        return usage("--passes needs --json");
    const tl::expected<Study, Failure> study = studyOf(arguments.words()[0], arguments);
    if (!study)
        return tl::unexpected<Failure>(study.error());
    const Result<SimResult> result = simulate(study->schedule, study->costs.costs);
    if (!result)
        return wrong(result.error());

    const Screen& screen = console.screen;
    if (arguments.has("json")) {
        console.out << jsonOf(*study, *result, arguments.has("passes"));
    } else {
        console.out << screen.bold(study->title) << "  " << shapeText(study->schedule.spec())
                    << "\n"
                    << screen.paint(wrapped(study->costs.text, screen.width), Role::Secondary)
                    << "\n"
                    << summary(*study, *result, screen) << "\n";
        if (!arguments.has("no-gantt")) {
            const std::string drawing = gantt(study->schedule, *result, screen);
            console.out << drawing << (drawing.empty() ? "" : "\n");
        }
        console.out << deviceTable(*result, screen);
    }
    if (const std::string over = overLimit(*study, *result); !over.empty())
        return wrong(over);
    return ExitCode::Good;
}

std::vector<Option> options()
{
    std::vector<Option> all = shapeOptions();
    const std::vector<Option> costs = costOptions();
    all.insert(all.end(), costs.begin(), costs.end());
    constexpr const char* section = "Output";
    all.push_back({.name = "json", .summary = "for programs, on one object", .section = section});
    all.push_back({.name = "passes",
                   .summary = "with --json: start and end of every pass",
                   .section = section});
    all.push_back({.name = "no-gantt", .summary = "the numbers alone", .section = section});
    return all;
}

} // namespace

Command simulate()
{
    Command command;
    command.name = "simulate";
    command.summary = "times, bubbles and memory of one schedule";
    command.words = "FAMILY|FILE";
    command.about =
        "Gives every pass a start and an end, and shows the timeline with what follows from it: "
        "the makespan, the idle time, the activations that are alive at once.\n"
        "The span bubble is idle time between a device's own first start and last end; the wall "
        "bubble is idle time in the whole makespan. Both are of the device with the longest span. "
        "One mb is the activation of one micro-batch on a device's whole share of the model.\n"
        "Exit code 1 where the schedule cannot run, or needs more memory than --memory-limit.";
    command.examples = {"pipewright simulate zb-v",
                        "pipewright simulate 1f1b --devices 8 --micro-batches 32 --backward 2",
                        "pipewright simulate zb-h1 --comm 0.1 --json"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = options;
    command.run = run;
    return command;
}

} // namespace pw::app::commands
