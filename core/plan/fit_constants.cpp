// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/json.h"
#include "core/base/try.h"
#include "core/cost/around.h"
#include "core/cost/configuration_traits.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"
#include "core/plan/fit_misfit.h"
#include "core/plan/measured.h"
#include "core/plan/plan_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace pw::plan {

namespace {

/// The makespan of 1F1B by its recurrence: every device's passes are known, each begins when the
/// one before it on the device and the one that it waits for have ended.
class OneFOneBWalk
{
public:
    OneFOneBWalk(const Costs& costs, const PipelineSpec& spec, int microBatches)
        : m_costs(costs)
        , p(spec.devices)
        , m(microBatches)
        , m_forwardEnd(static_cast<std::size_t>(p) * static_cast<std::size_t>(m), -1)
        , m_backwardEnd(m_forwardEnd)
        , m_next(static_cast<std::size_t>(p), 0)
        , m_free(static_cast<std::size_t>(p), 0)
    {
        for (const StageId s : Ids<StageId>(p))
            m_joined.push_back(tableTime(costs, spec, {PassKind::BW, 0, s, 0, 0}));
        for (const DeviceId d : Ids<DeviceId>(p - 1)) {
            const DeviceId next = d + 1;
            m_down.push_back(
                nominalMessageTime(costs, spec, d, next, costs.forwardMessage[d.index()]));
            m_up.push_back(
                nominalMessageTime(costs, spec, next, d, costs.backwardMessage[next.index()]));
        }
    }

    Ticks makespan()
    {
        for (std::int64_t left = 2LL * p * m; left > 0;) {
            for (const DeviceId d : Ids<DeviceId>(p)) {
                while (m_next[d.index()] < 2 * m && step(d))
                    --left;
            }
        }
        return *std::max_element(m_free.begin(), m_free.end());
    }

private:
    std::size_t cell(DeviceId device, int microBatch) const
    {
        return static_cast<std::size_t>(device) * static_cast<std::size_t>(m) +
               static_cast<std::size_t>(microBatch);
    }
    bool step(DeviceId d)
    {
        const auto i = static_cast<std::size_t>(d);
        const int k = m_next[i];
        const int warm = std::min(p - d - 1, m);
        // Warm-up forwards, then one forward and one backward in turn, then what is left.
        const int turn = k - warm;
        const int steady = 2 * (m - warm);
        if (turn < 0)
            return forward(d, k);
        if (turn >= steady)
            return backward(d, m - warm + turn - steady);
        return turn % 2 == 0 ? forward(d, warm + turn / 2) : backward(d, turn / 2);
    }
    bool forward(DeviceId d, int j)
    {
        Ticks ready = 0;
        if (d > 0) {
            const Ticks before = m_forwardEnd[cell(DeviceId(d - 1), j)];
            if (before < 0)
                return false;
            ready = before + m_down[d.index() - 1];
        }
        const auto i = static_cast<std::size_t>(d);
        m_free[i] = std::max(m_free[i], ready) + m_costs.forward[i];
        m_forwardEnd[cell(d, j)] = m_free[i];
        ++m_next[i];
        return true;
    }
    bool backward(DeviceId d, int j)
    {
        const auto i = static_cast<std::size_t>(d);
        Ticks ready = m_forwardEnd[cell(d, j)];
        if (d + 1 < p) {
            const Ticks after = m_backwardEnd[cell(DeviceId(d + 1), j)];
            if (after < 0)
                return false;
            ready = after + m_up[d.index()];
        }
        m_free[i] = std::max(m_free[i], ready) + m_joined[i];
        m_backwardEnd[cell(d, j)] = m_free[i];
        ++m_next[i];
        return true;
    }

