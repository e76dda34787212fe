// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/megatron_text.h"

#include "core/base/try.h"

#include <algorithm>
#include <charconv>

namespace pw {

namespace {

constexpr std::size_t mostSymbols = 1'000'000;

/// Appends copies, as long as the whole stays within the limit.
bool appendCopies(std::string& out, std::string_view part, std::size_t times)
{
    if (!part.empty() && times > (mostSymbols - std::min(mostSymbols, out.size())) / part.size())
        return false;
    for (std::size_t i = 0; i < times; ++i)
        out += part;
    return true;
}

/// The number behind `*` at a position; none where there is no such thing.
bool readTimes(std::string_view text, std::size_t& position, std::size_t& times)
{
    if (position >= text.size() || text[position] != '*')
        return false;
    const char* const begin = text.data() + position + 1;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), times);
    if (error != std::errc{})
        return false;
    position = static_cast<std::size_t>(end - text.data());
    return true;
}

tl::unexpected<Error> layoutTooLong()
{
    return fail(ErrorCode::TooLarge, "the layout has more than %1 symbols", mostSymbols);
}

/// Copies in place of every `(…)*n`, or of every `x*n`.
Result<std::string> withoutRepeats(std::string_view text, bool brackets)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        std::string_view part = text.substr(i, 1);
        std::size_t next = i + 1;
        if (brackets && text[i] == '(') {
            const std::size_t close = text.find(')', i);
            if (close == std::string_view::npos ||
                text.substr(i + 1, close - i).find('(') != std::string_view::npos)
                return fail(ErrorCode::Syntax,
                            "the layout has a bracket within a bracket, or one that is never "
                            "closed, at position %1",
                            i + 1);
            part = text.substr(i + 1, close - i - 1);
            next = close + 1;
        }
        std::size_t times = 1;
        if (brackets == (text[i] == '(')) {
            const bool repeated = readTimes(text, next, times);
            if (brackets && !repeated)
                return fail(ErrorCode::Syntax,
                            "the layout has a bracket without *n behind it, at position %1", i + 1);
        }
        if (!appendCopies(out, part, times))
            return layoutTooLong();
        i = next;
    }
    return out;
}

/// One stage of a flat layout with its letters counted: `Ettt|` as `Et*3|`.
std::string withCounts(std::string_view stage)
{
    std::string out;
    for (std::size_t i = 0; i < stage.size();) {
        const std::size_t end = std::min(stage.find_first_not_of(stage[i], i), stage.size());
        const std::string counted = std::string(1, stage[i]) + "*" + std::to_string(end - i);
        out += counted.size() < end - i ? counted : std::string(stage.substr(i, end - i));
        i = end;
    }
    return out;
}

std::string contentText(const StageContent& stage)
{
    std::string text;
    const auto add = [&text](const std::string& word, int count) {
        if (count > 0)
            text +=
                (text.empty() ? "" : ",") + word + (count > 1 ? "*" + std::to_string(count) : "");
    };
    add("embedding", stage.embedding ? 1 : 0);
    add("decoder", stage.layers);
    add("mtp", stage.multiToken);
    add("loss", stage.output ? 1 : 0);
    return text.empty() ? "(empty stage)" : text;
}

/// What of a schedule Megatron's order has no place for.
Result<void> checkMegatronShape(const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    const auto refuse = [](const Sentence& what) {
        return fail(ErrorCode::BadValue, "Megatron's order has no %1", what);
    };
    if (spec.segments() > 1)
        return refuse(said("segments; this schedule has %1", spec.segments()));
    if (spec.routeCount() > 1)
        return refuse(said("second route"));
    if (spec.steps > 1 || spec.updates)
        return refuse(said("optimizer updates in it"));
    if (schedule.anyRecompute())
        return refuse(said("recompute passes; --recompute-granularity is its way"));
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        if (spec.device(0, stage) != stage % spec.devices)
            return fail(ErrorCode::BadValue,
                        "Megatron has stage k on rank k mod P; here stage %1 is on device %2 of %3",
                        stage, spec.device(0, stage), spec.devices);
    }
    if (spec.stages() % spec.devices != 0)
        return fail(ErrorCode::BadValue, "%1 stages are not a whole number of chunks on %2 ranks",
                    spec.stages(), spec.devices);
    return {};
}

/// The order of a device as Megatron would tell it; W passes are counted and left out.
std::vector<MegatronPass> drawnOrder(const Schedule& schedule, DeviceId device,
                                     std::int64_t& splitOnes)
{
    std::vector<MegatronPass> order;
    for (const EntryId i : schedule.entries(device)) {
        const OrderEntry entry = schedule.entry(i);
        for (const Pass* pass : {&entry.pass, &entry.partner}) {
            if (pass == &entry.partner && !entry.paired)
                continue;
            if (pass->kind == PassKind::W) {
                ++splitOnes;
                continue;
            }
            order.push_back(
                {pass->kind == PassKind::F, pass->stage / schedule.devices(), pass->microBatch});
        }
    }
    return order;
}

