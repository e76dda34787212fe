// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/verify/verification.h"

#include "executor/api/recording_sink.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

namespace pw::exec {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Part of a stage's norm below which a tensor's own norm is rounding.
constexpr double leastPart = 1e-4;

double norm(const float* values, std::int64_t count)
{
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    return std::sqrt(sum);
}

double distance(const float* a, const float* b, std::int64_t count)
{
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += difference * difference;
    }
    return std::sqrt(sum);
}

/// Relative, infinite where it is not a number.
double relative(double difference, double whole)
{
    if (!std::isfinite(difference) || !std::isfinite(whole))
        return infinite;
    if (difference == 0)
        return 0;
    return whole > 0 ? difference / whole : infinite;
}

/// The norm of the columns of a matrix from one on.
double normOfColumns(const float* values, const ParameterInfo& matrix, int from, int count)
{
    double sum = 0;
    for (int row = 0; row < matrix.rows; ++row) {
        const double one = norm(
            values + matrix.offset + static_cast<std::int64_t>(row) * matrix.columns + from, count);
        sum += one * one;
    }
    return std::sqrt(sum);
}

using SnapshotKey = std::tuple<int, int, int>; ///< update, stage, route

class Comparer
{
public:
    explicit Comparer(const RunPlan& plan)
        : m_plan(plan)
    {
        for (int stage = 0; stage < plan.schedule.spec().stages(); ++stage)
            m_parameters.push_back(parametersOf(plan.model, plan.split, stage));
    }

    void losses(const std::vector<StepLoss>& found, const std::vector<double>& wanted)
    {
        std::map<std::int32_t, double> bySteps;
        for (const StepLoss& loss : found)
            bySteps[loss.step] = loss.loss;
        for (std::size_t step = 0; step < wanted.size(); ++step) {
            const auto loss = bySteps.find(static_cast<std::int32_t>(step));
            const std::string place = "step " + std::to_string(step);
            if (loss == bySteps.end())
                m_result.loss.take(infinite, "no loss of " + place);
            else
                m_result.loss.take(
                    relative(std::abs(loss->second - wanted[step]), std::abs(wanted[step])), place);
        }
    }

    void snapshots(const std::map<SnapshotKey, StageSnapshot>& found,
                   const std::vector<StageSnapshot>& wanted)
    {
        const int routes = m_plan.schedule.spec().routeCount();
        for (const StageSnapshot& truth : wanted) {
            for (int route = 0; route < routes; ++route) {
                const auto snapshot = found.find({truth.update, truth.stage.stage, route});
                if (snapshot == found.end()) {
                    m_result.gradient.take(infinite, "no update " + std::to_string(truth.update) +
                                                         " of stage " +
                                                         std::to_string(truth.stage.stage));
                    continue;
                }
                compare(snapshot->second, truth);
                ++m_result.updates;
            }
        }
        if (found.size() != wanted.size() * static_cast<std::size_t>(routes))
            m_result.gradient.take(infinite, std::to_string(found.size()) + " updates, not " +
                                                 std::to_string(wanted.size()));
    }

    Comparison result() const { return m_result; }

private:
    void compare(const StageSnapshot& snapshot, const StageSnapshot& truth)
    {
        std::string place = ", update " + std::to_string(truth.update);
        if (m_plan.schedule.spec().routeCount() > 1)
            place += ", route " + std::to_string(snapshot.stage.route);
        const auto size = static_cast<std::int64_t>(truth.gradients.size());
        if (snapshot.gradients.size() != truth.gradients.size() ||
            snapshot.parameters.size() != truth.parameters.size()) {
            m_result.gradient.take(infinite, "another number of parameters of stage " +
                                                 std::to_string(truth.stage.stage) + place);
            return;
        }
        const double gradients = leastPart * norm(truth.gradients.data(), size);
        const double parameters = leastPart * norm(truth.parameters.data(), size);
        for (const ParameterInfo& tensor :
             m_parameters[static_cast<std::size_t>(truth.stage.stage)]) {
            const auto one = [&](const std::vector<float>& a, const std::vector<float>& b,
                                 double least) {
                const float* from = b.data() + tensor.offset;
                return relative(distance(a.data() + tensor.offset, from, tensor.size()),
                                std::max(norm(from, tensor.size()), least));
            };
            const RoundedScale rounded = roundedScale(tensor, truth);
            m_result.gradient.take(
                one(snapshot.gradients, truth.gradients, std::max(gradients, rounded.gradient)),
                tensor.name + place);
            m_result.parameter.take(
                one(snapshot.parameters, truth.parameters, std::max(parameters, rounded.parameter)),
                tensor.name + place);
        }
    }