    const Costs& m_costs;
    int p, m;
    std::vector<Ticks> m_forwardEnd, m_backwardEnd;
    std::vector<int> m_next;
    std::vector<Ticks> m_free;
    std::vector<Ticks> m_joined;     ///< T_BW by stage
    std::vector<Ticks> m_down, m_up; ///< of a message between device d and the next
};

double misfit(const std::vector<MeasuredRow>& rows, const Accelerator& device,
              const Constants& constants)
{
    double sum = 0;
    for (const MeasuredRow& row : rows) {
        const double error = errorOf(row, device, constants) / expectedError;
        sum += std::log1p(error * error);
    }
    sum *= rowWeight(rows.size());
    for (std::size_t i = 0; i < constantCount; ++i) {
        if (!isFitted(i))
            continue;
        const ConstantInfo& info = constantInfos()[i];
        const double away = std::log(constants.values[i] / info.usual) / info.spread;
        sum += away * away;
    }
    return sum;
}

std::vector<double> ranksOf(const std::vector<double>& values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && values[order[end]] == values[order[i]])
            ++end;
        for (std::size_t k = i; k < end; ++k)
            ranks[order[k]] = static_cast<double>(i + end - 1) / 2;
        i = end;
    }
    return ranks;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b)
{
    const double n = static_cast<double>(a.size());
    const double meanA = std::accumulate(a.begin(), a.end(), 0.0) / n;
    const double meanB = std::accumulate(b.begin(), b.end(), 0.0) / n;
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += (a[i] - meanA) * (b[i] - meanB);
        aa += (a[i] - meanA) * (a[i] - meanA);
        bb += (b[i] - meanB) * (b[i] - meanB);
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

/// Rows among which a user chooses: of the same work on as many devices.
std::string questionOf(const MeasuredRow& row)
{
    const TransformerModel& dense = row.model.dense;
    std::string text = dense.name + std::string(name(dense.precision));
    for (const int number :
         {dense.hidden, dense.layers, dense.heads, dense.sequence, dense.vocabulary,
          row.model.experts.count, row.devices, row.configuration.globalBatch})
        text += "," + std::to_string(number);
    return text;
}

/// How much longer the row predicted fastest took than the fastest, less 1: the mean over all
/// questions with rows to choose from. Of runs of one configuration the mean counts.
double choiceLoss(const std::vector<MeasuredRow>& rows, const std::vector<double>& predicted)
{
    struct Runs
    {
        double sum = 0;
        int count = 0;
    };
    std::map<std::string, std::map<double, Runs>> questions; // by prediction
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Runs& runs = questions[questionOf(rows[i])][predicted[i]];
        runs.sum += rows[i].seconds;
        ++runs.count;
    }
    double sum = 0;
    int choices = 0;
    for (const auto& [question, configurations] : questions) {
        if (configurations.size() < 2)
            continue;
        std::vector<double> measured;
        for (const auto& [seconds, runs] : configurations)
            measured.push_back(runs.sum / runs.count);
        sum += measured.front() / *std::min_element(measured.begin(), measured.end()) - 1;
        ++choices;
    }
    return choices > 0 ? sum / choices : 0;
}

constexpr int constantsVersion = 1;

void readSurety(JsonFields& fields, Surety& surety)
{
    constexpr int mostRows = 1 << 26;
    if (fields.has("rows"))
        surety.rows = static_cast<int>(fields.integer("rows", 1, mostRows));
    if (fields.has("spread"))
        surety.spread = fields.number("spread", 0, 10);
}

} // namespace

double rankCorrelation(const std::vector<double>& a, const std::vector<double>& b)
{
    return correlation(ranksOf(a), ranksOf(b));
}

