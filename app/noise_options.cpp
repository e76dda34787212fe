// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/noise_options.h"

#include "app/study_costs.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace pw::app {

namespace {

constexpr const char* noiseSection = "Noise";
constexpr double usualSpread = 0.05;
constexpr double mostFactor = 1000;

/// "A=B" as A and B.
std::pair<std::string, std::string> atEquals(const std::string& text)
{
    const std::size_t place = text.find('=');
    if (place == std::string::npos)
        return {text, {}};
    return {text.substr(0, place), text.substr(place + 1)};
}

/// A spread in per cent, with or without the sign.
std::optional<double> spreadOf(std::string_view text)
{
    if (!text.empty() && text.back() == '%')
        text.remove_suffix(1);
    const std::optional<double> percent = parseNumber(text);
    if (!percent || *percent < 0 || *percent > 100 * largestSpread)
        return std::nullopt;
    return *percent / 100;
}

std::optional<double> factorIn(std::string_view text)
{
    const std::optional<double> factor = parseNumber(text);
    return factor && *factor > 0 && *factor <= mostFactor ? factor : std::nullopt;
}

std::optional<int> rankIn(const std::string& text, int devices)
{
    const std::optional<std::int64_t> rank = wholeNumber(text);
    if (!rank || *rank < 0 || *rank >= devices)
        return std::nullopt;
    return static_cast<int>(*rank);
}

/// "2-3" as a place in a table of links.
std::optional<std::size_t> linkIn(const std::string& text, int devices)
{
    const std::size_t dash = text.find('-');
    if (dash == std::string::npos)
        return std::nullopt;
    const std::optional<int> from = rankIn(text.substr(0, dash), devices);
    const std::optional<int> to = rankIn(text.substr(dash + 1), devices);
    if (!from || !to || from == to)
        return std::nullopt;
    return static_cast<std::size_t>(*from) * static_cast<std::size_t>(devices) +
           static_cast<std::size_t>(*to);
}

bool takeJitter(NoiseModel& model, const std::string& text)
{
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const auto [what, value] = atEquals(text.substr(begin, end - begin));
        begin = end + 1;
        const std::optional<double> spread = spreadOf(value.empty() ? what : value);
        if (!spread)
            return false;
        if (value.empty()) {
            model.passSpread.fill(*spread);
        } else if (what == "message") {
            model.messageSpread = *spread;
        } else if (what == "rank") {
            model.rankSpread = *spread;
        } else {
            const auto kind = std::find_if(allPassKinds.begin(), allPassKinds.end(),
                                           [&what = what](PassKind k) { return name(k) == what; });
            if (kind == allPassKinds.end())
                return false;
            model.passSpread[static_cast<std::size_t>(*kind)] = *spread;
        }
    }
    return true;
}

tl::unexpected<Failure> badLink(const char* option, const std::string& text, int devices)
{
    return usage(std::string("--") + option + " takes two ranks from 0 to " +
                 std::to_string(devices - 1) + " as 2-3, then = and a value, and not " +
                 quotedWord(text));
}

} // namespace

std::vector<Option> noiseOptions(const std::string& usual)
{
    return {{.name = "jitter",
             .kind = ValueKind::Text,
             .placeholder = "PERCENT",
             .summary = "standard deviation of passes: 5, or F=3,B=5,BW=5,W=2,message=20,rank=1; "
                        "rank is drawn once per run (default " +
                        usual + ")",
             .section = noiseSection},
            {.name = "slow",
             .kind = ValueKind::Text,
             .placeholder = "RANK=FACTOR",
             .summary = "passes of rank RANK take FACTOR times as long",
             .section = noiseSection,
             .repeats = true},
            {.name = "slow-link",
             .kind = ValueKind::Text,
             .placeholder = "A-B=FACTOR",
             .summary = "messages from rank A to rank B take FACTOR times as long",
             .section = noiseSection,
             .repeats = true},
            {.name = "trace-link",
             .kind = ValueKind::Text,
             .placeholder = "A-B=MS:FACTOR,…",
             .summary = "a trace like that of --link-trace, for the messages from rank A to rank B",
             .section = noiseSection,
             .repeats = true}};
}

