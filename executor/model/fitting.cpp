// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/fitting.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/sim/memory.h"
#include "executor/model/training.h"

#include <algorithm>
#include <numeric>

namespace pw::exec {

namespace {

constexpr int widthStep = 128; ///< products of such sizes fill the tensor cores' tiles
constexpr int fewestLayers = 16;
constexpr int longestSequence = 2048;
constexpr int mostSteps = 256; ///< 32,768 wide, which no GPU of these years trains alone

/// What a model lacks of the memory that there is.
struct Shortage
{
    Bytes needed = 0;
    Bytes allowed = 0;

    bool any() const { return needed > allowed; }
};

class Fitting
{
public:
    Fitting(const Schedule& schedule, const FitRequest& request)
        : m_schedule(schedule)
        , m_request(request)
        , m_stages(schedule.spec().stages())
    {
    }

    /// The model of a place on the ladder, from 1 on.
    GptModel model(int step) const
    {
        GptModel model = m_request.model;
        if (m_request.choosesLayers)
            model.layers =
                m_request.choosesHidden
                    ? (std::max(fewestLayers, m_stages) + m_stages - 1) / m_stages * m_stages
                    : step * m_stages;
        if (m_request.choosesHidden)
            model.hidden =
                step * (m_request.choosesHeads ? widthStep : std::lcm(widthStep, model.heads));
        if (m_request.choosesHeads)
            model.heads = std::max(model.hidden / widthStep, 1);
        if (m_request.choosesSequence)
            model.sequence = std::min(model.hidden, longestSequence);
        return model;
    }

    /// Of the pool that lacks most; where none does, of any.
    Result<Shortage> shortage(const GptModel& model) const
    {
        PW_TRY(const LayerSplit split,
               m_request.split ? m_request.split(model.layers) : evenSplit(model.layers, m_stages));
        PW_TRY(const std::vector<Bytes> needed,
               trainedBytes(m_schedule, model, split, m_request.optimizer));
        Shortage worst;
        std::size_t device = 0;
        for (const MemoryPool& pool : m_request.pools) {
            Shortage here;
            here.allowed = static_cast<Bytes>(static_cast<double>(pool.free) * m_request.part);
            for (int i = 0; i < pool.devices && device < needed.size(); ++i)
                here.needed += needed[device++];
            if (&pool == &m_request.pools.front() ||
                here.needed - here.allowed > worst.needed - worst.allowed)
                worst = here;
        }
        return worst;
    }

private:
    const Schedule& m_schedule;
    const FitRequest& m_request;
    int m_stages;
};

} // namespace

Result<std::vector<Bytes>> trainedBytes(const Schedule& schedule, const GptModel& model,
                                        const LayerSplit& split, const Optimizer& optimizer)
{
    Costs costs = expand(UniformCosts{}, schedule.spec());
    PW_DO(setBytes(costs, schedule.spec(), model, split, optimizer));
    PW_TRY(const SimResult simulated, simulate(schedule, costs));
    std::vector<Bytes> bytes(static_cast<std::size_t>(schedule.devices()));
    for (const DeviceId device : Ids<DeviceId>(bytes.size())) {
        for (const MemoryPoint& point : memoryCurve(schedule, costs, simulated, device))
            bytes[device.index()] = std::max(bytes[device.index()], point.total());
    }
    return bytes;
}

Result<GptModel> fittingModel(const Schedule& schedule, const FitRequest& request)
{
    if (!request.choosesHidden && !request.choosesLayers)
        return fail(ErrorCode::BadValue,
                    "--size fit has nothing to choose where both --hidden and --layers are given");
    const Fitting fitting(schedule, request);
    PW_TRY(const Shortage least, fitting.shortage(fitting.model(1)));
    if (least.any())
        return fail(ErrorCode::MemoryLimit,
                    "no model fits: the smallest needs %1, and %2 of the free memory may be taken",
                    byteText(least.needed), byteText(least.allowed));
    int fits = 1;
    int tooLarge = mostSteps + 1;
    while (tooLarge - fits > 1) {
        const int middle = fits + (tooLarge - fits) / 2;
        PW_TRY(const Shortage there, fitting.shortage(fitting.model(middle)));
        (there.any() ? tooLarge : fits) = middle;
    }
    const GptModel model = fitting.model(fits);
    PW_DO(check(model));
    return model;
}

} // namespace pw::exec
