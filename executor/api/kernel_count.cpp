// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/kernel_count.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/io/costs_file.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>

namespace pw::exec {

namespace {

/// Passes whose kernels fill at least so much of them are limited by the GPU.
constexpr double fullShare = 0.9;
/// A host that launches a kernel and does what comes with it needs less than this.
constexpr Ticks slowestLaunch = 30 * ticksPerMs / 1000;

bool timed(const DeviceWork& work)
{
    return work.end > work.start && work.start > 0;
}

/// Time in which at least one of some works ran. Sorts them.
Ticks covered(std::vector<DeviceWork>& works)
{
    std::sort(works.begin(), works.end(),
              [](const DeviceWork& a, const DeviceWork& b) { return a.start < b.start; });
    Ticks sum = 0;
    Ticks until = 0;
    for (const DeviceWork& work : works) {
        const Ticks from = std::max(work.start, until);
        if (work.end > from) {
            sum += work.end - from;
            until = work.end;
        }
    }
    return sum;
}

std::vector<KernelTotal> totalsOf(const std::vector<std::vector<DeviceWork>>& byPass,
                                  const std::vector<std::string>& names)
{
    std::map<std::string, KernelTotal> totals; // symbols that read alike are one
    std::vector<KernelTotal*> byName(names.size(), nullptr);
    for (const std::vector<DeviceWork>& works : byPass) {
        for (const DeviceWork& work : works) {
            if (work.name < 0)
                continue;
            KernelTotal*& total = byName[static_cast<std::size_t>(work.name)];
            if (total == nullptr) {
                const std::string name = kernelName(names[static_cast<std::size_t>(work.name)]);
                total = &totals[name];
                total->name = name;
            }
            ++total->count;
            total->time += work.end - work.start;
        }
    }
    std::vector<KernelTotal> all;
    for (auto& [name, total] : totals)
        all.push_back(std::move(total));
    std::stable_sort(all.begin(), all.end(),
                     [](const KernelTotal& a, const KernelTotal& b) { return a.time > b.time; });
    return all;
}

} // namespace

KernelCount countKernels(const KernelRecords& records)
{
    std::unordered_map<std::uint32_t, std::size_t> passOf;
    passOf.reserve(records.links.size());
    for (const LaunchLink& link : records.links) {
        if (link.pass < records.passes.size())
            passOf.emplace(link.correlation, link.pass);
    }
    KernelCount count;
    count.lost = records.lost;
    std::vector<std::vector<DeviceWork>> byPass(records.passes.size());
    for (const DeviceWork& work : records.works) {
        const auto pass = passOf.find(work.correlation);
        if (pass == passOf.end())
            ++count.beside;
        else if (!timed(work))
            ++count.lost;
        else
            byPass[pass->second].push_back(work);
    }
    for (std::size_t i = 0; i < byPass.size(); ++i) {
        std::vector<DeviceWork>& works = byPass[i];
        if (works.empty())
            continue;
        const auto kernels = std::count_if(works.begin(), works.end(),
                                           [](const DeviceWork& work) { return work.name >= 0; });
        count.passes.push_back({records.passes[i], kernels, covered(works)});
    }
    count.names = totalsOf(byPass, records.names);
    return count;
}

namespace {

std::string demangled(std::string_view symbol)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text != nullptr ? std::string(text.get()) : std::string(symbol);
}

bool isMangled(std::string_view symbol)
{
    return symbol.substr(0, 2) == "_Z";
}

/// Where a function's name ends with its template's arguments, and where it begins behind result
/// and namespaces. What is in brackets belongs to what stands before them.
std::string_view bareName(std::string_view text)
{
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        constexpr std::string_view unnamed = "(anonymous namespace)";
        if (depth == 0 && text.substr(i, unnamed.size()) == unnamed) {
            i += unnamed.size() - 1;
            continue;
        }
        if (depth == 0 && c == '(')
            return text.substr(begin, i - begin);
        if (c == '<' || c == '(')
            ++depth;
        else if (c == '>' || c == ')')
            --depth;
        else if (depth == 0 && (c == ' ' || c == ':'))
            begin = i + 1;
    }
    return text.substr(begin);
}

/// Cut off in the middle of a character it would be no text.
std::string shortened(std::string_view text, std::size_t longest)
{
    constexpr std::string_view dots = "…";
    if (text.size() <= longest || longest <= dots.size())
        return std::string(text);
    std::size_t end = longest - dots.size();
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return std::string(text.substr(0, end)) + std::string(dots);
}

} // namespace

std::string kernelName(std::string_view symbol, std::size_t longest)
{
    if (!isMangled(symbol))
        return shortened(symbol, longest);
    const std::string whole = demangled(symbol);
    const std::string_view bare = whole == symbol ? symbol : bareName(whole);
    return shortened(bare.empty() ? std::string_view(whole) : bare, longest);
}