tl::expected<NoiseModel, Failure> noiseOf(const Arguments& arguments, int devices)
{
    NoiseModel model;
    const auto p = static_cast<std::size_t>(devices);
    if (!arguments.has("jitter")) {
        model.passSpread.fill(usualSpread);
    } else if (!takeJitter(model, arguments.text("jitter"))) {
        return usage("--jitter takes per cents from 0 to 1000 as 5 or F=3,B=5,message=20,rank=1, "
                     "and not " +
                     quotedWord(arguments.text("jitter")));
    }
    for (const std::string& text : arguments.texts("slow")) {
        const auto [what, value] = atEquals(text);
        const std::optional<int> rank = rankIn(what, devices);
        const std::optional<double> factor = factorIn(value);
        if (!rank || !factor) {
            return usage("--slow takes a rank from 0 to " + std::to_string(devices - 1) +
                         " and a factor up to 1000 as 3=1.2, and not " + quotedWord(text));
        }
        model.rankFactor.resize(p, 1);
        model.rankFactor[static_cast<std::size_t>(*rank)] = *factor;
    }
    for (const std::string& text : arguments.texts("slow-link")) {
        const auto [what, value] = atEquals(text);
        const std::optional<std::size_t> link = linkIn(what, devices);
        const std::optional<double> factor = factorIn(value);
        if (!link || !factor)
            return badLink("slow-link", text, devices);
        model.linkFactor.resize(p * p, 1);
        model.linkFactor[*link] = *factor;
    }
    for (const std::string& text : arguments.texts("trace-link")) {
        const auto [what, value] = atEquals(text);
        const std::optional<std::size_t> link = linkIn(what, devices);
        Result<std::vector<LinkPhase>> trace = linkTraceOf(value);
        if (!link || !trace)
            return badLink("trace-link", text, devices);
        model.linkTraces.resize(p * p);
        model.linkTraces[*link] = std::move(*trace);
    }
    return model;
}

std::string noiseText(const NoiseModel& model)
{
    std::string text;
    const auto add = [&text](const std::string& what) {
        text += (text.empty() ? "" : "; ") + what;
    };
    const auto percent = [](double spread) { return "±" + plainNumber(100 * spread) + " %"; };
    const bool same = std::all_of(model.passSpread.begin(), model.passSpread.end(),
                                  [&](double s) { return s == model.passSpread[0]; });
    if (same && model.passSpread[0] > 0)
        add("passes " + percent(model.passSpread[0]));
    for (const PassKind kind : allPassKinds) {
        const double spread = model.passSpread[static_cast<std::size_t>(kind)];
        if (!same && spread > 0)
            add(std::string(name(kind)) + ' ' + percent(spread));
    }
    if (model.messageSpread > 0)
        add("messages " + percent(model.messageSpread));
    if (model.rankSpread > 0)
        add("ranks " + percent(model.rankSpread));
    for (std::size_t rank = 0; rank < model.rankFactor.size(); ++rank) {
        if (model.rankFactor[rank] != 1)
            add("rank " + std::to_string(rank) + " takes " + plainNumber(model.rankFactor[rank]) +
                " times as long");
    }
    const auto slowLinks = std::count_if(model.linkFactor.begin(), model.linkFactor.end(),
                                         [](double factor) { return factor != 1; });
    const auto traced = std::count_if(model.linkTraces.begin(), model.linkTraces.end(),
                                      [](const auto& trace) { return !trace.empty(); });
    if (slowLinks > 0)
        add(countText(slowLinks, "slow link"));
    if (traced > 0)
        add(countText(traced, "link") + " with a trace");
    return text.empty() ? "no noise" : text;
}

} // namespace pw::app
