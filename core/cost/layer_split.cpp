// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/layer_split.h"

#include "core/base/try.h"
#include "core/model/ids.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace pw {

namespace {

constexpr std::size_t maxItems = 1'000'000;
constexpr int maxDepth = 32;

/// Writes a layout out without brackets and repeats.
class LayoutExpander
{
public:
    explicit LayoutExpander(std::string_view text)
        : m_text(text)
    {
    }

    Result<std::string> expand()
    {
        auto items = sequence(0);
        if (items && m_position < m_text.size())
            return unexpected();
        return items;
    }

private:
    tl::unexpected<Error> unexpected() const
    {
        if (m_position >= m_text.size())
            return fail(ErrorCode::Syntax, "the layout ends inside a bracket or a repeat");
        return fail(ErrorCode::Syntax, "the layout has an unexpected '%1' at position %2",
                    std::string(1, m_text[m_position]), m_position + 1);
    }

    bool next(char wanted)
    {
        if (m_position >= m_text.size() || m_text[m_position] != wanted)
            return false;
        ++m_position;
        return true;
    }

    void skipBlanks()
    {
        while (m_position < m_text.size() &&
               std::string_view(", \t\r\n").find(m_text[m_position]) != std::string_view::npos)
            ++m_position;
    }

    Result<std::string> item(int depth)
    {
        if (next('(')) {
            if (depth == maxDepth)
                return fail(ErrorCode::Syntax, "the layout has brackets nested too deep");
            auto inner = sequence(depth + 1);
            if (inner && !next(')'))
                return unexpected();
            return inner;
        }
        const char letter = m_text[m_position];
        if (std::string_view("EtmL|").find(letter) == std::string_view::npos)
            return unexpected();
        ++m_position;
        return std::string(1, letter);
    }

    Result<std::size_t> repeats()
    {
        skipBlanks();
        if (!next('*'))
            return std::size_t{1};
        skipBlanks();
        std::size_t times = 0;
        const char* const begin = m_text.data() + m_position;
        const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), times);
        if (error == std::errc::result_out_of_range)
            return fail(ErrorCode::TooLarge, "the layout repeats an item too often");
        if (error != std::errc{})
            return unexpected();
        m_position += static_cast<std::size_t>(end - begin);
        return times;
    }

    Result<std::string> sequence(int depth)
    {
        std::string items;
        for (skipBlanks(); m_position < m_text.size() && m_text[m_position] != ')'; skipBlanks()) {
            const auto part = item(depth);
            if (!part)
                return part;
            PW_TRY(const auto times, repeats());
            // Of nothing too: writing nothing down for ever is a hang.
            if (times > (maxItems - items.size()) / std::max<std::size_t>(1, part->size())) {
                return fail(ErrorCode::TooLarge, "the layout has more than %1 items", maxItems);
            }
            for (std::size_t i = 0; i < times && !part->empty(); ++i)
                items += *part;
        }
        return items;
    }

    std::string_view m_text;
    std::size_t m_position = 0;
};

Result<std::vector<int>> parseCounts(std::string_view text)
{
    std::vector<int> counts;
    std::string_view rest = text;
    while (true) {
        const std::size_t comma = rest.find(',');
        const std::string_view word = rest.substr(0, comma);
        int layers = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), layers);
        if (error != std::errc{} || end != word.data() + word.size()) {
            return fail(
                ErrorCode::Syntax,
                "\"%1\" in \"%2\" is not a count of layers; a split is even, ends, counts such "
                "as 7,8,8,7, or a layout such as E|t*8|t*8L",
                word, text);
        }
        counts.push_back(layers);
        if (comma == std::string_view::npos)
            return counts;
        rest.remove_prefix(comma + 1);
    }
}

/// Embedding, layers, multi-token layers and outputs follow each other, over all stages.
Result<void> checkItemOrder(std::string_view items)
{
    constexpr std::string_view order = "EtmL";
    std::size_t latest = 0;
    for (const char item : items) {
        const std::size_t place = order.find(item);
        if (place == std::string_view::npos)
            continue; // the end of a stage
        if (place < latest)
            return fail(ErrorCode::BadValue,
                        "the layout has %1 behind %2; they come in the order E, t, m, L",
                        std::string(1, item), std::string(1, order[latest]));
        latest = place;
    }
    return {};
}

} // namespace