    struct RoundedScale
    {
        double gradient = 0;
        double parameter = 0;
    };

    /// What the rounding of a vector that is added, in bfloat16, is in proportion to; see
    /// `compareWithReference`.
    RoundedScale roundedScale(const ParameterInfo& vector, const StageSnapshot& truth) const
    {
        if (m_plan.model.element == Element::Float32 || vector.addedTo < 0)
            return {};
        const ParameterInfo& matrix = m_parameters[static_cast<std::size_t>(truth.stage.stage)]
                                                  [static_cast<std::size_t>(vector.addedTo)];
        const auto of = [&](const std::vector<float>& values) {
            return normOfColumns(values.data(), matrix, vector.addedAt, vector.columns);
        };
        return {of(truth.gradients) / std::sqrt(matrix.rows), of(truth.parameters)};
    }

    const RunPlan& m_plan;
    std::vector<std::vector<ParameterInfo>> m_parameters; // by stage
    Comparison m_result;
};

OrderEntry inSegment(OrderEntry entry, int segments, int q)
{
    // Gradients come back from the last segment to the first.
    const auto place = [&](const Pass& pass) {
        return isBackward(pass.kind) || pass.kind == PassKind::W || pass.kind == PassKind::R
                   ? segments - 1 - q
                   : q;
    };
    entry.pass.segment = place(entry.pass);
    entry.partner.segment = place(entry.partner);
    return entry;
}

} // namespace

void Deviation::take(double other, const std::string& place)
{
    if (other > error || where.empty()) {
        error = std::max(error, other);
        where = place;
    }
}

double Comparison::error() const
{
    return std::max({loss.error, gradient.error, parameter.error});
}

double allowedError(Element element)
{
    constexpr double ofFloats = 1e-5;
    constexpr double ofBFloat16 = 0.06;
    return element == Element::Float32 ? ofFloats : ofBFloat16;
}

Result<Comparison> compareWithReference(Backend& backend, const RunPlan& plan,
                                        const ReferenceRun& reference, const Stop& stop)
{
    std::mutex guard;
    std::map<SnapshotKey, StageSnapshot> found;
    backend.setSnapshotListener([&guard, &found](StageSnapshot snapshot) {
        const SnapshotKey key{snapshot.update, snapshot.stage.stage, snapshot.stage.route};
        const std::lock_guard lock(guard);
        found.insert_or_assign(key, std::move(snapshot));
    });
    RecordingSink sink;
    const Result<RunFigures> ran = backend.run(plan, sink, stop);
    backend.setSnapshotListener({});
    if (!ran)
        return fail(ran.error());
    Comparer comparer(plan);
    comparer.losses(sink.record().losses, reference.losses);
    comparer.snapshots(found, reference.snapshots);
    Comparison comparison = comparer.result();
    comparison.gpus = sink.record().gpus;
    return comparison;
}

Result<Schedule> withSegments(const Schedule& schedule, std::vector<int> lengths)
{
    PipelineSpec spec = schedule.spec();
    if (spec.segments() != 1)
        return fail(ErrorCode::BadValue, "the schedule has segments already");
    spec.segmentLengths = std::move(lengths);
    DeviceOrders orders(static_cast<std::size_t>(schedule.devices()));
    const DeviceOrders whole = schedule.orders();
    for (std::size_t device = 0; device < whole.size(); ++device) {
        for (const OrderEntry& entry : whole[device]) {
            const int count = entry.pass.kind == PassKind::U ? 1 : spec.segments();
            for (int q = 0; q < count; ++q)
                orders[device].push_back(inSegment(entry, count, q));
        }
    }
    return Schedule::make(spec, orders);
}

} // namespace pw::exec