/// The group that an order begins with, if it goes in groups: a device has its first chunk's
/// forwards of all of it before another chunk's.
int firstGroup(const std::vector<MegatronPass>& order)
{
    const auto end = std::find_if(order.begin(), order.end(), [](const MegatronPass& pass) {
        return !pass.forward || pass.chunk != 0;
    });
    return static_cast<int>(end - order.begin());
}

/// Passes of all devices that stand elsewhere in one of Megatron's orders.
std::int64_t distance(const PipelineSpec& spec, const std::vector<std::vector<MegatronPass>>& drawn,
                      int chunks, int group, bool overlap)
{
    std::int64_t apart = 0;
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        const auto& here = drawn[device.index()];
        const std::vector<MegatronPass> there =
            megatronOrder(device, spec.devices, chunks, spec.microBatches, group, overlap);
        const std::size_t both = std::min(here.size(), there.size());
        for (std::size_t i = 0; i < both; ++i)
            apart += here[i] == there[i] ? 0 : 1;
        apart += static_cast<std::int64_t>(std::max(here.size(), there.size()) - both);
    }
    return apart;
}

} // namespace

Result<std::string> expandMegatronLayout(std::string_view text)
{
    std::string whole(text.substr(0, mostSymbols));
    if (whole.size() < text.size())
        return layoutTooLong();
    whole.erase(std::remove(whole.begin(), whole.end(), ','), whole.end());
    const Result<std::string> open = withoutRepeats(whole, true);
    if (!open)
        return open;
    Result<std::string> flat = withoutRepeats(*open, false);
    if (!flat)
        return flat;
    const std::size_t odd = flat->find_first_not_of("EtmL|");
    if (odd != std::string::npos)
        return fail(
            ErrorCode::Syntax,
            "the layout has something else than E, t, m, L and | at position %1 of its flat form",
            odd + 1);
    return flat;
}

std::string flatMegatronLayout(const LayerSplit& split)
{
    std::string flat;
    for (std::size_t stage = 0; stage < split.size(); ++stage) {
        const StageContent& content = split[stage];
        flat += stage > 0 ? "|" : "";
        flat += content.embedding ? "E" : "";
        flat.append(static_cast<std::size_t>(std::max(content.layers, 0)), 't');
        flat.append(static_cast<std::size_t>(std::max(content.multiToken, 0)), 'm');
        flat += content.output ? "L" : "";
    }
    return flat;
}

std::string compressMegatronLayout(std::string_view flat)
{
    std::vector<std::string_view> stages; // each but the last with its |
    for (std::size_t begin = 0; begin <= flat.size();) {
        const std::size_t bar = flat.find('|', begin);
        const std::size_t end = bar == std::string_view::npos ? flat.size() : bar + 1;
        stages.push_back(flat.substr(begin, end - begin));
        begin = bar == std::string_view::npos ? flat.size() + 1 : end;
    }
    std::string out;
    for (std::size_t i = 0; i < stages.size();) {
        std::size_t same = i;
        while (same < stages.size() && stages[same] == stages[i])
            ++same;
        const std::string one = withCounts(stages[i]);
        std::string plain;
        for (std::size_t copy = i; copy < same; ++copy)
            plain += one;
        const std::string repeated =
            (stages[i].size() == 1 ? one : "(" + one + ")") + "*" + std::to_string(same - i);
        out += !stages[i].empty() && repeated.size() < plain.size() ? repeated : plain;
        i = same;
    }
    return out;
}

Result<void> checkMegatronLayout(const LayerSplit& split, int ranks)
{
    const auto refuse = [](const Sentence& why) { return fail(ErrorCode::BadValue, why); };
    const auto stages = static_cast<int>(split.size());
    if (ranks < 1 || stages % ranks != 0)
        return refuse(
            said("the layout has %1 stages, which %2 pipeline ranks do not divide", stages, ranks));
    if (!split.front().embedding || !split.back().output)
        return refuse(said("E comes first of all, and L last"));
    int multiToken = -1;
    for (const StageId stage : Ids<StageId>(stages)) {
        const StageContent& content = split[static_cast<std::size_t>(stage)];
        if ((content.embedding && stage > 0) || (content.output && stage + 1 < stages))
            return refuse(said("stage %1 has E or L, which belong at the ends", stage));
        if (content.multiToken > 0) {
            if (multiToken >= 0)
                return refuse(said("stages %1 and %2 both have m; all m are in one stage",
                                   multiToken, stage));
            multiToken = stage;
        } else if (multiToken >= 0 && content.layers > 0) {
            return refuse(said("stage %1 has t behind the m of stage %2", stage, multiToken));
        }
    }
    if (multiToken >= 0 && (multiToken % ranks == 0 || multiToken < stages - ranks) && ranks > 1)
        return refuse(
            said("stage %1 has m, and is not the last chunk of a rank behind rank 0", multiToken));
    return {};
}

