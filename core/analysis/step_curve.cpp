// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/step_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

namespace pw {

namespace {

constexpr std::size_t fewestPoints = 5; // of which an odd one can be told
constexpr std::size_t shortestPhase = 5;

/// The middle of values, of an even count the upper one. @pre there are some
double middleValue(std::vector<double> values, double part = 0.5)
{
    const auto last = static_cast<double>(values.size() - 1);
    const auto at =
        values.begin() + static_cast<std::ptrdiff_t>(std::llround(std::ceil(part * last)));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

std::vector<double> curveValues(const StepCurve& curve)
{
    std::vector<double> values;
    for (const CurvePoint& point : curve.points)
        values.push_back(point.value);
    return values;
}

/// 1 where more is worse.
double worseSign(CurveOf of)
{
    return of == CurveOf::Throughput ? -1 : 1;
}

/// A standard deviation of normal noise is this many medians of its absolute values.
constexpr double normalSpread = 1.4826;

double spreadAround(const std::vector<double>& values, double usual)
{
    std::vector<double> away;
    for (const double value : values)
        away.push_back(std::abs(value - usual));
    return normalSpread * middleValue(std::move(away));
}

/// By the differences of neighbours, in which a change of level is one value of many.
double spreadOfSteps(const std::vector<double>& values)
{
    std::vector<double> steps;
    for (std::size_t i = 1; i < values.size(); ++i)
        steps.push_back(std::abs(values[i] - values[i - 1]));
    return steps.empty() ? 0 : normalSpread * middleValue(std::move(steps)) / std::sqrt(2.0);
}

/// Of each point the median of those around it, which single ones do not move.
std::vector<double> runningMedians(const std::vector<double>& values)
{
    constexpr std::size_t around = 2;
    std::vector<double> medians;
    for (std::size_t i = 0; i < values.size(); ++i) {
        // At the ends the window moves inward, so that each has the same number of points.
        const std::size_t width = std::min(values.size(), 2 * around + 1);
        const std::size_t from = std::min(i < around ? 0 : i - around, values.size() - width);
        medians.push_back(
            middleValue({values.begin() + static_cast<std::ptrdiff_t>(from),
                         values.begin() + static_cast<std::ptrdiff_t>(from + width)}));
    }
    return medians;
}

std::string curveNumber(double value, CurveOf of)
{
    char text[64];
    std::snprintf(text, sizeof text, of == CurveOf::Loss ? "%.3f" : "%.1f", value);
    return text;
}

std::string curveValue(double value, const StepCurve& curve)
{
    return curveNumber(value, curve.of) + (curve.unit.empty() ? "" : " " + curve.unit);
}

/// A stretch of points: [first, end).
struct PointRange
{
    std::size_t first = 0;
    std::size_t end = 0;
};

/// Looks at one curve.
class CurveLook
{
public:
    explicit CurveLook(const StepCurve& curve)
        : m_curve(curve)
        , m_values(curveValues(curve))
        , m_noise(noiseOf(curve))
        , m_sign(worseSign(curve.of))
        , m_level(m_values.size(), m_noise.usual)
        , m_taken(m_values.size(), false)
    {
    }

    std::vector<CurveFinding> find()
    {
        if (m_curve.of == CurveOf::Loss) {
            findJumps();
        } else {
            findWarmUp();
            findPhases();
            findSpikes();
        }
        std::stable_sort(m_found.begin(), m_found.end(),
                         [this](const auto& a, const auto& b) { return cost(a) > cost(b); });
        return std::move(m_found);
    }

    /// By Dixon's ratio: how far it is from the next one beside how far all are apart (Dean and
    /// Dixon, Anal. Chem. 23, 1951; one-sided, 5 %).
    std::vector<CurveFinding> findOneOfFew()
    {
        constexpr std::array<double, 2> critical = {0.941, 0.765}; // of three and of four
        constexpr double part = 0.2;
        const std::size_t count = m_values.size(), fewest = fewestPoints - critical.size();
        if (count < fewest || count >= fewestPoints)
            return {};
        std::vector<double> sorted = m_values;
        std::sort(sorted.begin(), sorted.end());
        const double longest = sorted.back(), next = sorted[count - 2];
        if (longest - next <= part * next ||
            longest - next < critical[count - fewest] * (longest - sorted.front()))
            return {};
        const auto at = static_cast<std::size_t>(
            std::max_element(m_values.begin(), m_values.end()) - m_values.begin());
        add(CurveEvent::Spike, {at, at + 1}, longest, m_noise.usual);
        return std::move(m_found);
    }

private:
    static constexpr double spikeSpreads = 5, spikePart = 0.05;
    static constexpr double phaseSpreads = 2, phasePart = 0.02;

    /// How much worse than usual a value is.
    double worse(double value, double usual) const { return m_sign * (value - usual); }
    bool isOdd(double value, double usual) const
    {
        return worse(value, usual) >
               std::max(spikeSpreads * m_noise.spread, spikePart * std::abs(usual));
    }

    double cost(const CurveFinding& one) const
    {
        return std::abs(one.value - one.usual) * one.count / std::max(std::abs(one.usual), 1e-12);
    }

    /// The first iterations load, compile and fill caches.
    void findWarmUp()
    {
        const std::size_t most =
            std::max<std::size_t>(1, std::min<std::size_t>(5, m_values.size() / 10));
        std::size_t end = 0;
        while (end < m_values.size() && isOdd(m_values[end], m_noise.usual))
            ++end;
        if (end == 0 || end > most || m_curve.of != CurveOf::Time)
            return;
        std::fill(m_taken.begin(), m_taken.begin() + static_cast<std::ptrdiff_t>(end), true);
        add(CurveEvent::WarmUp, {0, end}, worst({0, end}), m_noise.usual);
    }

    void findPhases()
    {
        if (m_values.size() < fewestPoints)
            return;
        const double limit =
            std::max(phaseSpreads * m_noise.spread, phasePart * std::abs(m_noise.usual));
        const std::vector<double> medians = runningMedians(m_values);
        constexpr std::size_t gap = 2; // points that may be as usual between two parts of a phase
        PointRange range;
        const auto close = [&] {
            while (range.first < range.end && worse(m_values[range.first], m_noise.usual) <= limit)
                ++range.first;
            while (range.first < range.end &&
                   worse(m_values[range.end - 1], m_noise.usual) <= limit)
                --range.end;
            // Where nearly all is worse than the rest, the rest is what stands out.
            if (range.end - range.first >= shortestPhase)
                addPhase(range);
        };
        for (std::size_t i = 0; i < m_values.size(); ++i) {
            if (m_taken[i] || worse(medians[i], m_noise.usual) <= limit)
                continue;
            if (i > range.end + gap || range.end == 0) {
                close();
                range.first = i;
            }
            range.end = i + 1;
        }
        close();
    }

    void addPhase(const PointRange& range)
    {
        const double median =
            middleValue({m_values.begin() + static_cast<std::ptrdiff_t>(range.first),
                         m_values.begin() + static_cast<std::ptrdiff_t>(range.end)});
        std::fill(m_level.begin() + static_cast<std::ptrdiff_t>(range.first),
                  m_level.begin() + static_cast<std::ptrdiff_t>(range.end), median);
        add(CurveEvent::Phase, range, median, m_noise.usual);
    }

    void findSpikes()
    {
        if (m_values.size() < fewestPoints)
            return;
        std::vector<PointRange> spikes;
        for (std::size_t i = 0; i < m_values.size(); ++i) {
            if (m_taken[i] || !isOdd(m_values[i], m_level[i]))
                continue;
            if (!spikes.empty() && spikes.back().end == i)
                ++spikes.back().end;
            else
                spikes.push_back({i, i + 1});
        }
        for (const PointRange& spike : recur(spikes))
            add(CurveEvent::Spike, spike, worst(spike), m_level[spike.first]);
    }

    std::int32_t numberOf(const PointRange& one) const
    {
        return m_curve.points[one.first].iteration;
    }

    /// The distance at which spikes come again; 0: at none.
    std::int32_t distanceOf(const std::vector<PointRange>& spikes) const
    {
        constexpr std::size_t fewest = 3;
        if (spikes.size() < fewest)
            return 0;
        std::map<std::int32_t, std::size_t> distances;
        for (std::size_t i = 1; i < spikes.size(); ++i)
            ++distances[numberOf(spikes[i]) - numberOf(spikes[i - 1])];
        const auto most =
            std::max_element(distances.begin(), distances.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        constexpr std::size_t part = 4; // one of four may be missing, or another spike between
        const bool usual = most->second * part >= (spikes.size() - 1) * (part - 1);
        return usual && most->first > m_curve.interval ? most->first : 0;
    }

    /// Makes one finding of the spikes that come again at equal distances. @return  the others
    std::vector<PointRange> recur(const std::vector<PointRange>& spikes)
    {
        const std::int32_t every = distanceOf(spikes);
        if (every == 0)
            return spikes;
        std::map<std::int32_t, std::vector<PointRange>> phases; // by the rest of their numbers
        for (const PointRange& one : spikes)
            phases[numberOf(one) % every].push_back(one);
        const auto most =
            std::max_element(phases.begin(), phases.end(), [](const auto& a, const auto& b) {
                return a.second.size() < b.second.size();
            });
        const std::vector<PointRange>& same = most->second;
        std::vector<double> values;
        for (const PointRange& one : same)
            values.push_back(m_values[one.first]);
        CurveFinding found = made(CurveEvent::Recurring, {same.front().first, same.back().end},
                                  middleValue(std::move(values)), m_noise.usual);
        found.count = static_cast<std::int32_t>(same.size());
        found.every = every;
        found.sentence = sentenceOf(found);
        m_found.push_back(std::move(found));
        std::vector<PointRange> others;
        for (const PointRange& one : spikes)
            if (numberOf(one) % every != most->first)
                others.push_back(one);
        return others;
    }

    /// A loss that goes back: higher than what is before it and what is behind it.
    void findJumps()
    {
        constexpr std::size_t around = 5, least = 2;
        constexpr double jumpSpreads = 8, jumpPart = 0.1;
        if (m_values.size() < fewestPoints)
            return;
        const auto median = [this](std::size_t from, std::size_t to) {
            return middleValue({m_values.begin() + static_cast<std::ptrdiff_t>(from),
                                m_values.begin() + static_cast<std::ptrdiff_t>(to)});
        };
        for (std::size_t i = least; i + 1 < m_values.size(); ++i) {
            const double before = median(i - std::min(i, around), i);
            const double behind = median(i + 1, std::min(i + 1 + around, m_values.size()));
            const double usual = std::max(before, behind);
            if (m_values[i] - usual >
                std::max(jumpSpreads * m_noise.spread, jumpPart * std::abs(usual)))
                add(CurveEvent::Spike, {i, i + 1}, m_values[i], usual);
        }
    }

    double worst(const PointRange& range) const
    {
        double found = m_values[range.first];
        for (std::size_t i = range.first; i < range.end; ++i)
            if (worse(m_values[i], found) > 0)
                found = m_values[i];
        return found;
    }

    CurveFinding made(CurveEvent event, const PointRange& range, double value, double usual) const
    {
        CurveFinding found;
        found.of = m_curve.of;
        found.event = event;
        found.from = std::max(m_curve.points[range.first].iteration - m_curve.interval + 1,
                              std::min(m_curve.points[range.first].iteration, 1));
        found.to = m_curve.points[range.end - 1].iteration;
        found.count = static_cast<std::int32_t>(range.end - range.first);
        found.value = value;
        found.usual = usual;
        return found;
    }

    void add(CurveEvent event, const PointRange& range, double value, double usual)
    {
        CurveFinding found = made(event, range, value, usual);
        found.sentence = sentenceOf(found);
        m_found.push_back(std::move(found));
    }

    /// "2.3 times as long as usual: 230 ms beside 100 ms", "12.3 % longer than usual: …".
    Sentence against(const CurveFinding& one) const
    {
        const double part = one.usual == 0 ? 0 : one.value / one.usual;
        constexpr double many = 1.5, percent = 100;
        const std::string factor = curveNumber(part, CurveOf::Time);
        const std::string change = curveNumber(std::abs(part - 1) * percent, CurveOf::Time) + " %";
        const std::string value = curveValue(one.value, m_curve);
        const std::string usual = curveValue(one.usual, m_curve);
        switch (one.of) {
        case CurveOf::Time:
            return part >= many
                       ? said("%1 times as long as usual: %2 beside %3", factor, value, usual)
                       : said("%1 longer than usual: %2 beside %3", change, value, usual);
        case CurveOf::Throughput:
            return said("%1 less throughput than usual: %2 beside %3", change, value, usual);
        case CurveOf::Loss:
            return said("a loss that jumps: %1 beside %2", value, usual);
        case CurveOf::Memory:
            return said("%1 more memory than usual: %2 beside %3", change, value, usual);
        }
        return {};
    }

    Sentence sentenceOf(const CurveFinding& one) const
    {
        const Sentence which = one.from == one.to ? said("iteration %1", one.from)
                                                  : said("iterations %1 to %2", one.from, one.to);
        const Sentence change = against(one);
        switch (one.event) {
        case CurveEvent::WarmUp:
            return said("%1, warm-up: %2", which, change);
        case CurveEvent::Spike:
            return one.count > 1 ? said("%1, at the most: %2", which, change)
                                 : said("%1: %2", which, change);
        case CurveEvent::Recurring:
            return one.of == CurveOf::Time
                       ? said("every %1 iterations, %2 times from %3 to %4: %5; checkpoints, "
                              "evaluation and garbage collection recur like that",
                              one.every, one.count, one.from, one.to, change)
                       : said("every %1 iterations, %2 times from %3 to %4: %5", one.every,
                              one.count, one.from, one.to, change);
        case CurveEvent::Phase:
            return said("%1, a phase: %2 (medians)", which, change);
        }
        return which;
    }

    const StepCurve& m_curve;
    std::vector<double> m_values;
    CurveNoise m_noise;
    double m_sign = 1;
    std::vector<double> m_level; // what is usual of each point
    std::vector<bool> m_taken;   // of the warm-up
    std::vector<CurveFinding> m_found;
};

StepCurve& curveFor(std::vector<StepCurve>& curves, CurveOf of, const char* unit)
{
    StepCurve curve;
    curve.of = of;
    curve.unit = unit;
    curves.push_back(std::move(curve));
    return curves.back();
}

/// The rate that most of the lines tell; the first of several.
void addThroughput(const TrainingLog& log, std::vector<StepCurve>& curves)
{
    using Rate = std::optional<double> LoggedStep::*;
    const std::array<std::pair<Rate, const char*>, 3> rates = {
        {{&LoggedStep::teraflops, "TFLOP/s a device"},
         {&LoggedStep::tokensPerSecond, "tokens/s"},
         {&LoggedStep::samplesPerSecond, "samples/s"}}};
    for (const auto& [rate, unit] : rates) {
        StepCurve& curve = curveFor(curves, CurveOf::Throughput, unit);
        for (const LoggedStep& step : log.steps)
            if (step.*rate)
                curve.points.push_back({step.number, *(step.*rate)});
        if (curve.points.size() * 2 > log.steps.size())
            return;
        curves.pop_back();
    }
}

std::vector<StepCurve> curvesOfLog(const TrainingLog& log)
{
    std::vector<StepCurve> curves;
    StepCurve& time = curveFor(curves, CurveOf::Time, "ms");
    for (const LoggedStep& step : log.steps)
        time.points.push_back({step.number, msFromTicks(step.time)});
    addThroughput(log, curves);
    StepCurve& loss = curveFor(curves, CurveOf::Loss, "");
    for (const LoggedStep& step : log.steps)
        if (step.loss)
            loss.points.push_back({step.number, *step.loss});
    StepCurve& memory = curveFor(curves, CurveOf::Memory, "GB");
    for (const LoggedStep& step : log.steps)
        if (step.memory)
            memory.points.push_back({step.number, *step.memory});
    return curves;
}

/// From start to start, since what comes between two iterations belongs to the first one. The last
/// one's is not told, nor that of one whose successor was not recorded.
StepCurve iterationTimes(const RecoveredPipeline& pipeline)
{
    StepCurve curve;
    curve.unit = "ms";
    const auto& all = pipeline.iterations;
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
        if (all[i + 1].number == all[i].number + 1 && all[i + 1].first >= all[i].last)
            curve.points.push_back({all[i].number, msFromTicks(all[i + 1].first - all[i].first)});
    if (curve.points.size() + 1 >= all.size())
        return curve;
    curve.points.clear();
    for (const RecoveredIteration& one : all)
        curve.points.push_back({one.number, msFromTicks(one.makespan())});
    return curve;
}

StepCurve iterationMemory(const Trace& trace)
{
    constexpr double gibibyte = 1024.0 * 1024 * 1024;
    std::map<std::int32_t, Bytes> most;
    for (const TracePeak& peak : trace.peaks)
        if (peak.iteration >= 0)
            most[peak.iteration] = std::max(most[peak.iteration], peak.bytes);
    StepCurve curve;
    curve.of = CurveOf::Memory;
    curve.unit = "GB";
    for (const auto& [iteration, bytes] : most)
        curve.points.push_back({iteration, static_cast<double>(bytes) / gibibyte});
    return curve;
}

/// The distance that most points have from the one before.
std::int32_t curveInterval(const StepCurve& curve)
{
    std::vector<double> distances;
    for (std::size_t i = 1; i < curve.points.size(); ++i)
        distances.push_back(curve.points[i].iteration - curve.points[i - 1].iteration);
    return distances.empty()
               ? 1
               : std::max(1, static_cast<std::int32_t>(middleValue(std::move(distances))));
}

/// Whether a throughput is the same work over the time: their product hardly changes.
bool followsFrom(const StepCurve& rate, const StepCurve& time)
{
    std::vector<double> products;
    for (std::size_t r = 0, t = 0; r < rate.points.size() && t < time.points.size();) {
        const std::int32_t a = rate.points[r].iteration, b = time.points[t].iteration;
        if (a == b)
            products.push_back(rate.points[r].value * time.points[t].value);
        r += a <= b ? 1 : 0;
        t += b <= a ? 1 : 0;
    }
    constexpr double part = 0.01;
    if (products.empty())
        return false;
    const double usual = middleValue(products);
    return std::all_of(products.begin(), products.end(), [usual](double one) {
        return std::abs(one - usual) <= part * std::abs(usual);
    });
}

} // namespace

std::string_view name(CurveOf of)
{
    constexpr std::array<std::string_view, 4> names = {"time", "throughput", "loss", "memory"};
    return names[static_cast<std::size_t>(of)];
}

std::string_view name(CurveEvent event)
{
    constexpr std::array<std::string_view, 4> names = {"warm_up", "spike", "recurring",
                                                       "slow_phase"};
    return names[static_cast<std::size_t>(event)];
}

std::vector<StepCurve> curvesOf(const Trace& trace, const RecoveredPipeline& pipeline)
{
    std::vector<StepCurve> curves;
    if (!trace.log.steps.empty())
        curves = curvesOfLog(trace.log);
    else
        curves = {iterationTimes(pipeline), iterationMemory(trace)};
    curves.erase(std::remove_if(curves.begin(), curves.end(),
                                [](const StepCurve& one) { return one.points.size() < 2; }),
                 curves.end());
    if (!trace.log.steps.empty())
        for (StepCurve& curve : curves)
            curve.interval = curveInterval(curve);
    return curves;
}

CurveNoise noiseOf(const StepCurve& curve)
{
    const std::vector<double> values = curveValues(curve);
    const double sign = worseSign(curve.of);
    CurveNoise noise;
    const std::vector<double> levels = runningMedians(values);
    constexpr double better = 0.25;
    const double quarter = middleValue(levels, sign > 0 ? better : 1 - better);
    noise.spread = std::min(spreadAround(values, middleValue(values)), spreadOfSteps(values));
    // What is usual is the middle of all that is of that level.
    constexpr double spreads = 3, part = 0.02;
    std::vector<double> level;
    for (const double value : values)
        if (std::abs(value - quarter) <= std::max(spreads * noise.spread, part * std::abs(quarter)))
            level.push_back(value);
    noise.usual = level.empty() ? quarter : middleValue(std::move(level));
    return noise;
}

std::vector<CurveFinding> findingsOf(const StepCurve& curve)
{
    return curve.points.empty() ? std::vector<CurveFinding>() : CurveLook(curve).find();
}

std::vector<CurveFinding> longestOfFew(const StepCurve& curve)
{
    return curve.points.empty() ? std::vector<CurveFinding>() : CurveLook(curve).findOneOfFew();
}

std::vector<CurveFinding> findingsOf(const std::vector<StepCurve>& curves)
{
    std::vector<CurveFinding> found;
    const auto time = std::find_if(curves.begin(), curves.end(),
                                   [](const StepCurve& one) { return one.of == CurveOf::Time; });
    for (const StepCurve& curve : curves) {
        if (curve.of == CurveOf::Throughput && time != curves.end() && followsFrom(curve, *time))
            continue;
        for (CurveFinding& one : findingsOf(curve))
            found.push_back(std::move(one));
    }
    return found;
}

std::vector<CurveFinding> findingsBesideTime(const std::vector<StepCurve>& curves)
{
    std::vector<CurveFinding> found = findingsOf(curves);
    found.erase(std::remove_if(found.begin(), found.end(),
                               [](const CurveFinding& one) { return one.of == CurveOf::Time; }),
                found.end());
    return found;
}

} // namespace pw
