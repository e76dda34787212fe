// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/communication_options.h"
#include "app/communication_report.h"
#include "app/file_options.h"
#include "app/model_options.h"
#include "app/standard_input.h"
#include "app/study.h"
#include "core/base/try.h"
#include "core/communication/torch_listing.h"
#include "core/io/file_problem.h"
#include "core/model/offload.h"

#include <ostream>

namespace pw::app::commands {

namespace {

namespace comms = pw::communication;

/// A communicating file of PyTorch's runtime as it stands there; none where the word is not one.
tl::expected<std::optional<comms::TorchListing>, Failure> listingOfFile(const std::string& word,
                                                                        const Arguments& arguments)
{
    const bool saysSo =
        arguments.has("from")
            ? arguments.text("from") == pw::name(FileFormat::TorchCsv)
            : formatOfPath(word).value_or(FileFormat::TorchCsv) == FileFormat::TorchCsv;
    if (word == standardInput || !saysSo)
        return std::nullopt;
    PW_TRY(const std::string content, readFile(word, maxTorchCsvBytes));
    std::optional<TorchDialect> dialect;
    if (arguments.has("dialect"))
        dialect =
            arguments.text("dialect") == "older" ? TorchDialect::Older : TorchDialect::Current;
    const TorchCsv csv = parseTorchCsv(content, dialect);
    if (!csv.communicates || !csv.problems.none())
        return std::nullopt;
    Result<comms::TorchListing> listing = comms::listingOf(csv);
    if (!listing)
        return wrong(word + ": " + listing.error().message);
    return std::optional<comms::TorchListing>(std::move(*listing));
}

Outcome runCommunication(const Arguments& arguments, Console& console)
{
    const std::string& word = arguments.words()[0];
    PW_TRY(const Study study, studyOf(word, arguments));
    PW_DO(refuseOffload(study.costs.costs, study.schedule.spec(),
                        "sends and receives are played without copies to the host"));
    PW_TRY(const auto lowering, loweringOf(arguments));
    Costs costs = study.costs.costs;
    const Schedule& schedule = study.schedule;
    if (const auto bytes = messageBytesOf(arguments)) {
        costs.forwardMessage.assign(costs.forward.size(), *bytes);
        costs.backwardMessage.assign(costs.forward.size(), *bytes);
        PW_DO(check(costs, schedule.spec()));
    }
    PW_TRY(auto layers, expertLayersOf(arguments, study));
    if (!layers.empty())
        comms::setInnerTimes(costs, schedule.spec(), layers);
    CommunicationStudy told;
    told.layers = std::move(layers);
    told.title = study.title;
    told.schedule = &schedule;
    told.costs = &costs;
    told.shards = arguments.whole("shards", 8);
    std::optional<comms::TorchListing> file;
    if (study.family == nullptr && !study.reshaped && !placesAnew(arguments)) {
        PW_TRY(auto found, listingOfFile(word, arguments));
        file = std::move(found);
    }
    if (file) {
        told.origin = "sends and receives as the file has them";
        told.listing = std::move(file->listing);
    } else {
        PW_TRY(comms::Listing listing, comms::listingOf(schedule, lowering));
        told.origin = "sends and receives placed by the rules of PyTorch's runtime";
        if (lowering.receives != comms::ReceivePlace::AsSent)
            told.origin += ", receives " + arguments.text("receive");
        told.listing = std::move(listing);
    }
    PW_DO(checkGathers(arguments, told.listing));
    if (arguments.has("csv")) {
        PW_TRY(const TorchTable table, comms::torchTableOf(told.listing, schedule));
        console.out << writeTorchTable(table);
        return ExitCode::Good;
    }
    PW_TRY(const SimResult planned, simulate(schedule, costs));
    told.planned = planned.makespan;
    told.transport = transportOf(arguments, costs, schedule.spec());
    told.played = comms::play(told.listing, schedule, costs, told.transport);
    if (arguments.has("json")) {
        console.out << communicationJson(told, arguments.has("list"));
    } else {
        console.out << communicationText(told, console.screen);
        if (arguments.has("list"))
            console.out << "\n" << listingLines(told, console.screen);
    }
    return told.played.whole && told.played.mixed.empty() ? ExitCode::Good : ExitCode::Wrong;
}

std::vector<Option> optionsOfCommunication()
{
    std::vector<Option> all = shapeOptions();
    for (const std::vector<Option>& more : {costOptions(), fileOptions()})
        all.insert(all.end(), more.begin(), more.end());
    appendModelFields(all);
    const std::vector<Option> own = communicationOptions();
    all.insert(all.end(), own.begin(), own.end());
    constexpr const char* section = "Output";
    all.push_back(
        {.name = "list", .summary = "what every rank does, in order", .section = section});
    all.push_back({.name = "csv",
                   .summary = "only the rows, as PyTorch loads them with format compute_comms",
                   .section = section});
    all.push_back({.name = "json",
                   .summary = "for programs: one object; with --list every action with its times",
                   .section = section});
    return all;
}

} // namespace

Command communication()
{
    Command command;
    command.name = "communication";
    command.group = CommandGroup::Design;
    command.summary = "a schedule's sends, receives and gathers as an engine executes them";
    command.words = "FAMILY|FILE";
    command.about =
        "Lists what every rank does, passes with the sends and receives between them, and plays "
        "it back with communicators that carry one message after another. It says when this ends, "
        "compared with the schedule alone, what communication is exposed, which buffers a rank "
        "needs, and, if ranks wait for each other in a ring, which actions form it.\n"
        "The order is that of PyTorch's pipelining runtime, letter for letter with --sharded. A "
        "PyTorch CSV that has sends and receives is taken as it is, unless an option places them "
        "anew.\n"
        "With --moe the passes are those of a model with experts, and pairs hide its all-to-all "
        "exchanges as DualPipe does; times are those of `pipewright plan`.\n"
        "Exposed is the time that a rank waits although what it waits for was computed. Slots are "
        "buffers that can be used again, counted from the order alone.\n"
        "Exit code 1 if ranks wait in a ring, or if messages would be mixed up.";
    command.examples = {
        "pipewright communication 1f1b --devices 2 --micro-batches 2 --list",
        "pipewright communication 1f1b --comm 0.2 --receive at-use --communicators direction",
        "pipewright communication zb-v --comm 0.1 --communicators edge --send-wait sent",
        "pipewright communication interleaved-1f1b --sharded --look-ahead auto --gather 0.3 --csv",
        "pipewright communication dualpipe --moe deepseek-v3 --moe-group 64"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = optionsOfCommunication;
    command.run = runCommunication;
    return command;
}

} // namespace pw::app::commands
