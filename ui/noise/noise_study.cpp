// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/noise/noise_study.h"

#include "ui/core_sentences.h"
#include "ui/text.h"

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

/// Passes times runs that take a second or so; fewer runs of a larger schedule.
constexpr std::int64_t mostBandWork = 20'000'000;
constexpr std::int64_t mostMakespanWork = 60'000'000;
constexpr std::int64_t mostSensitivityWork = 100'000'000;
constexpr int fewestRuns = 40;

int runsFor(std::int64_t work, std::int64_t each, int most)
{
    return static_cast<int>(
        std::clamp<std::int64_t>(work / std::max<std::int64_t>(each, 1), fewestRuns, most));
}

bool sameNoise(const NoiseModel& a, const NoiseModel& b)
{
    return a.passSpread == b.passSpread && a.messageSpread == b.messageSpread &&
           a.rankSpread == b.rankSpread && a.rankFactor == b.rankFactor &&
           a.linkFactor == b.linkFactor;
}

} // namespace

NoiseStudy::NoiseStudy(QObject* parent)
    : QObject(parent)
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(150);
    connect(&m_delay, &QTimer::timeout, this, &NoiseStudy::begin);
}

void NoiseStudy::set(std::shared_ptr<const Schedule> schedule, const Costs& costs,
                     const NoiseModel& model)
{
    if (schedule == nullptr)
        return clear();
    if (schedule == m_schedule && costs == m_costs && sameNoise(model, m_model))
        return;
    clear();
    m_schedule = std::move(schedule);
    m_costs = costs;
    m_model = model;
    m_delay.start();
}

void NoiseStudy::clear()
{
    const bool any = m_schedule != nullptr;
    m_delay.stop();
    m_first.drop();
    m_second.drop();
    m_schedule.reset();
    m_bands.reset();
    m_sensitivity.reset();
    m_problem.clear();
    if (any)
        Q_EMIT changed();
}

void NoiseStudy::begin()
{
    const auto passes = static_cast<std::int64_t>(m_schedule->entryCount());
    NoiseBandsAsked asked;
    // Each run is kept at each time of each device.
    const std::int64_t kept = std::int64_t{asked.points} * m_schedule->devices();
    asked.samples = std::min(runsFor(mostBandWork, passes, 400), runsFor(mostBandWork, kept, 400));
    asked.makespans = runsFor(mostMakespanWork, passes, 10'000);
    m_first.begin([this, asked, schedule = m_schedule, costs = m_costs,
                   model = m_model](const std::atomic<bool>& stop) {
        auto made = std::make_shared<Result<NoiseBands>>(
            noiseBands(*schedule, costs, model, asked, [&stop] { return stop.load(); }));
        return LatestWork::Answer([this, made] {
            if (*made) {
                m_bands = std::make_shared<const NoiseBands>(std::move(**made));
                beginSensitivity();
            } else {
                m_problem = coreSentence(made->error().message);
            }
            Q_EMIT changed();
        });
    });
}

void NoiseStudy::beginSensitivity()
{
    const auto passes = static_cast<std::int64_t>(m_schedule->entryCount());
    // One of each rank, and of each link that is used: about two for each rank, forth and back.
    const std::int64_t each = passes * 3 * m_schedule->devices();
    const int samples = runsFor(mostSensitivityWork, each, 1000);
    m_second.begin([this, samples, schedule = m_schedule, costs = m_costs,
                    model = m_model](const std::atomic<bool>& stop) {
        std::shared_ptr<const Sensitivity> made;
        if (const Result<NoisyRuns> runs = NoisyRuns::make(*schedule, costs); runs)
            made = std::make_shared<const Sensitivity>(
                sensitivityOf(*runs, model, samples, 1, [&stop] { return stop.load(); }));
        return LatestWork::Answer([this, made] {
            m_sensitivity = made;
            Q_EMIT changed();
        });
    });
}

} // namespace pw::ui
