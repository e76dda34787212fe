// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/number.h"
#include "core/base/try.h"
#include "core/families/engines.h"
#include "core/io/checked_engines.h"
#include "core/io/engine_text.h"
#include "core/io/file_problem.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace pw {

namespace {

constexpr std::int64_t mostStrategyBytes = 1 << 20;
constexpr int mostStrategyLayers = 100'000;

/// The same number for every layer: "0,0,0".
std::string forEveryLayer(int layers, std::string_view number)
{
    std::string text;
    for (int i = 0; i < layers; ++i)
        text += (i > 0 ? "," : "") + std::string(number);
    return text;
}

/// A micro-batch without a sample is none.
Result<void> checkBatch(std::int64_t batch, int microBatches)
{
    if (batch >= microBatches)
        return {};
    return fail(ErrorCode::BadValue,
                "global_bsz is %1 and chunks is %2; each micro-batch has a sample at least", batch,
                microBatches);
}

/// What a strategy may say of each layer, in a list of as many numbers as there are layers.
struct LayerNumbers
{
    std::string_view field;
    int least;
    int most;
    bool powers; ///< of two alone
};

constexpr int mostStrategyRanks = 4096;
constexpr std::array<LayerNumbers, 6> ofEachLayer = {{{"tp_sizes_enc", 1, mostStrategyRanks, true},
                                                      {"cp_sizes_enc", 1, mostStrategyRanks, true},
                                                      {"tp_consecutive_flags", 0, 1, false},
                                                      {"dp_types_enc", 0, 1, false},
                                                      {"use_sp", 0, 1, false},
                                                      {"checkpoint", 0, 1, false}}};
/// And what it may say of the embedding and the output.
constexpr std::array<LayerNumbers, 5> ofTheEnds = {{{"vtp", 1, mostStrategyRanks, true},
                                                    {"vcp", 1, mostStrategyRanks, true},
                                                    {"vsp", 0, 1, false},
                                                    {"embed_sdp", 0, 1, false},
                                                    {"vocab_sdp", 0, 1, false}}};

bool isPowerOfTwo(std::int64_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

class StrategyReader
{
public:
    explicit StrategyReader(const JsonDocument& document)
        : m_document(document)
        , m_fields(document, "", m_failure)
    {
    }

    Result<GalvatronStrategy> run()
    {
        refuseDoubled();
        GalvatronStrategy strategy;
        constexpr int mostMicroBatches = 1'000'000;
        strategy.devices = static_cast<int>(m_fields.integer("pp_deg", 1, mostStrategyRanks));
        strategy.microBatches = static_cast<int>(m_fields.integer("chunks", 1, mostMicroBatches));
        if (m_fields.has("global_bsz"))
            strategy.batch = m_fields.integer("global_bsz", 1, std::int64_t{1} << 40);
        strategy.layers = counts("pp_division");
        strategy.family = family();
        oneOf("default_dp_type", {"ddp", "zero2", "zero3"});
        for (const LayerNumbers& numbers : ofTheEnds)
            checkEnd(numbers);
        for (const LayerNumbers& numbers : ofEachLayer)
            m_lists.push_back(m_fields.has(numbers.field) ? counts(numbers.field)
                                                          : std::vector<int>());
        if (m_failure)
            return fail(*m_failure);
        PW_DO(checkTogether(strategy));
        const std::vector<int>& checkpoint = m_lists.back();
        strategy.recompute = std::find(checkpoint.begin(), checkpoint.end(), 1) != checkpoint.end();
        return strategy;
    }

private:
    std::string family()
    {
        std::vector<std::string> words;
        for (const Family* known : familiesOf(galvatronEngine))
            words.emplace_back(wordFor(*known, galvatronEngine));
        return std::string(familyCalled(galvatronEngine, oneOf("pipeline_type", words))->id);
    }

    /// Of a field that stands twice nobody knows which is meant.
    void refuseDoubled()
    {
        std::set<std::string_view> seen;
        for (rapidjson::SizeType i = 0; m_document.IsObject() && i < m_document.MemberCount();
             ++i) {
            const auto& name = m_document.MemberBegin()[static_cast<std::ptrdiff_t>(i)].name;
            const std::string_view field(name.GetString(), name.GetStringLength());
            if (!seen.insert(field).second)
                m_fields.refuse(field, "%1 appears twice");
        }
    }

    /// Reads "2,2,3"; a word that is not a count is refused.
    std::vector<int> counts(std::string_view field)
    {
        std::vector<int> found;
        const std::string text = m_fields.text(field);
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            const std::string_view word =
                trimmed(std::string_view(text).substr(begin, end - begin));
            begin = end + 1;
            const auto count = parseNumber(word);
            if (!count || *count < 0 || *count > mostStrategyLayers ||
                found.size() >= static_cast<std::size_t>(mostStrategyLayers)) {
                m_fields.refuse(field, "%1 is not a list of counts with commas between them");
                return {};
            }
            found.push_back(*count);
        }
        return found;
    }

    /// One of some words; the first where the field is absent.
    std::string oneOf(std::string_view field, const std::vector<std::string>& words)
    {
        const std::string word = m_fields.text(field, words.front());
        if (std::find(words.begin(), words.end(), word) != words.end())
            return word;
        std::string all;
        for (const std::string& one : words)
            all += (all.empty() ? "" : ", ") + one;
        m_fields.refuse(field, "%1 is %2; it can be %3", inQuotes(word), all);
        return words.front();
    }

    void checkEnd(const LayerNumbers& numbers)
    {
        const std::int64_t value =
            m_fields.integer(numbers.field, numbers.least, numbers.most, numbers.least);
        if (numbers.powers && !isPowerOfTwo(value))
            m_fields.refuse(numbers.field, "%1 is %2; it is a power of two", value);
    }

    /// What is fine by itself and not beside the rest.
    Result<void> checkTogether(const GalvatronStrategy& strategy) const
    {
        if (strategy.layers.size() != static_cast<std::size_t>(strategy.devices))
            return fail(ErrorCode::BadValue, "pp_division has %1 stages and pp_deg is %2",
                        strategy.layers.size(), strategy.devices);
        // Counts of one stage are small; of thousands of stages their sum need not be.
        const std::int64_t layers =
            std::accumulate(strategy.layers.begin(), strategy.layers.end(), std::int64_t{0});
        if (layers < 1 || layers > mostStrategyLayers)
            return fail(ErrorCode::BadValue,
                        "pp_division has %1 layers in all; 1 to %2 make a model", layers,
                        mostStrategyLayers);
        if (strategy.batch > 0)
            PW_DO(checkBatch(strategy.batch, strategy.microBatches));
        for (std::size_t i = 0; i < m_lists.size(); ++i)
            PW_DO(checkList(ofEachLayer[i], m_lists[i], layers));
        return {};
    }

    static Result<void> checkList(const LayerNumbers& numbers, const std::vector<int>& list,
                                  std::int64_t layers)
    {
        if (list.empty())
            return {};
        if (static_cast<std::int64_t>(list.size()) != layers)
            return fail(ErrorCode::BadValue, "%1 has numbers of %2 layers and pp_division has %3",
                        numbers.field, list.size(), layers);
        for (std::size_t layer = 0; layer < list.size(); ++layer) {
            const int value = list[layer];
            if (value < numbers.least || value > numbers.most)
                return fail(ErrorCode::BadValue, "%1 of layer %2 is %3; it can be %4 to %5",
                            numbers.field, layer, value, numbers.least, numbers.most);
            if (numbers.powers && !isPowerOfTwo(value))
                return fail(ErrorCode::BadValue, "%1 of layer %2 is %3; it is a power of two",
                            numbers.field, layer, value);
        }
        return {};
    }

    const JsonDocument& m_document;
    JsonFields::Failure m_failure;
    JsonFields m_fields;
    std::vector<std::vector<int>> m_lists; // as ofEachLayer; empty where a list is absent
};

/// Whether a schedule has the order of a family at its own shape.
bool hasOrderOf(const Schedule& schedule, const Family& family)
{
    FamilyOptions options;
    options.devices = schedule.devices();
    options.microBatches = schedule.spec().microBatches;
    const Result<Schedule> other = buildUniform(family, options, UniformCosts{});
    return other && other->orders() == schedule.orders();
}

std::string_view typeOf(const GalvatronStrategy& strategy)
{
    const Result<const Family*> family = findFamily(strategy.family);
    return family ? wordFor(**family, galvatronEngine) : std::string_view();
}

} // namespace

