// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/delay_study.h"

#include "app/text_table.h"
#include "core/base/assert.h"
#include "core/base/text.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace pw::app {

namespace {

constexpr int lossDigits = 3;

double meanOf(const std::vector<double>& numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), 0.0) /
           static_cast<double>(std::max<std::size_t>(numbers.size(), 1));
}

/// With all its digits, so that a column can be read down.
std::string fixedNumber(double value)
{
    std::array<char, 32> letters{};
    const std::to_chars_result end = std::to_chars(letters.data(), letters.data() + letters.size(),
                                                   value, std::chars_format::fixed, lossDigits);
    return {letters.data(), end.ptr};
}

std::string numberText(const OverSeeds& number)
{
    return fixedNumber(number.mean) +
           (number.seeds > 1 ? " ± " + fixedNumber(number.deviation) : std::string());
}

const DelayedOptimizer& named(const std::vector<DelayedOptimizer>& studied, std::string_view name)
{
    const auto found = std::find_if(studied.begin(), studied.end(),
                                    [&](const DelayedOptimizer& one) { return one.name == name; });
    PW_ASSERT(found != studied.end());
    return *found;
}

/// Whether something is above 0, as far as the seeds tell.
DelayClaim::Verdict above(double difference, double deviation)
{
    if (std::abs(difference) <= deviation)
        return DelayClaim::Verdict::Undecided;
    return difference > 0 ? DelayClaim::Verdict::Held : DelayClaim::Verdict::NotHeld;
}

std::string gapText(const DelayedOptimizer& of, DelayCase which = DelayCase::Delayed)
{
    return of.name + " " + numberText(of.gap(which));
}

/// The part of a gap that the correction closes; only where the delay costs more than the seeds
/// differ by.
std::string closedText(const DelayedOptimizer& of)
{
    const OverSeeds gap = of.gap(DelayCase::Delayed);
    if (gap.mean <= gap.deviation)
        return "–";
    constexpr double whole = 100;
    const double part = std::round(whole * (1 - of.gap(DelayCase::Corrected).mean / gap.mean));
    return (part < 0 ? "−" : "") + plainNumber(std::abs(part)) + " %";
}

DelayClaim costsNothing(const DelayedOptimizer& adamW)
{
    DelayClaim claim;
    claim.source = "arXiv:2006.09503";
    claim.claim = "2BW converges as training with a flush does (BERT, GPT, with Adam)";
    const OverSeeds gap = adamW.gap(DelayCase::Delayed);
    claim.here = "the gap of " + gapText(adamW);
    // No gap that the seeds can tell from none is what the claim says.
    claim.verdict =
        gap.mean > gap.deviation ? DelayClaim::Verdict::NotHeld : DelayClaim::Verdict::Held;
    return claim;
}

DelayClaim muonIsRobust(const DelayedOptimizer& adamW, const DelayedOptimizer& muon)
{
    DelayClaim claim;
    claim.source = "arXiv:2606.30634";
    claim.claim = "AdamW suffers from a delay of one step, Muon hardly does";
    const OverSeeds one = adamW.gap(DelayCase::Delayed);
    const OverSeeds other = muon.gap(DelayCase::Delayed);
    claim.here = "the gap of " + gapText(adamW) + ", of " + gapText(muon);
    claim.verdict = above(one.mean - other.mean, std::hypot(one.deviation, other.deviation));
    return claim;
}

DelayClaim correctionCloses(const std::vector<DelayedOptimizer>& studied)
{
    DelayClaim claim;
    claim.source = "arXiv:2606.30634";
    claim.claim = "a correction by error feedback closes most of the gap, whatever the optimizer";
    constexpr double most = 0.5;
    int told = 0;
    int closed = 0;
    for (const DelayedOptimizer& one : studied) {
        const OverSeeds gap = one.gap(DelayCase::Delayed);
        if (gap.mean <= gap.deviation)
            continue;
        ++told;
        if (one.gap(DelayCase::Corrected).mean < most * gap.mean)
            ++closed;
        claim.here +=
            (claim.here.empty() ? "of the gap closed: " : ", ") + one.name + " " + closedText(one);
    }
    if (told == 0) {
        claim.here = "no gap that the seeds can tell from none";
        return claim;
    }
    claim.verdict = closed == told ? DelayClaim::Verdict::Held
                    : closed == 0  ? DelayClaim::Verdict::NotHeld
                                   : DelayClaim::Verdict::Undecided;
    return claim;
}

std::string_view caseName(DelayCase which)
{
    switch (which) {
    case DelayCase::Flushed:
        return "flushed";
    case DelayCase::Delayed:
        return "delayed";
    case DelayCase::Corrected:
        return "corrected";
    }
    return {};
}

void writeNumber(JsonText& json, std::string_view name, const OverSeeds& number)
{
    json.key(name);
    json.beginObject(JsonText::Layout::OneLine);
    json.member("mean", number.mean);
    json.member("deviation", number.deviation);
    json.endObject();
}

