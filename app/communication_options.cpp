// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/communication_options.h"

#include "core/base/try.h"
#include "core/io/model_file.h"
#include "core/model/longest_pass.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pw::app {

namespace comms = communication;

namespace {

constexpr const char* receiveName = "receive";
constexpr const char* lookAheadName = "look-ahead";
constexpr const char* moeName = "moe";

/// The options that place actions anew; without them a communicating file is taken as it is.
constexpr std::array<const char*, 8> placingOptions = {
    receiveName, "blocking-receives", "send-wait",   "receive-buffers",
    "sharded",   "active-stages",     lookAheadName, "exchange"};

std::optional<int> stageCountIn(const std::string& text, int most)
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
        const std::optional<int> passes = stageCountIn(text.substr(early.size()), most);
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

/// Bytes, which may be more than an int.
std::optional<Bytes> optionalBytesOf(const Arguments& arguments, std::string_view name)
{
    const std::optional<double> number = arguments.number(name);
    return number ? std::optional<Bytes>(static_cast<Bytes>(*number)) : std::nullopt;
}

void appendCommunicationPlaces(std::vector<Option>& all)
{
    constexpr const char* section = "Where sends and receives are placed";
    all.push_back({.name = receiveName,
                   .kind = ValueKind::Text,
                   .placeholder = "WHERE",
                   .summary = "a receive is posted as-sent (where the rank is when the message "
                              "leaves; default), at-use, early=N (N passes before its use), or "
                              "deferred (as PyTorch's defer_pp_recv)",
                   .section = section});
    all.push_back({.name = "blocking-receives",
                   .summary = "the rank waits where it posts a receive, not at its use",
                   .section = section});
    all.push_back({.name = "send-wait",
                   .kind = ValueKind::Text,
                   .placeholder = "WHERE",
                   .summary = "where a send is waited for, and its buffer given back: at the end "
                              "(default), after the backward of the same micro-batch, as soon as "
                              "it is sent, or at-once",
                   .section = section,
                   .choices = {"end", "backward", "sent", "at-once"}});
    all.push_back({.name = "receive-buffers",
                   .kind = ValueKind::Whole,
                   .placeholder = "N",
                   .summary = "receive buffers of a rank for activations, and as many for "
                              "gradients; a receive that finds none free is posted later "
                              "(default: enough)",
                   .section = section,
                   .minimum = 1,
                   .maximum = 1e6});
}

void appendCommunicationExchanges(std::vector<Option>& all)
{
    constexpr const char* section = "Copies of a stage on several routes";
    all.push_back({.name = "exchange",
                   .kind = ValueKind::Text,
                   .placeholder = "WHEN",
                   .summary =
                       "they exchange their gradients at the end (default), as soon as those of a "
                       "stage are done, when each rank gets to it (own-order; two ranks may wait "
                       "for each other), or none",
                   .section = section,
                   .choices = {"end", "done", "own-order", "none"}});
    all.push_back({.name = "exchange-time",
                   .kind = ValueKind::Number,
                   .placeholder = "MS",
                   .summary = "time of one stage's exchange (default: from its bytes and the link)",
                   .section = section,
                   .minimum = 0,
                   .maximum = longestPassMs});
}

void appendCommunicationTransport(std::vector<Option>& all)
{
    constexpr const char* section = "Transport";
    all.push_back({.name = "communicators",
                   .kind = ValueKind::Text,
                   .placeholder = "WHICH",
                   .summary =
                       "messages queue in one communicator per rank (default), one per "
                       "direction (activations, gradients), one per edge, or one per pair of "
                       "ranks for both ways",
                   .section = section,
                   .choices = {"one", "direction", "edge", "pair"}});
    all.push_back({.name = "eager-bytes",
                   .kind = ValueKind::Number,
                   .placeholder = "BYTES",
                   .summary = "messages of at most this size leave before their receive is "
                              "posted (default: none)",
                   .section = section,
                   .minimum = 0,
                   .maximum = 1e15});
    all.push_back({.name = "message-bytes",
                   .kind = ValueKind::Number,
                   .placeholder = "BYTES",
                   .summary = "bytes of an activation or a gradient between two stages (default: "
                              "of --model, else not known)",
                   .section = section,
                   .minimum = 0,
                   .maximum = 1e12});
}

void appendCommunicationSharding(std::vector<Option>& all)
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
                       .maximum = longestPassMs});
}

void appendCommunicationExperts(std::vector<Option>& all)
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
    for (const Accelerator& one : accelerators())
        names.emplace_back(one.name);
    all.push_back({.name = "moe-hardware",
                   .kind = ValueKind::Text,
                   .placeholder = "NAME",
                   .summary = "accelerator (default h100)",
                   .section = section,
                   .choices = names});
}

} // namespace

