// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/block_times.h"
#include "app/file_options.h"
#include "app/gantt.h"
#include "app/model_options.h"
#include "app/study.h"
#include "app/study_shape.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/block/arrangement.h"
#include "core/block/check.h"
#include "core/block/collisions.h"
#include "core/block/lifespan.h"
#include "core/io/json_text.h"
#include "core/sim/metrics.h"

#include <algorithm>
#include <optional>
#include <ostream>

namespace pw::app::commands {

namespace {

/// A block, and what follows from repeating it.
struct Findings
{
    std::string title;
    BuildingBlock block;
    int microBatches = 1;
    std::vector<Collision> collisions;
    std::vector<DeviceLifespans> lifespans;
    std::vector<Share> predicted;    ///< by device, for the micro-batches
    std::vector<Share> unrolled;     ///< by device; empty where the block collides
    std::optional<BlockTimes> times; ///< where costs are given, and it does not collide
};

tl::expected<Findings, Failure> findingsOf(const BlockStudy& study, const Retention& keep)
{
    Findings found;
    found.title = study.title;
    found.block = study.block;
    found.microBatches = study.microBatches;
    PW_DO(check(study.block));
    PW_DO(check(specOf(study.block, study.microBatches)));
    found.collisions = collisions(study.block);
    found.lifespans = lifespans(study.block, keep);
    found.predicted = predictedPeak(study.block, study.microBatches, keep);
    if (found.collisions.empty()) {
        PW_TRY(const Arrangement arrangement, repeat(study.block, study.microBatches));
        found.unrolled = peaksOf(arrangement, keep);
    }
    return found;
}

std::string jsonOf(const Findings& found)
{
    JsonText json;
    json.beginObject();
    json.member("title", std::string_view(found.title));
    json.member("devices", found.block.devices);
    json.member("interval", found.block.interval);
    json.member("micro_batches_in_block", found.block.microBatches);
    json.member("micro_batches", found.microBatches);
    if (found.times) {
        json.member("interval_ms", msFromTicks(found.times->interval));
        json.member("makespan_ms", msFromTicks(found.times->result.makespan));
    }
    json.key("collisions");
    json.beginArray();
    for (const Collision& collision : found.collisions) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("device", collision.device);
        json.member("residue", collision.residue);
        json.member("text", std::string_view(collision.text(found.block)));
        json.endObject();
    }
    json.endArray();
    json.key("lifespans");
    json.beginArray();
    for (std::size_t d = 0; d < found.lifespans.size(); ++d) {
        for (std::size_t i = 0; i < found.lifespans[d].cells.size(); ++i) {
            const Lifespan& lifespan = found.lifespans[d].cells[i];
            json.beginObject(JsonText::Layout::OneLine);
            json.member("device", static_cast<int>(d));
            json.member("route", static_cast<int>(lifespan.forward.route));
            json.member("stage", lifespan.forward.stage);
            json.member("micro_batch", lifespan.forward.microBatch);
            json.member("segment", lifespan.forward.segment);
            json.member("start", lifespan.start);
            json.member("end", lifespan.end);
            json.member("share_mb", microBatchesFromShare(lifespan.share));
            if (found.times) {
                json.member("length_ms", msFromTicks(found.times->cells[d][i].length));
                json.member("bytes", found.times->cells[d][i].bytes);
            }
            json.endObject();
        }
    }
    json.endArray();
    json.key("per_device");
    json.beginArray();
    for (std::size_t d = 0; d < found.lifespans.size(); ++d) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("device", static_cast<int>(d));
        json.member("steady_peak_mb", microBatchesFromShare(found.lifespans[d].peak));
        json.member("bound_mb", microBatchesFromShare(found.lifespans[d].bound));
        json.member("predicted_peak_mb", microBatchesFromShare(found.predicted[d]));
        json.key("real_peak_mb");
        if (found.unrolled.empty())
            json.null();
        else
            json.value(microBatchesFromShare(found.unrolled[d]));
        if (found.times) {
            const DeviceResult& device = found.times->result.devices[d];
            json.member("busy_ms", msFromTicks(device.busy));
            json.member("real_peak_bytes", device.peakActivation);
        }
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.text();
}

/// The block on its devices as it is drawn; empty where its own passes overlap.
std::string drawing(const BuildingBlock& block, const Screen& screen)
{
    if (!collisions(block).empty())
        return {};
    const Result<Arrangement> once = repeat(block, block.microBatches);
    if (!once)
        return {};
    const Result<Schedule> schedule = scheduleOf(*once);
    if (!schedule)
        return {};
    return gantt(*schedule, timesOf(*once), screen, Unit{"", 1});
}

std::string lifespanTable(const Findings& found, const Screen& screen)
{
    constexpr std::size_t most = 128;
    std::size_t count = 0;
    using Align = TextTable::Align;
    std::vector<TextTable::Column> heads = {
        {"device"},   {"stage"},     {"F starts", "", Align::Right, 3},  {"freed"},
        {"lifespan"}, {"intervals"}, {"of share", "mb", Align::Right, 3}};
    if (found.times) {
        heads.push_back({"lives", "", Align::Right, 3});
        heads.push_back({"holds"});
    }
    TextTable table(screen, heads);
    for (std::size_t d = 0; d < found.lifespans.size(); ++d) {
        for (std::size_t i = 0; i < found.lifespans[d].cells.size(); ++i) {
            const Lifespan& lifespan = found.lifespans[d].cells[i];
            if (++count > most)
                continue;
            std::string stage = std::to_string(lifespan.forward.stage);
            if (found.block.routes.size() > 1)
                stage = "route " + std::to_string(lifespan.forward.route) + ", " + stage;
            std::vector<std::string> cells = {
                std::to_string(d),
                stage,
                std::to_string(lifespan.start),
                std::to_string(lifespan.end),
                std::to_string(lifespan.length()),
                std::to_string(lifespan.intervals(found.block.interval)),
                plainNumber(microBatchesFromShare(lifespan.share))};
            if (found.times) {
                const TimedLifespan& one = found.times->cells[d][i];
                cells.push_back(timeText(one.length));
                cells.push_back(found.times->sized ? byteText(one.bytes) : "–");
            }
            table.append(std::move(cells));
        }
    }
    return table.text() + (count > most ? "  … and " + std::to_string(count - most) +
                                              " more; --json has them all\n"
                                        : "");
}

std::string peakTable(const Findings& found, const Screen& screen)
{
    std::vector<double> steady, predicted, unrolled;
    for (std::size_t d = 0; d < found.lifespans.size(); ++d) {
        steady.push_back(microBatchesFromShare(found.lifespans[d].peak));
        predicted.push_back(microBatchesFromShare(found.predicted[d]));
        if (!found.unrolled.empty())
            unrolled.push_back(microBatchesFromShare(found.unrolled[d]));
    }
    const std::vector<std::string> steadyTexts = columnNumbers(steady),
                                   predictedTexts = columnNumbers(predicted),
                                   unrolledTexts = columnNumbers(unrolled);
    const std::string with = " of " + std::to_string(found.microBatches);
    std::vector<TextTable::Column> heads = {{"device"},
                                            {"peak for ever", "mb", TextTable::Align::Right, 3},
                                            {"predicted" + with, "mb"},
                                            {"real" + with, "mb"}};
    const bool sized = found.times && found.times->sized;
    if (sized)
        heads.push_back({"", "bytes"});
    if (found.times)
        heads.push_back({"works", "", TextTable::Align::Right, 3});
    TextTable table(screen, heads);
    for (std::size_t d = 0; d < steady.size(); ++d) {
        std::vector<std::string> cells = {std::to_string(d), steadyTexts[d], predictedTexts[d],
                                          unrolledTexts.empty() ? "–" : unrolledTexts[d]};
        if (sized)
            cells.push_back(byteText(found.times->result.devices[d].peakActivation));
        if (found.times)
            cells.push_back(timeText(found.times->result.devices[d].busy));
        table.append(std::move(cells));
    }
    return table.text();
}

std::string textOf(const Findings& found, const Screen& screen)
{
    const BuildingBlock& block = found.block;
    std::string out = screen.bold(found.title) + "  building block of " +
                      countText(block.devices, "device") + ", " +
                      countText(block.microBatches, "micro-batch", "micro-batches") + " every " +
                      countText(block.interval, "unit") + " of time\n\n";
    if (const std::string lanes = drawing(block, screen); !lanes.empty())
        out += lanes + "\n";
    if (found.collisions.empty()) {
        out += "No collisions: the block can be repeated for ever.\n\n";
    } else {
        out += screen.paint(countText(found.collisions.size(), "collision"), Role::Refusal) + "\n";
        for (const Collision& collision : found.collisions)
            out += wrapped(collision.text(block), screen.width, 4, 2);
        out += "\n";
    }
    if (found.times) {
        out += wrapped(found.times->costsText, screen.width);
        out += wrapped("A repetition every " + timeText(found.times->interval) +
                           " at best, the work of the busiest device; " +
                           countText(found.microBatches, "micro-batch", "micro-batches") +
                           " take " + timeText(found.times->result.makespan),
                       screen.width) +
               "\n";
    }
    return out + lifespanTable(found, screen) + "\n" + peakTable(found, screen);
}

/// Whether more is said than which part of an activation stays for W: that needs no unit.
bool saysTimesOrBytes(const Arguments& arguments)
{
    const std::vector<Option> options = costOptions();
    return std::any_of(options.begin(), options.end(), [&arguments](const Option& option) {
        return option.name != "kept-for-weight" && option.name != "memory-limit" &&
               arguments.has(option.name);
    });
}

Outcome runBlock(const Arguments& arguments, Console& console)
{
    PW_TRY(const BlockStudy study, blockOf(arguments.words()[0], arguments));
    Retention keep;
    keep.keptForWeight = arguments.number("kept-for-weight", keep.keptForWeight);
    PW_TRY(Findings found, findingsOf(study, keep));
    PW_DO(checkModelFields(arguments, false));
    if (saysTimesOrBytes(arguments) && found.collisions.empty()) {
        PW_TRY(found.times,
               blockTimes(found.block, found.microBatches, found.lifespans, arguments));
    }
    console.out << (arguments.has("json") ? jsonOf(found) : textOf(found, console.screen));
    if (!found.collisions.empty())
        return wrong("the block collides with its own repetitions");
    return ExitCode::Good;
}

std::vector<Option> optionsOfBlock()
{
    std::vector<Option> all = shapeOptions();
    // A block is of one micro-batch of one pipeline.
    for (const Option& other : reshapeOptions())
        std::erase_if(all, [&](const Option& one) { return one.name == other.name; });
    for (const std::vector<Option>& more : {costOptions(), fileOptions()})
        all.insert(all.end(), more.begin(), more.end());
    appendModelFields(all);
    all.push_back({.name = "json", .summary = "for programs: one object", .section = "Output"});
    return all;
}

} // namespace

Command block()
{
    Command command;
    command.name = "block";
    command.group = CommandGroup::Design;
    command.summary = "the building block of a schedule: lifespans, collisions, peaks";
    command.words = "FAMILY|FILE";
    command.about =
        "Takes the block of a family, or of a project file, and repeats it at its interval: which "
        "passes collide, how long each stage keeps its activation, the peak that follows from "
        "that, and the real peak of the unrolled schedule.\n"
        "With times or sizes of passes, or --model, lifespans and peaks are in milliseconds and "
        "bytes too: those of the order that repeating makes, each pass as soon as it can.\n"
        "Exit code 1 if the block collides.";
    command.examples = {"pipewright block 1f1b", "pipewright block 1f1b --devices 8 --json",
                        "pipewright block v-half --model gpt-22b --micro-batches 8"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = optionsOfBlock;
    command.run = runBlock;
    return command;
}

} // namespace pw::app::commands