std::vector<std::vector<std::string>> megatronLayoutTable(const LayerSplit& split, int ranks)
{
    std::vector<std::vector<std::string>> rows(static_cast<std::size_t>(std::max(ranks, 1)));
    for (std::size_t stage = 0; stage < split.size(); ++stage)
        rows[stage % rows.size()].push_back(contentText(split[stage]));
    return rows;
}

bool isMegatronGroup(int ranks, int microBatches, int group)
{
    if (group < std::max(ranks, 1) || group > microBatches)
        return false;
    const int rest = microBatches % group;
    return rest == 0 || rest >= ranks;
}

std::vector<int> megatronGroups(int ranks, int microBatches)
{
    constexpr int most = 256;
    std::vector<int> groups;
    for (int group = std::max(ranks, 1); group <= microBatches; ++group)
        if (group - ranks <= most ? isMegatronGroup(ranks, microBatches, group)
                                  : microBatches % group == 0)
            groups.push_back(group);
    return groups;
}

std::vector<MegatronPass> megatronOrder(int rank, int ranks, int chunks, int microBatches,
                                        int group, bool overlap)
{
    std::vector<MegatronPass> forwards;
    for (int first = 0; first < microBatches; first += group) {
        const int end = std::min(first + group, microBatches);
        for (int chunk = 0; chunk < chunks; ++chunk) {
            for (int microBatch = first; microBatch < end; ++microBatch)
                forwards.push_back({true, chunk, microBatch});
        }
    }
    std::vector<MegatronPass> backwards = forwards;
    for (MegatronPass& pass : backwards)
        pass = {false, chunks - 1 - pass.chunk, pass.microBatch};
    const std::size_t all = forwards.size();
    const int wanted = chunks == 1
                           ? ranks - rank - 1
                           : 2 * (ranks - rank - 1) + (chunks - 1) * group + (overlap ? 1 : 0);
    const std::size_t warmup = std::min(all, static_cast<std::size_t>(std::max(wanted, 0)));
    std::vector<MegatronPass> order(forwards.begin(),
                                    forwards.begin() + static_cast<std::ptrdiff_t>(warmup));
    for (std::size_t next = warmup; next < all; ++next) {
        order.push_back(forwards[next]);
        order.push_back(backwards[next - warmup]);
    }
    order.insert(order.end(), backwards.end() - static_cast<std::ptrdiff_t>(warmup),
                 backwards.end());
    return order;
}

Result<MegatronFit> fitMegatron(const Schedule& schedule)
{
    PW_DO(checkMegatronShape(schedule));
    const PipelineSpec& spec = schedule.spec();
    MegatronFit best;
    best.chunks = spec.stages() / spec.devices;
    std::vector<std::vector<MegatronPass>> drawn;
    for (const DeviceId device : Ids<DeviceId>(spec.devices))
        drawn.push_back(drawnOrder(schedule, device, best.splitOnes));
    // Without chunks a group changes nothing. The usual one first, so that it wins a draw.
    std::vector<int> groups = {std::min(spec.devices, spec.microBatches)};
    if (best.chunks > 1) {
        if (spec.devices < 2)
            return fail(ErrorCode::BadValue, "Megatron has no chunks on a single pipeline rank");
        groups = megatronGroups(spec.devices, spec.microBatches);
        if (groups.empty())
            return fail(ErrorCode::BadValue,
                        "Megatron's interleaved order goes in groups of at least %1 micro-batches, "
                        "as many as ranks, and takes no rest below that; %2 micro-batches are not "
                        "such a number",
                        spec.devices, spec.microBatches);
        if (const int begun = firstGroup(drawn.front());
            isMegatronGroup(spec.devices, spec.microBatches, begun) &&
            !std::binary_search(groups.begin(), groups.end(), begun))
            groups.push_back(begun);
    }
    best.apart = -1;
    for (const int group : groups)
        for (const bool overlap : {false, true}) {
            if (overlap && best.chunks == 1)
                continue;
            const std::int64_t apart = distance(spec, drawn, best.chunks, group, overlap);
            if (best.apart < 0 || apart < best.apart) {
                best.apart = apart;
                best.group = group;
                best.overlap = overlap;
            }
        }
    return best;
}

} // namespace pw