double KernelShare::share() const
{
    const auto of = [this](Ticks whole) {
        return whole <= 0 ? 0 : static_cast<double>(busy) / static_cast<double>(whole);
    };
    return ordinary <= 0 ? 0 : std::min(1.0, std::max(of(ordinary), of(watched)));
}

namespace {

/// Stage, segment, kind and whether it is a pair: the order of the shares.
using ShareKey = std::tuple<StageId, int, PassKind, bool>;

ShareKey keyOf(const OrderEntry& entry)
{
    const Pass& told =
        entry.paired && entry.partner.kind == PassKind::F ? entry.partner : entry.pass;
    return {told.stage, told.segment, told.kind, entry.paired};
}

/// What passes took, by key; both passes of a pair are one entry.
std::map<ShareKey, std::vector<Ticks>> timesOf(const Schedule& schedule,
                                               std::span<const RecordedPass> passes)
{
    using Entry = std::tuple<std::int32_t, RankId, EntryId, Pass>;
    std::map<Entry, std::tuple<ShareKey, Ticks, Ticks>> entries;
    for (const RecordedPass& pass : passes) {
        if (pass.iteration < 0)
            continue;
        OrderEntry entry;
        entry.pass = pass.pass;
        if (pass.entry.valid())
            entry = schedule.entry(pass.entry);
        const auto [place, fresh] =
            entries.try_emplace({pass.iteration, pass.rank, pass.entry, entry.pass},
                                std::tuple(keyOf(entry), pass.start, pass.end));
        auto& [key, start, end] = place->second;
        start = std::min(start, pass.start);
        end = std::max(end, pass.end);
        static_cast<void>(fresh);
    }
    std::map<ShareKey, std::vector<Ticks>> times;
    for (const auto& [entry, ran] : entries)
        times[std::get<0>(ran)].push_back(std::get<2>(ran) - std::get<1>(ran));
    return times;
}

Ticks medianOf(std::vector<Ticks> values)
{
    return values.empty() ? 0 : spreadOf(std::move(values)).median;
}

} // namespace

std::vector<KernelShare> kernelShares(const Schedule& schedule, const KernelCount& count,
                                      std::span<const RecordedPass> ordinary,
                                      std::span<const RecordedPass> watched)
{
    struct Told
    {
        std::vector<Ticks> kernels;
        std::vector<Ticks> busy;
    };
    std::map<ShareKey, Told> told;
    for (const PassKernels& pass : count.passes) {
        if (pass.pass.iteration < 0)
            continue;
        Told& own = told[keyOf(pass.pass.entry)];
        own.kernels.push_back(pass.kernels);
        own.busy.push_back(pass.busy);
    }
    std::map<ShareKey, std::vector<Ticks>> alone = timesOf(schedule, ordinary);
    std::map<ShareKey, std::vector<Ticks>> meanwhile = timesOf(schedule, watched);
    std::vector<KernelShare> shares;
    for (auto& [key, own] : told) {
        const auto unwatched = alone.find(key);
        if (unwatched == alone.end())
            continue;
        KernelShare share;
        std::tie(share.stage, share.segment, share.kind, share.paired) = key;
        share.passes = static_cast<std::int64_t>(own.busy.size());
        share.kernels = medianOf(std::move(own.kernels));
        share.busy = medianOf(std::move(own.busy));
        share.ordinary = medianOf(unwatched->second);
        share.watched = medianOf(meanwhile[key]);
        shares.push_back(share);
    }
    return shares;
}

std::string nameOf(const KernelShare& share, const PipelineSpec& spec)
{
    std::string text = share.paired ? "F+BW" : std::string(name(share.kind));
    text += " of stage " + std::to_string(share.stage);
    if (spec.segments() > 1)
        text += ", segment " + std::to_string(share.segment);
    return text;
}

std::string limitText(std::span<const KernelShare> shares, const PipelineSpec& spec)
{
    const KernelShare* least = nullptr;
    for (const KernelShare& share : shares) {
        // An update comes once an iteration, and is not what a pipeline waits for.
        if (share.kind != PassKind::U && (least == nullptr || share.share() < least->share()))
            least = &share;
    }
    if (least == nullptr)
        return {};
    const std::string fills =
        nameOf(*least, spec) + ": kernels fill " + percentText(least->share()) + " of it";
    if (least->share() >= fullShare)
        return "The GPU limits the passes, not the host that launches: kernels fill at least " +
               percentText(least->share()) + " of each.";
    const Ticks each = least->ordinary / std::max<std::int64_t>(least->kernels, 1);
    if (each <= slowestLaunch)
        return fills + " (" + countText(least->kernels, "kernel") + " in " +
               timeText(least->ordinary) +
               "): launching takes its part of passes so short; larger micro-batches or fewer "
               "devices a process help.";
    return fills + ": with " + countText(least->kernels, "kernel") + " in " +
           timeText(least->ordinary) +
           " the host's launches are no reason; the pass waits within itself, or shares its GPU.";
}

} // namespace pw::exec