std::string writeGalvatron(const GalvatronStrategy& strategy)
{
    const int layers = std::accumulate(strategy.layers.begin(), strategy.layers.end(), 0);
    std::string division;
    for (const int count : strategy.layers)
        division += (division.empty() ? "" : ",") + std::to_string(count);
    JsonText json;
    json.beginObject();
    // Galvatron asks for the fields that it knows and for no others.
    json.member("comment", std::string_view(checkedAgainst(galvatronChecked)));
    json.member("pp_deg", strategy.devices);
    json.member("tp_sizes_enc", std::string_view(forEveryLayer(layers, "1")));
    json.member("tp_consecutive_flags", std::string_view(forEveryLayer(layers, "1")));
    json.member("dp_types_enc", std::string_view(forEveryLayer(layers, "0")));
    json.member("use_sp", std::string_view(forEveryLayer(layers, "0")));
    json.member("checkpoint",
                std::string_view(forEveryLayer(layers, strategy.recompute ? "1" : "0")));
    if (strategy.batch > 0)
        json.member("global_bsz", strategy.batch);
    json.member("chunks", strategy.microBatches);
    json.member("pp_division", std::string_view(division));
    json.member("pipeline_type", typeOf(strategy));
    json.member("default_dp_type", "ddp");
    json.member("vtp", 1);
    json.member("vsp", 0);
    json.member("embed_sdp", 0); // written by its search
    json.member("vocab_sdp", 0); // read by its runtime
    json.endObject();
    return json.text();
}

Result<GalvatronStrategy> readGalvatron(std::string_view text)
{
    PW_TRY(const JsonDocument document, parseJson(text, mostStrategyBytes));
    return StrategyReader(document).run();
}

Result<GalvatronStrategy> galvatronOf(const Schedule& schedule, const LayerSplit& split,
                                      std::int64_t batch)
{
    const PipelineSpec& spec = schedule.spec();
    if (spec.routeCount() > 1 || spec.routes.front() != Placement::linear(spec.devices))
        return fail(ErrorCode::BadValue, "Galvatron has stage k on rank k, one stage a rank; this "
                                         "schedule has another placement");
    PW_DO(checkBatch(batch, spec.microBatches));
    GalvatronStrategy strategy;
    strategy.devices = spec.devices;
    strategy.microBatches = spec.microBatches;
    strategy.batch = batch;
    for (const StageContent& stage : split)
        strategy.layers.push_back(stage.layers);
    const std::vector<const Family*> known = familiesOf(galvatronEngine);
    for (const Family* family : known) {
        strategy.family = family->id;
        if (hasOrderOf(schedule, *family))
            return strategy;
    }
    return fail(ErrorCode::BadValue,
                "Galvatron knows the orders of %1; this schedule has another one",
                titlesText(known));
}

} // namespace pw