Result<double> iterationSeconds(const LanguageModel& model, const Cluster& cluster,
                                const Configuration& configuration)
{
    if (configuration.vocabularyParallel || !takesTurns(configuration)) {
        PW_TRY(const Evaluation evaluation, evaluate(model, cluster, configuration));
        return evaluation.seconds();
    }
    PW_DO(check(model, cluster, configuration));
    const int p = configuration.pipelineParallel, m = configuration.microBatches();
    PipelineSpec spec;
    spec.devices = p;
    spec.microBatches = m;
    spec.routes = {Placement::linear(p)};
    PW_DO(check(spec));
    const Pieces pieces = piecesOf(model, cluster, configuration);
    const std::vector<int> split =
        configuration.split.empty() ? evenLayers(model.dense.layers, p) : configuration.split;
    const Costs costs = costsOf(model, cluster, configuration, pieces, spec, split);
    PW_DO(check(costs, spec));
    const double pipeline = static_cast<double>(OneFOneBWalk(costs, spec, m).makespan()) /
                            static_cast<double>(ticksPerSecond);
    DeviceWeights most;
    int layer = 0;
    for (int s = 0; s < p; ++s) {
        DeviceWeights weights;
        for (int i = 0; i < split[static_cast<std::size_t>(s)]; ++i)
            weights += layerDeviceWeights(model, configuration, layer++);
        if (s == 0)
            weights += embeddingDeviceWeights(model, configuration);
        if (s == p - 1)
            weights += outputDeviceWeights(model, configuration);
        if (weights.total() > most.total())
            most = weights;
    }
    const AroundParts around = aroundOf(model, cluster, configuration, most, 1);
    return pipeline + around.reduction + around.tied + around.optimizer +
           cluster.constants[Constant::StepTime];
}

Judgement judge(const std::vector<MeasuredRow>& rows, const Accelerator& device,
                const Constants& constants)
{
    Judgement judgement;
    judgement.rows = static_cast<int>(rows.size());
    std::vector<double> predicted, measured;
    for (const MeasuredRow& row : rows) {
        predicted.push_back(predictedSeconds(row, device, constants));
        measured.push_back(row.seconds);
        const double ratio = predicted.back() / row.seconds, part = 1.0 / judgement.rows;
        judgement.meanError += part * std::abs(ratio - 1);
        judgement.bias += part * (ratio - 1);
        judgement.worst = std::max(judgement.worst, std::abs(ratio - 1));
        if (std::abs(std::log(ratio)) <=
            suretyOf(Cluster{device, row.devices, constants, {}}, row.model).spread)
            judgement.inside += part;
    }
    judgement.rank = rankCorrelation(predicted, measured);
    judgement.choiceLoss = choiceLoss(rows, predicted);
    return judgement;
}

Constants fitConstants(const std::vector<MeasuredRow>& rows, const Accelerator& device)
{
    Constants constants = usualConstants();
    const bool oneNode = std::all_of(rows.begin(), rows.end(), [&device](const MeasuredRow& row) {
        return row.devices <= device.devicesPerNode;
    });
    constants[Constant::HostBlend] = constantsFor(device.name, oneNode)[Constant::HostBlend];
    double best = misfit(rows, device, constants);
    constexpr double firstStep = 0.2, lastStep = 1e-3, grow = 1.3, shrink = 0.5;
    std::array<double, constantCount> step{};
    for (std::size_t i = 0; i < constantCount; ++i)
        step[i] = isFitted(i) ? firstStep : 0;
    constexpr int mostRounds = 60;
    for (int round = 0; round < mostRounds; ++round) {
        for (std::size_t i = 0; i < constantCount; ++i) {
            if (!isFitted(i))
                continue;
            bool better = false;
            for (const double sign : {1.0, -1.0}) {
                Constants tried = constants;
                const ConstantInfo& info = constantInfos()[i];
                tried.values[i] = std::clamp(constants.values[i] * std::exp(sign * step[i]),
                                             info.minimum, info.maximum);
                const double value = misfit(rows, device, tried);
                if (value < best) {
                    best = value;
                    constants = tried;
                    better = true;
                    break;
                }
            }
            step[i] *= better ? grow : shrink;
        }
        if (*std::max_element(step.begin(), step.end()) < lastStep)
            break;
    }
    for (const auto& [precision, surety] : suretiesOf(rows, device, constants))
        constants.of(precision) = surety;
    return constants;
}

