// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/backend_access.h"
#include "app/interrupt.h"
#include "app/model_options.h"
#include "app/prepare_run.h"
#include "app/progress.h"
#include "app/standard_input.h"
#include "app/study.h"
#include "app/text_table.h"
#include "app/training.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/families/default_family.h"
#include "executor/calibrate/calibration.h"

#include <algorithm>
#include <optional>
#include <ostream>

namespace pw::app::commands {

namespace {

constexpr const char* defaultFile = "costs.json";

std::string ms(Ticks time)
{
    return plainNumber(msFromTicks(time));
}

std::string us(Ticks time)
{
    constexpr double ticksPerUs = 1e3;
    return plainNumber(static_cast<double>(time) / ticksPerUs);
}

std::string passesText(const CostsFile& file, const Screen& screen)
{
    using Align = TextTable::Align;
    const bool segments = file.segmentLengths.size() > 1;
    std::vector<TextTable::Column> columns = {{"pass", "", Align::Left}, {"stage"}};
    if (segments)
        columns.push_back({"segment"});
    columns.insert(columns.end(),
                   {{"median", "ms"}, {"quartiles", "ms", Align::Left}, {"mean", "ms"}, {"of"}});
    TextTable table(screen, columns);
    for (const MeasuredPass& pass : file.passes) {
        std::vector<std::string> row = {pass.paired ? "F+BW" : std::string(name(pass.kind)),
                                        std::to_string(pass.stage)};
        if (segments)
            row.push_back(std::to_string(pass.segment));
        row.insert(row.end(),
                   {screen.bold(ms(pass.time.median)), ms(pass.time.low) + "–" + ms(pass.time.high),
                    ms(pass.time.mean), std::to_string(pass.time.count)});
        table.append(std::move(row));
    }
    return table.text();
}

std::string messagesText(const CostsFile& file, const Screen& screen)
{
    if (file.messages.empty())
        return {};
    using Align = TextTable::Align;
    TextTable table(
        screen, {{"message", "KiB"}, {"median", "µs"}, {"quartiles", "µs", Align::Left}, {"of"}});
    constexpr double kibibyte = 1024;
    for (const MeasuredMessage& message : file.messages) {
        table.append({plainNumber(static_cast<double>(message.bytes) / kibibyte),
                      screen.bold(us(message.time.median)),
                      us(message.time.low) + "–" + us(message.time.high),
                      std::to_string(message.time.count)});
    }
    std::string fitted = "fitted: " + timeText(file.link.latency);
    constexpr double giga = 1e9;
    fitted += file.link.bytesPerSecond > 0
                  ? " and " + plainNumber(file.link.bytesPerSecond / giga) + " GB/s"
                  : ", whatever the size";
    return table.text() + "  " + fitted + "\n";
}

std::string textOf(const CostsFile& file, const Screen& screen)
{
    std::string text = passesText(file, screen);
    text += "\n  launch gap " + us(file.launchGap.median) + " µs (" + us(file.launchGap.low) + "–" +
            us(file.launchGap.high) + "), part of every predicted pass\n";
    if (const std::string messages = messagesText(file, screen); !messages.empty())
        text += "\n" + messages;
    return text;
}

/// What is to be measured: the passes of a schedule, by the training that the arguments ask for.
tl::expected<exec::CalibrationRequest, Failure>
requestOf(const Arguments& arguments, const Study& study, exec::Backend& backend)
{
    const PipelineSpec& spec = study.schedule.spec();
    exec::CalibrationRequest request = exec::calibrationFor(study.schedule);
    request.forms = exec::CalibrationRequest().forms; // whatever else may be asked of the file
    const bool emulated = isEmulated(backend);
    if (const auto given = givenTrainingOption(arguments); emulated && given)
        return usage("--" + *given + " is for a backend that trains, such as --backend cpu");
    PW_TRY(const Training training,
           emulated ? withoutTraining(spec) : trainingOf(arguments, study.schedule, backend));
    if (emulated)
        request.modelled = study.costs.costs;
    request.model = training.model;
    request.split = training.split;
    request.optimizer = training.optimizer;
    request.seed = training.seed;
    request.iterations = arguments.whole("iterations", request.iterations);
    request.warmup = arguments.whole("warmup", request.warmup);
    return request;
}

/// Prints what was measured and writes it where the arguments say.
Outcome hand(const CostsFile& file, const Arguments& arguments, Console& console)
{
    const std::string path = arguments.text("output", defaultFile);
    const bool json = arguments.has("json");
    if (json) {
        console.out << writeCosts(file);
    } else {
        console.out << (file.model.empty() ? "" : "trains " + file.model + "\n") << "\n"
                    << textOf(file, console.screen);
    }
    if (!json || arguments.has("output")) {
        PW_DO(saveCosts(file, path));
        if (!json)
            console.out << "\nwritten to " << path << "; --costs " << path << " reads it\n";
    }
    return ExitCode::Good;
}

Outcome runCalibrate(const Arguments& arguments, Console& console)
{
    exec::Stop stop;
    const Interrupt interrupt(stop);
    PW_TRY(BackendAccess access, BackendAccess::join());
    if (!access.leads())
        return access.serve(stop);
    const std::string word =
        arguments.words().empty() ? std::string(defaultFamily) : arguments.words()[0];
    const tl::expected<Study, Failure> study = [&] {
        const EndAtOnce searching; // which may take minutes, and leaves nothing half done
        return studyOf(word, arguments, OtherParameters::Refuse,
                       {.measured = nullptr, .trains = true});
    }();
    if (!study)
        return tl::unexpected<Failure>(study.error());
    std::optional<Attendance> attendance;
    if (arguments.has("attended"))
        attendance.emplace(stop);
    const PipelineSpec& spec = study->schedule.spec();
    std::string reason;
    PW_TRY(std::unique_ptr<exec::Backend> backend, access.open(arguments, spec.devices, reason));
    PW_TRY(exec::CalibrationRequest request, requestOf(arguments, *study, *backend));
    const bool json = arguments.has("json");
    if (!json) {
        if (const std::string fitted = fitText(arguments, request.model); !fitted.empty())
            console.out << fitted << "\n";
        console.out << "on " << reason << "; " << countText(spec.devices, "device") << ", "
                    << countText(spec.stages(), "stage") << "\n"
                    << std::flush;
        request.progress = [&console](std::string_view what) {
            showStatus(console.err, "measuring " + std::string(what));
        };
    }
    const Result<CostsFile> file = exec::calibrate(*backend, request, stop);
    if (!json)
        showStatus(console.err, {});
    if (!file)
        return wrong(file.error());
    return hand(*file, arguments, console);
}

std::vector<Option> optionsOfCalibrate()
{
    std::vector<Option> all = shapeOptions();
    for (std::vector<Option>& more :
         std::vector<std::vector<Option>>{costOptions(), trainingOptions()})
        all.insert(all.end(), more.begin(), more.end());
    std::erase_if(all, [](const Option& option) { return option.name == "costs"; });
    appendModelFields(all);
    all.push_back(backendOption());
    for (const Option& option : planOptions()) {
        if (option.name == "iterations" || option.name == "warmup")
            all.push_back(option);
    }
    all.push_back(attendedOption());
    for (Option& option : all) {
        if (option.name == "iterations")
            option.summary = "of each form of schedule (default 10)";
        else if (option.name == "warmup")
            option.summary = "run before, not counted (default 2)";
    }
    constexpr const char* section = "Output";
    all.push_back(
        {.name = "output",
         .kind = ValueKind::Text,
         .placeholder = "FILE",
         .summary = "the costs file (default costs.json; with --json only standard output)",
         .section = section});
    all.push_back(
        {.name = "json", .summary = "the costs file on standard output", .section = section});
    return all;
}

} // namespace

Command calibrate()
{
    Command command;
    command.name = "costs calibrate";
    command.group = CommandGroup::Plan;
    command.summary = "measures what passes and messages take here, and writes a costs file";
    command.words = "[FAMILY|FILE]";
    command.about =
        "Measures F, B, W, BW, R and U of every stage and segment, the gap between two passes and "
        "the time of messages, on all devices side by side as in a real run. The schedule that is "
        "named (default 1f1b) gives the shape: devices, stages, segments; the orders that are run "
        "have every kind of pass.\n"
        "simulate, compare and run read the file with --costs, for any schedule with as many "
        "stages and segments.";
    command.examples = {"pipewright costs calibrate --backend emulated --devices 2 --iterations 2",
                        "pipewright costs calibrate zb-v --devices 2 --size tiny --iterations 3 "
                        "--backend cpu --output zb-v.costs.json"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 0;
    command.maximumWords = 1;
    command.options = optionsOfCalibrate;
    command.run = runCalibrate;
    return command;
}

} // namespace pw::app::commands