/// Mean, lowest and highest loss of every step.
void writeBand(JsonText& json, const DelayCurves& curves)
{
    std::array<std::vector<double>, 3> band;
    const std::size_t steps = curves.losses.empty() ? 0 : curves.losses.front().size();
    for (std::size_t step = 0; step < steps; ++step) {
        std::vector<double> of;
        for (const std::vector<double>& seed : curves.losses)
            of.push_back(seed[step]);
        band[0].push_back(meanOf(of));
        band[1].push_back(*std::min_element(of.begin(), of.end()));
        band[2].push_back(*std::max_element(of.begin(), of.end()));
    }
    constexpr const char* names[] = {"loss", "lowest", "highest"};
    for (std::size_t i = 0; i < band.size(); ++i) {
        json.key(names[i]);
        json.beginArray(JsonText::Layout::OneLine);
        for (const double number : band[i])
            json.value(number);
        json.endArray();
    }
}

} // namespace

OverSeeds OverSeeds::of(const std::vector<double>& numbers)
{
    OverSeeds out;
    out.mean = meanOf(numbers);
    out.seeds = numbers.size();
    double squares = 0;
    for (const double number : numbers)
        squares += (number - out.mean) * (number - out.mean);
    if (numbers.size() > 1)
        out.deviation = std::sqrt(squares / static_cast<double>(numbers.size() - 1));
    return out;
}

std::vector<double> DelayCurves::ends() const
{
    std::vector<double> out;
    for (const std::vector<double>& seed : losses) {
        const std::size_t quarter = (seed.size() + 3) / 4;
        out.push_back(meanOf({seed.end() - static_cast<std::ptrdiff_t>(quarter), seed.end()}));
    }
    return out;
}

OverSeeds DelayedOptimizer::gap(DelayCase which) const
{
    std::vector<double> gaps = of(which).ends();
    const std::vector<double> without = of(DelayCase::Flushed).ends();
    for (std::size_t i = 0; i < gaps.size(); ++i)
        gaps[i] -= without[i];
    return OverSeeds::of(gaps);
}

std::string_view name(DelayClaim::Verdict verdict)
{
    switch (verdict) {
    case DelayClaim::Verdict::Held:
        return "Holds here";
    case DelayClaim::Verdict::NotHeld:
        return "Does not hold here";
    case DelayClaim::Verdict::Undecided:
        return "Cannot be told here";
    }
    return {};
}

std::vector<DelayClaim> delayClaims(const std::vector<DelayedOptimizer>& studied)
{
    const DelayedOptimizer& adamW = named(studied, delayAdamW);
    std::vector<DelayClaim> claims = {costsNothing(adamW),
                                      muonIsRobust(adamW, named(studied, delayMuon)),
                                      correctionCloses(studied)};
    if (adamW.gap(DelayCase::Delayed).seeds > 1)
        return claims;
    // Nobody knows by how much another seed would differ.
    for (DelayClaim& claim : claims) {
        claim.verdict = DelayClaim::Verdict::Undecided;
        claim.here += "; one seed is too few";
    }
    return claims;
}

std::string delayText(const std::vector<DelayedOptimizer>& studied, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{.title = "optimizer", .align = Align::Left},
                             {.title = "flushed"},
                             {.title = "delayed"},
                             {.title = "gap"},
                             {.title = "corrected"},
                             {.title = "closed"}});
    for (const DelayedOptimizer& one : studied)
        table.append({one.name, numberText(one.end(DelayCase::Flushed)),
                      numberText(one.end(DelayCase::Delayed)),
                      screen.bold(numberText(one.gap(DelayCase::Delayed))),
                      numberText(one.end(DelayCase::Corrected)), closedText(one)});
    std::string out = table.text() + "\n";
    for (const DelayClaim& claim : delayClaims(studied))
        out += wrapped(claim.source + ": " + claim.claim + ". " + std::string(name(claim.verdict)) +
                           ": " + claim.here + ".",
                       screen.width, 4, 2);
    return out;
}

std::string delayJson(const std::vector<DelayedOptimizer>& studied, double correction)
{
    JsonText json;
    json.beginObject();
    json.member("correction", correction);
    json.key("trainings");
    json.beginArray();
    for (const DelayedOptimizer& one : studied) {
        for (const DelayCase which :
             {DelayCase::Flushed, DelayCase::Delayed, DelayCase::Corrected}) {
            json.beginObject();
            json.member("optimizer", std::string_view(one.name));
            json.member("case", caseName(which));
            json.key("runs");
            json.beginArray(JsonText::Layout::OneLine);
            for (const std::int64_t run : one.of(which).runs)
                json.value(run);
            json.endArray();
            writeNumber(json, "end", one.end(which));
            writeNumber(json, "gap", one.gap(which));
            writeBand(json, one.of(which));
            json.endObject();
        }
    }
    json.endArray();
    json.key("claims");
    json.beginArray();
    for (const DelayClaim& claim : delayClaims(studied)) {
        json.beginObject();
        json.member("source", std::string_view(claim.source));
        json.member("claim", std::string_view(claim.claim));
        json.member("here", std::string_view(claim.here));
        json.member("verdict", name(claim.verdict));
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.text();
}

} // namespace pw::app