tl::expected<comms::Lowering, Failure> loweringOf(const Arguments& arguments)
{
    comms::Lowering lowering;
    PW_DO(readReceive(arguments, lowering));
    lowering.blockingReceives = arguments.has("blocking-receives");
    const std::string wait = arguments.text("send-wait", "end");
    lowering.sends = wait == "backward"  ? comms::SendWait::Backward
                     : wait == "sent"    ? comms::SendWait::WhenSent
                     : wait == "at-once" ? comms::SendWait::AtOnce
                                         : comms::SendWait::AtEnd;
    const std::string exchange = arguments.text("exchange", "end");
    lowering.exchanges = exchange == "done"        ? comms::ExchangePlace::AsDone
                         : exchange == "own-order" ? comms::ExchangePlace::OwnOrder
                         : exchange == "none"      ? comms::ExchangePlace::None
                                                   : comms::ExchangePlace::AtEnd;
    lowering.receiveBuffers = arguments.whole("receive-buffers", 0);
    lowering.sharded = arguments.has("sharded");
    lowering.activeStages = arguments.whole("active-stages", lowering.activeStages);
    const std::string ahead = arguments.text(lookAheadName, "full");
    if (ahead == "auto") {
        lowering.lookAhead = -1;
    } else if (ahead != "full") {
        const std::optional<int> stages = stageCountIn(ahead, 1'000'000);
        if (!stages || *stages < 1)
            return usage("--look-ahead takes full, auto or a number of stages from 1, not " +
                         quotedWord(ahead));
        lowering.lookAhead = *stages;
    }
    return lowering;
}

comms::Transport transportOf(const Arguments& arguments, const Costs& costs,
                             const PipelineSpec& spec)
{
    comms::Transport transport;
    const std::string communicators = arguments.text("communicators", "one");
    transport.communicators = communicators == "edge"        ? comms::Communicators::Edge
                              : communicators == "pair"      ? comms::Communicators::Pair
                              : communicators == "direction" ? comms::Communicators::Direction
                                                             : comms::Communicators::One;
    transport.eagerBytes = optionalBytesOf(arguments, "eager-bytes");
    comms::setCollectiveTimes(transport, costs, spec, arguments.whole("shards", 8));
    const auto replace = [&](const char* name, std::vector<Ticks>& times) {
        if (const std::optional<double> ms = arguments.number(name))
            times.assign(times.size(), ticksFromMs(*ms));
    };
    replace("gather", transport.gather);
    replace("reduce", transport.reduce);
    transport.exchange.assign(
        arguments.has("exchange-time") ? static_cast<std::size_t>(spec.stages()) : 0, 0);
    replace("exchange-time", transport.exchange);
    return transport;
}

std::optional<Bytes> messageBytesOf(const Arguments& arguments)
{
    return optionalBytesOf(arguments, "message-bytes");
}

bool placesAnew(const Arguments& arguments)
{
    return std::any_of(placingOptions.begin(), placingOptions.end(),
                       [&](const char* name) { return arguments.has(name); });
}

tl::expected<void, Failure> checkGathers(const Arguments& arguments, const comms::Listing& listing)
{
    for (const auto& row : listing.ranks) {
        for (const comms::Action& action : row)
            if (action.kind == comms::ActionKind::Gather ||
                action.kind == comms::ActionKind::Reduce)
                return {};
    }
    for (const char* name : {"active-stages", lookAheadName, "shards", "gather", "reduce"})
        if (arguments.has(name))
            return usage("--" + std::string(name) +
                         " needs --sharded, or a file that gathers stages");
    return {};
}

tl::expected<std::vector<std::vector<comms::LayerTimes>>, Failure>
expertLayersOf(const Arguments& arguments, const Study& study)
{
    std::vector<std::vector<comms::LayerTimes>> none;
    if (!arguments.has(moeName)) {
        for (const char* name : {"moe-hardware", "moe-group", "moe-samples"})
            if (arguments.has(name))
                return usage("--" + std::string(name) + " needs --moe");
        return none;
    }
    const Result<LanguageModel> model = loadModel(arguments.text(moeName));
    if (!model)
        return usage(model.error().message);
    const auto hardware = findAccelerator(arguments.text("moe-hardware", "h100"));
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
    if (study.family != nullptr)
        configuration.family = study.family->id;
    configuration.pipelineParallel = spec.devices;
    configuration.expertParallel = arguments.whole("moe-group", 8);
    configuration.dataParallel = configuration.expertParallel;
    configuration.microBatchSize = arguments.whole("moe-samples", 1);
    plan::Cluster cluster;
    cluster.device = *hardware;
    cluster.devices = configuration.devices();
    return comms::stageLayers(*model, configuration, cluster, spec.stages());
}

std::vector<Option> communicationOptions()
{
    std::vector<Option> all;
    appendCommunicationPlaces(all);
    appendCommunicationTransport(all);
    appendCommunicationSharding(all);
    appendCommunicationExchanges(all);
    appendCommunicationExperts(all);
    return all;
}

} // namespace pw::app
