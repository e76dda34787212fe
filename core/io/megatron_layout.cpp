// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/megatron_layout.h"

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
    add("loss", stage.outputs);
    return text.empty() ? "(empty stage)" : text;
}

/// What a layout has on more stages than the main line of Megatron takes.
struct SeveralStages
{
    int outputs = 0;     ///< L
    int tokens = 0;      ///< m
    int tokenStages = 0; ///< stages with m
};

SeveralStages severalStages(const LayerSplit& split)
{
    SeveralStages several;
    for (const StageContent& stage : split) {
        several.outputs += stage.outputs;
        several.tokens += stage.multiToken;
        several.tokenStages += stage.multiToken > 0 ? 1 : 0;
    }
    return several;
}

Result<void> checkTokenStage(StageId stage, int stages, int ranks)
{
    if (ranks == 1 || (stage % ranks != 0 && stage >= stages - ranks))
        return {};
    return fail(ErrorCode::BadValue,
                "stage %1 has m, and is not the last chunk of a rank behind rank 0", stage);
}

/// @param lastToken  the last stage with m; −1: none
Result<void> checkOutputs(const LayerSplit& split, int lastToken)
{
    const SeveralStages several = severalStages(split);
    if (several.outputs != 1 && several.outputs != several.tokens + 1)
        return fail(ErrorCode::BadValue,
                    "the layout has %1 L; one for all losses, or with %2 m one for each and one "
                    "for the main model",
                    several.outputs, several.tokens);
    const auto first = std::find_if(split.begin(), split.end(),
                                    [](const StageContent& stage) { return stage.outputs > 0; });
    const StageId stage(static_cast<int>(first - split.begin()));
    if (stage < lastToken)
        return fail(ErrorCode::BadValue, "stage %1 has L before the m of stage %2", stage,
                    lastToken);
    const bool layers = std::any_of(first + 1, split.end(),
                                    [](const StageContent& later) { return later.layers > 0; });
    if (layers)
        return fail(ErrorCode::BadValue, "stage %1 has L, and a later stage has t", stage);
    return {};
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
        flat.append(static_cast<std::size_t>(std::max(content.outputs, 0)), 'L');
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

const CheckedEngine& megatronOf(const LayerSplit& split)
{
    const SeveralStages several = severalStages(split);
    return several.outputs > 1       ? megatronLossesChecked
           : several.tokenStages > 1 ? megatronTokensChecked
                                     : megatronChecked;
}

Result<void> checkMegatronLayout(const LayerSplit& split, int ranks)
{
    const auto refuse = [](const Sentence& why) { return fail(ErrorCode::BadValue, why); };
    const auto stages = static_cast<int>(split.size());
    if (ranks < 1 || stages % ranks != 0)
        return refuse(
            said("the layout has %1 stages, which %2 pipeline ranks do not divide", stages, ranks));
    if (!split.front().embedding || split.back().outputs == 0)
        return refuse(said("E comes first of all, and L last"));
    int lastToken = -1;
    for (const StageId stage : Ids<StageId>(stages)) {
        const StageContent& content = split[static_cast<std::size_t>(stage)];
        if (content.embedding && stage > 0)
            return refuse(said("stage %1 has E, which belongs to the first stage", stage));
        if (content.multiToken > 0) {
            if (lastToken >= 0 && stage > lastToken + 1)
                return refuse(said("stages %1 and %2 have m, and a stage between them has none",
                                   lastToken, stage));
            lastToken = stage;
            PW_DO(checkTokenStage(stage, stages, ranks));
        } else if (lastToken >= 0 && content.layers > 0) {
            return refuse(said("stage %1 has t behind the m of stage %2", stage, lastToken));
        }
    }
    return checkOutputs(split, lastToken);
}

std::vector<std::vector<std::string>> megatronLayoutTable(const LayerSplit& split, int ranks)
{
    std::vector<std::vector<std::string>> rows(static_cast<std::size_t>(std::max(ranks, 1)));
    for (std::size_t stage = 0; stage < split.size(); ++stage)
        rows[stage % rows.size()].push_back(contentText(split[stage]));
    return rows;
}

} // namespace pw