std::vector<std::vector<MeasuredRow>> byModel(const std::vector<MeasuredRow>& rows)
{
    std::map<std::tuple<int, int, int>, std::vector<MeasuredRow>> groups;
    for (const MeasuredRow& row : rows) {
        const TransformerModel& dense = row.model.dense;
        groups[{dense.hidden, dense.layers, dense.heads}].push_back(row);
    }
    std::vector<std::vector<MeasuredRow>> all;
    for (auto& [key, group] : groups)
        all.push_back(std::move(group));
    return all;
}

std::vector<Judgement> judgeLeftOut(const std::vector<MeasuredRow>& rows, const Accelerator& device)
{
    const std::vector<std::vector<MeasuredRow>> groups = byModel(rows);
    std::vector<Judgement> judgements;
    for (std::size_t left = 0; left < groups.size(); ++left) {
        std::vector<MeasuredRow> others;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (i != left)
                others.insert(others.end(), groups[i].begin(), groups[i].end());
        }
        if (others.empty())
            continue;
        Judgement judgement = judge(groups[left], device, fitConstants(others, device));
        const TransformerModel& dense = groups[left].front().model.dense;
        judgement.name = std::to_string(dense.layers) + " layers of " +
                         std::to_string(dense.hidden) + ", " + std::to_string(dense.heads) +
                         " heads";
        judgements.push_back(std::move(judgement));
    }
    return judgements;
}

std::string constantsText(const Constants& constants)
{
    JsonText json;
    json.beginObject();
    json.member("version", constantsVersion);
    for (std::size_t i = 0; i < constantCount; ++i)
        json.member(constantInfos()[i].name, constants.values[i]);
    // Those of 16 bits stand where they stood before there were others.
    const auto write = [&json](const Surety& surety) {
        json.member("rows", surety.rows);
        json.member("spread", surety.spread);
    };
    if (constants.of(Precision::Bf16).rows > 0)
        write(constants.of(Precision::Bf16));
    for (std::size_t i = 1; i < precisionCount; ++i) {
        if (constants.surety[i].rows == 0)
            continue;
        json.key(precisionNames[i]);
        json.beginObject();
        write(constants.surety[i]);
        json.endObject();
    }
    json.endObject();
    return json.text();
}

Result<Constants> parseConstants(std::string_view text)
{
    constexpr std::int64_t maxBytes = 1 << 20;
    PW_TRY(const JsonDocument document, parseJson(text, maxBytes));
    if (!document.IsObject())
        return fail(ErrorCode::Syntax, "the constants are not a JSON object");
    JsonFields::Failure failure;
    JsonFields fields(document, "", failure);
    const int version = fields.count("version", 1);
    Constants constants;
    for (std::size_t i = 0; i < constantCount; ++i) {
        const ConstantInfo& info = constantInfos()[i];
        // Files from before there were narrow numbers do not have their rates, and those from
        // before passes had a time of their own counted none.
        const bool later = i >= static_cast<std::size_t>(Constant::EightBitRate);
        const double before = i == static_cast<std::size_t>(Constant::PassTime) ? 0 : info.usual;
        constants.values[i] = later && !fields.has(info.name)
                                  ? before
                                  : fields.number(info.name, info.minimum, info.maximum);
    }
    readSurety(fields, constants.of(Precision::Bf16));
    for (std::size_t i = 1; i < precisionCount; ++i) {
        if (!fields.has(precisionNames[i]))
            continue;
        if (const JsonValue* const own = fields.object(precisionNames[i])) {
            JsonFields inner(*own, std::string(precisionNames[i]), failure);
            readSurety(inner, constants.surety[i]);
            inner.finish();
        }
    }
    fields.finish();
    if (failure)
        return fail(*failure);
    if (version != constantsVersion)
        return fail(ErrorCode::Version,
                    "the constants are of version %1; this program reads version %2", version,
                    constantsVersion);
    return constants;
}

} // namespace pw::plan