Result<LayerSplit> givenSplit(const std::vector<int>& layersOfStage)
{
    if (layersOfStage.empty())
        return fail(ErrorCode::BadValue, "layers are given for no stage");
    LayerSplit split(layersOfStage.size());
    for (const StageId stage : Ids<StageId>(split.size())) {
        const int layers = layersOfStage[stage.index()];
        if (layers < 0)
            return fail(ErrorCode::BadValue, "stage %1 has %2 layers; at least 0", stage, layers);
        split[stage.index()].layers = layers;
    }
    split.front().embedding = true;
    split.back().outputs = 1;
    return split;
}

Result<LayerSplit> evenSplit(int layers, int stages)
{
    if (stages < 1)
        return fail(ErrorCode::BadValue, "stages is %1; at least 1", stages);
    if (layers < stages) {
        return fail(ErrorCode::BadValue, "%1 cannot fill %2, one layer each",
                    counted(layers, "%1 layer", "%1 layers"),
                    counted(stages, "%1 stage", "%1 stages"));
    }
    std::vector<int> counts(static_cast<std::size_t>(stages), layers / stages);
    for (const StageId stage : Ids<StageId>(layers % stages))
        ++counts[static_cast<std::size_t>(stage)];
    return givenSplit(counts);
}

Result<LayerSplit> lighterEndsSplit(int layers, int stages)
{
    if (stages < 2) {
        return fail(ErrorCode::BadValue,
                    "one layer less at both ends needs at least 2 stages, not %1", stages);
    }
    if (layers < 0 || (layers + 2) / stages < 2) {
        return fail(ErrorCode::BadValue, "%1 in %2: with one layer less an end has none",
                    counted(layers, "%1 layer", "%1 layers"),
                    counted(stages, "%1 stage", "%1 stages"));
    }
    auto split = evenSplit(layers + 2, stages);
    if (split) {
        --split->front().layers;
        --split->back().layers;
    }
    return split;
}

Result<LayerSplit> parseLayout(std::string_view text)
{
    PW_TRY(const auto items, LayoutExpander(text).expand());
    const auto ends = [&](char item) { return std::count(items.begin(), items.end(), item); };
    if (items.empty() || items.front() != 'E' || ends('E') != 1) {
        return fail(ErrorCode::BadValue,
                    "a layout has one E, the embedding, and begins with it; this one has %1",
                    ends('E'));
    }
    if (items.back() != 'L' || (ends('L') != 1 && ends('L') != ends('m') + 1)) {
        return fail(ErrorCode::BadValue,
                    "a layout has one L, the output layer, or one for each m and one more, and "
                    "ends with it; this one has %1 L and %2 m",
                    ends('L'), ends('m'));
    }
    PW_DO(checkItemOrder(items));
    LayerSplit split(1);
    for (const char item : items) {
        switch (item) {
        case 'E':
            split.back().embedding = true;
            break;
        case 'L':
            ++split.back().outputs;
            break;
        case 't':
            ++split.back().layers;
            break;
        case 'm':
            ++split.back().multiToken;
            break;
        default:
            split.emplace_back();
            break;
        }
    }
    return split;
}

Result<LayerSplit> parseSplit(std::string_view text, int layers, int stages)
{
    const auto parsed = [&]() -> Result<LayerSplit> {
        if (text == "even")
            return evenSplit(layers, stages);
        if (text == "ends")
            return lighterEndsSplit(layers, stages);
        if (text.find_first_of("EtmL|(*") != std::string_view::npos)
            return parseLayout(text);
        PW_TRY(const auto counts, parseCounts(text));
        return givenSplit(counts);
    }();
    if (!parsed)
        return parsed;
    PW_DO(check(*parsed, layers, stages));
    return parsed;
}

Result<void> check(const LayerSplit& split, int layers, int stages)
{
    if (split.size() != static_cast<std::size_t>(stages)) {
        return fail(ErrorCode::BadValue, "the layers are split over %1; the pipeline has %2",
                    counted(static_cast<std::int64_t>(split.size()), "%1 stage", "%1 stages"),
                    stages);
    }
    std::int64_t sum = 0;
    for (const StageId stage : Ids<StageId>(split.size())) {
        const StageContent& content = split[stage.index()];
        sum += content.layers;
        if (content.layers < 0) {
            return fail(ErrorCode::BadValue, "stage %1 has %2 layers; at least 0", stage,
                        content.layers);
        }
        if (content.embedding != (stage == 0) || content.outputs != (stage + 1 == stages ? 1 : 0)) {
            return fail(
                ErrorCode::BadValue,
                "stage %1: the embedding belongs to the first stage, the output layer to the last",
                stage);
        }
    }
    if (sum != layers) {
        return fail(ErrorCode::BadValue, "the split has %1; the model has %2",
                    counted(sum, "%1 layer", "%1 layers"), layers);
    }
    return {};
}

} // namespace pw
