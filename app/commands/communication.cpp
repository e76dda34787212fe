// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/communication_report.h"
#include "app/file_options.h"
#include "app/model_options.h"
#include "app/standard_input.h"
#include "app/study.h"
#include "core/communication/expert_pair.h"
#include "core/communication/torch_listing.h"
#include "core/io/file_problem.h"

#include <cmath>
#include <ostream>

namespace pw::app::commands {

namespace {

namespace comms = pw::communication;

constexpr const char* receiveName = "receive";
constexpr const char* lookAheadName = "look-ahead";
constexpr const char* moeName = "moe";

/// The options that place actions anew; without them a communicating file is taken as it is.
constexpr std::array<const char*, 7> placingOptions = {
    receiveName, "blocking-receives", "send-wait",  "receive-buffers",
    "sharded",   "active-stages",     lookAheadName};

std::optional<int> countIn(const std::string& text, int most)
{
    const std::optional<double> number = parseNumber(text);
    if (!number || *number < 0 || *number > most || *number != std::floor(*number))
        return std::nullopt;
    return static_cast<int>(*number);
}

tl::expected<void, Failure> readReceive(const Arguments& arguments, comms::Lowering& lowering)
{
    const std::string text = arguments.text(receiveName, "as-sent");
    constexpr std::string_view early = "early=";
    constexpr int most = 1'000'000;
    if (text == "at-use") {
        lowering.receives = comms::ReceivePlace::AtUse;
    } else if (text == "deferred") {
        lowering.receives = comms::ReceivePlace::Deferred;
    } else if (text.rfind(early, 0) == 0) {
        const std::optional<int> passes = countIn(text.substr(early.size()), most);
        if (!passes)
            return usage("--receive early=N takes a whole number of passes from 0 to 1,000,000, "
                         "not " +
                         quotedWord(text.substr(early.size())));
        lowering.receives = comms::ReceivePlace::Early;
        lowering.early = *passes;
    } else if (text != "as-sent") {
        return usage("--receive takes as-sent, at-use, early=N or deferred, not " +
                     quotedWord(text));
    }
    return {};
}

tl::expected<comms::Lowering, Failure> loweringOf(const Arguments& arguments)
{
    comms::Lowering lowering;
    if (const auto good = readReceive(arguments, lowering); !good)
        return tl::unexpected<Failure>(good.error());
    lowering.blockingReceives = arguments.has("blocking-receives");
    const std::string wait = arguments.text("send-wait", "end");
    lowering.sends = wait == "backward"  ? comms::SendWait::Backward
                     : wait == "sent"    ? comms::SendWait::WhenSent
                     : wait == "at-once" ? comms::SendWait::AtOnce
                                         : comms::SendWait::AtEnd;
    lowering.receiveBuffers = arguments.whole("receive-buffers", 0);
    lowering.sharded = arguments.has("sharded");
    lowering.activeStages = arguments.whole("active-stages", lowering.activeStages);
    const std::string ahead = arguments.text(lookAheadName, "full");
    if (ahead == "auto") {
        lowering.lookAhead = -1;
    } else if (ahead != "full") {
        const std::optional<int> stages = countIn(ahead, 1'000'000);
        if (!stages || *stages < 1)
            return usage("--look-ahead takes full, auto or a number of stages from 1, not " +
                         quotedWord(ahead));
        lowering.lookAhead = *stages;
    }
    return lowering;
}

/// Bytes, which may be more than an int.
std::optional<Bytes> bytesOf(const Arguments& arguments, std::string_view name)
{
    const std::optional<double> number = arguments.number(name);
    return number ? std::optional<Bytes>(static_cast<Bytes>(*number)) : std::nullopt;
}

comms::Transport transportOf(const Arguments& arguments, const Costs& costs,
                             const PipelineSpec& spec)
{
    comms::Transport transport;
    const std::string communicators = arguments.text("communicators", "one");
    transport.communicators = communicators == "edge"        ? comms::Communicators::Edge
                              : communicators == "direction" ? comms::Communicators::Direction
                                                             : comms::Communicators::One;
    transport.eagerBytes = bytesOf(arguments, "eager-bytes");
    comms::setCollectiveTimes(transport, costs, spec, arguments.whole("shards", 8));
    const auto replace = [&](const char* name, std::vector<Ticks>& times) {
        if (const std::optional<double> ms = arguments.number(name))
            times.assign(times.size(), ticksFromMs(*ms));
    };
    replace("gather", transport.gather);
    replace("reduce", transport.reduce);
    return transport;
}

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
    const Result<std::string> content = readFile(word, maxTorchCsvBytes);
    if (!content)
        return wrong(content.error());
    std::optional<TorchDialect> dialect;
    if (arguments.has("dialect"))
        dialect =
            arguments.text("dialect") == "older" ? TorchDialect::Older : TorchDialect::Current;
    const TorchCsv csv = parseTorchCsv(*content, dialect);
    if (!csv.communicates || !csv.problems.none())
        return std::nullopt;
    Result<comms::TorchListing> listing = comms::listingOf(csv);
    if (!listing)
        return wrong(word + ": " + listing.error().message);
    return std::optional<comms::TorchListing>(std::move(*listing));
}

bool placesAnew(const Arguments& arguments)
{
    return std::any_of(placingOptions.begin(), placingOptions.end(),
                       [&](const char* name) { return arguments.has(name); });
}

/// Layers of every stage of --moe; empty without it.
tl::expected<std::vector<std::vector<comms::LayerTimes>>, Failure>
expertLayers(const Arguments& arguments, const Study& study)
{
    std::vector<std::vector<comms::LayerTimes>> none;
    if (!arguments.has(moeName)) {
        for (const char* name : {"moe-hardware", "moe-group", "moe-samples"})
            if (arguments.has(name))
                return usage("--" + std::string(name) + " needs --moe");
        return none;
    }
    const Result<plan::PlanModel> model = plan::loadPlanModel(arguments.text(moeName));
    if (!model)
        return usage(model.error().message);
    const auto hardware = plan::findAccelerator(arguments.text("moe-hardware", "h100"));
    if (!hardware)
        return usage(hardware.error().message);
    const PipelineSpec& spec = study.schedule.spec();
    if (model->experts.count == 0)
        return usage("--moe takes a model with experts; " + arguments.text(moeName) + " has none");
    if (model->dense.layers < spec.stages())
        return wrong("--moe: " + arguments.text(moeName) + " has " +
                     std::to_string(model->dense.layers) + " layers, the schedule " +
                     std::to_string(spec.stages()) + " stages");
    plan::Configuration configuration;
    configuration.family = study.family != nullptr ? std::string(study.family->id) : "dualpipe";
    configuration.pipelineParallel = spec.devices;
    configuration.expertParallel = arguments.whole("moe-group", 8);
    configuration.dataParallel = configuration.expertParallel;
    configuration.microBatchSize = arguments.whole("moe-samples", 1);
    plan::Cluster cluster;
    cluster.device = *hardware;
    cluster.devices = configuration.devices();
    return comms::stageLayers(*model, configuration, cluster, spec.stages());
}

Outcome run(const Arguments& arguments, Console& console)
{
    const std::string& word = arguments.words()[0];
    const tl::expected<Study, Failure> study = studyOf(word, arguments);
    if (!study)
        return tl::unexpected<Failure>(study.error());
    const auto lowering = loweringOf(arguments);
    if (!lowering)
        return tl::unexpected<Failure>(lowering.error());
    Costs costs = study->costs.costs;
    const Schedule& schedule = study->schedule;
    if (const auto bytes = bytesOf(arguments, "message-bytes")) {
        costs.forwardMessage.assign(costs.forward.size(), *bytes);
        costs.backwardMessage.assign(costs.forward.size(), *bytes);
        if (const Result<void> good = check(costs, schedule.spec()); !good)
            return wrong(good.error());
    }
    auto layers = expertLayers(arguments, *study);
    if (!layers)
        return tl::unexpected<Failure>(layers.error());
    if (!layers->empty())
        comms::setInnerTimes(costs, schedule.spec(), *layers);
    CommunicationStudy told;
    told.layers = std::move(*layers);
    told.title = study->title;
    told.schedule = &schedule;
    told.costs = &costs;
    told.shards = arguments.whole("shards", 8);
    std::optional<comms::TorchListing> file;
    if (study->family == nullptr && !study->reshaped && !placesAnew(arguments)) {
        auto found = listingOfFile(word, arguments);
        if (!found)
            return tl::unexpected<Failure>(found.error());
        file = std::move(*found);
    }
    if (file) {
        told.origin = "sends and receives as the file has them";
        told.listing = std::move(file->listing);
    } else {
        Result<comms::Listing> listing = comms::listingOf(schedule, *lowering);
        if (!listing)
            return wrong(listing.error());
        told.origin = "sends and receives placed by the rules of PyTorch's runtime";
        if (lowering->receives != comms::ReceivePlace::AsSent)
            told.origin += ", receives " + arguments.text(receiveName);
        told.listing = std::move(*listing);
    }
    if (arguments.has("csv")) {
        const Result<TorchTable> table = comms::torchTableOf(told.listing, schedule);
        if (!table)
            return wrong(table.error());
        console.out << writeTorchTable(*table);
        return ExitCode::Good;
    }
    const Result<SimResult> planned = simulate(schedule, costs);
    if (!planned)
        return wrong(planned.error());
    told.planned = planned->makespan;
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

void appendPlaces(std::vector<Option>& all)
{
    constexpr const char* section = "Where sends and receives stand";
    all.push_back({.name = receiveName,
                   .kind = ValueKind::Text,
                   .placeholder = "WHERE",
                   .summary = "a receive is posted as-sent (where the rank has come to when the "
                              "message leaves; default), at-use, early=N (N passes before its "
                              "use), or deferred (as PyTorch's defer_pp_recv)",
                   .section = section});
    all.push_back({.name = "blocking-receives",
                   .summary = "the rank waits where it posts a receive, not at its use",
                   .section = section});
    all.push_back({.name = "send-wait",
                   .kind = ValueKind::Text,
                   .placeholder = "WHERE",
                   .summary = "where a send is waited for, and its buffer given back: at the end "
                              "(default), behind the backward of the same micro-batch, as soon as "
                              "it is sent, or at-once",
                   .section = section,
                   .choices = {"end", "backward", "sent", "at-once"}});
    all.push_back({.name = "receive-buffers",
                   .kind = ValueKind::Whole,
                   .placeholder = "N",
                   .summary = "receive buffers of a rank for activations, and as many for "
                              "gradients; a receive without one is posted later (default: enough)",
                   .section = section,
                   .minimum = 1,
                   .maximum = 1e6});
}

void appendTransport(std::vector<Option>& all)
{
    constexpr const char* section = "Transport";
    all.push_back({.name = "communicators",
                   .kind = ValueKind::Text,
                   .placeholder = "WHICH",
                   .summary = "messages queue in one communicator a rank (default), one a "
                              "direction (activations, gradients), or one an edge",
                   .section = section,
                   .choices = {"one", "direction", "edge"}});
    all.push_back({.name = "eager-bytes",
                   .kind = ValueKind::Number,
                   .placeholder = "B",
                   .summary = "messages of at most so many bytes leave before their receive is "
                              "posted (default: none)",
                   .section = section,
                   .minimum = 0,
                   .maximum = 1e15});
    all.push_back({.name = "message-bytes",
                   .kind = ValueKind::Number,
                   .placeholder = "B",
                   .summary = "bytes of an activation or a gradient between two stages (default: "
                              "of --model, else not known)",
                   .section = section,
                   .minimum = 0,
                   .maximum = 1e12});
}

void appendSharding(std::vector<Option>& all)
{
    constexpr const char* section = "Sharded weights";
    all.push_back({.name = "sharded",
                   .summary = "stages are gathered before their passes (UNSHARD), freed (RESHARD), "
                              "their gradients reduced (REDUCE_GRAD)",
                   .section = section});
    all.push_back({.name = "active-stages",
                   .kind = ValueKind::Whole,
                   .placeholder = "N",
                   .summary = "stages that a rank keeps gathered at most (default 3)",
                   .section = section,
                   .minimum = 1,
                   .maximum = 1000});
    all.push_back({.name = lookAheadName,
                   .kind = ValueKind::Text,
                   .placeholder = "N",
                   .summary = "stages whose gather is started ahead: full (as many as are kept; "
                              "default), auto (rank + 2), or a number",
                   .section = section});
    all.push_back({.name = "shards",
                   .kind = ValueKind::Whole,
                   .placeholder = "N",
                   .summary = "ranks of the data-parallel group (default 8)",
                   .section = section,
                   .minimum = 1,
                   .maximum = 65'536});
    for (const auto& [name, summary] :
         {std::pair{"gather", "time of one stage's gather (default: from its bytes and the link)"},
          std::pair{"reduce", "time of one stage's reduction (default: the same)"}})
        all.push_back({.name = name,
                       .kind = ValueKind::Number,
                       .placeholder = "MS",
                       .summary = summary,
                       .section = section,
                       .minimum = 0,
                       .maximum = 1e9});
}

void appendExperts(std::vector<Option>& all)
{
    constexpr const char* section = "Layers with experts";
    all.push_back({.name = moeName,
                   .kind = ValueKind::Text,
                   .placeholder = "MODEL",
                   .summary = "passes of this model's layers, in parts: attention, dispatch, MLP, "
                              "combine; in an overlapped pair one pass computes while the other "
                              "exchanges (deepseek-v3, mixtral-8x7b, qwen3-30b-a3b … or a file)",
                   .section = section});
    all.push_back({.name = "moe-group",
                   .kind = ValueKind::Whole,
                   .placeholder = "N",
                   .summary = "accelerators that the experts are spread over (default 8)",
                   .section = section,
                   .minimum = 1,
                   .maximum = 65'536});
    all.push_back({.name = "moe-samples",
                   .kind = ValueKind::Whole,
                   .placeholder = "N",
                   .summary = "samples of a micro-batch (default 1)",
                   .section = section,
                   .minimum = 1,
                   .maximum = 1e6});
    std::vector<std::string> names;
    for (const plan::Accelerator& one : plan::accelerators())
        names.emplace_back(one.name);
    all.push_back({.name = "moe-hardware",
                   .kind = ValueKind::Text,
                   .placeholder = "NAME",
                   .summary = "accelerator (default h100)",
                   .section = section,
                   .choices = names});
}

std::vector<Option> options()
{
    std::vector<Option> all = shapeOptions();
    for (const std::vector<Option>& more : {costOptions(), fileOptions()})
        all.insert(all.end(), more.begin(), more.end());
    appendModelFields(all);
    appendPlaces(all);
    appendTransport(all);
    appendSharding(all);
    appendExperts(all);
    constexpr const char* section = "Output";
    all.push_back(
        {.name = "list", .summary = "what every rank does, in order", .section = section});
    all.push_back({.name = "csv",
                   .summary = "the rows alone, as PyTorch loads them with format compute_comms",
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
    command.summary = "a schedule's sends, receives and gathers as an engine does them";
    command.words = "FAMILY|FILE";
    command.about =
        "Lists what every rank does, passes with the sends and receives between them, and plays it "
        "with communicators that carry one message after the other. Says when it ends beside the "
        "schedule alone, what communication is exposed, which buffers a rank needs, and where "
        "ranks wait for each other in a ring, which actions hold it.\n"
        "The order is that of PyTorch's pipelining runtime, letter for letter with --sharded. A "
        "PyTorch CSV that has sends and receives is taken as it is, unless an option places them "
        "anew.\n"
        "With --moe the passes are those of a model with experts, and pairs hide its all-to-all "
        "exchanges as DualPipe does; times are those of `pipewright plan`.\n"
        "Exposed is the time that a rank waits although what it waits for was computed. Slots are "
        "buffers that can be used again, counted from the order alone.\n"
        "Exit code 1 where the ranks wait in a ring, or messages would be mixed up.";
    command.examples = {
        "pipewright communication 1f1b --devices 2 --micro-batches 2 --list",
        "pipewright communication 1f1b --comm 0.2 --receive at-use --communicators direction",
        "pipewright communication zb-v --comm 0.1 --communicators edge --send-wait sent",
        "pipewright communication interleaved-1f1b --sharded --look-ahead auto --gather 0.3 --csv",
        "pipewright communication dualpipe --moe deepseek-v3 --moe-group 64"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = options;
    command.run = run;
    return command;
}

} // namespace pw::app::commands
