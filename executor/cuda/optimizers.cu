// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/everywhere.cuh"

namespace pw::exec::cuda {

namespace {

template<int Lanes>
struct SgdUpdate
{
    static constexpr int lanes = Lanes;
    SgdRule rule;
    float* parameters;
    const float* gradients;
    float* velocity;

    __device__ void operator()(std::int64_t, std::int64_t at) const
    {
        float parameter[Lanes];
        float gradient[Lanes];
        float speed[Lanes];
        load<Lanes>(parameters + at, parameter);
        load<Lanes>(gradients + at, gradient);
        load<Lanes>(velocity + at, speed);
#pragma unroll
        for (int i = 0; i < Lanes; ++i) {
            speed[i] = rule.momentum * speed[i] + gradient[i];
            parameter[i] -= rule.rate * speed[i];
        }
        store<Lanes>(velocity + at, speed);
        store<Lanes>(parameters + at, parameter);
    }
};

template<int Lanes>
struct AdamWUpdate
{
    static constexpr int lanes = Lanes;
    AdamWRule rule;
    float* parameters;
    const float* gradients;
    float* mean;
    float* square;

    __device__ void operator()(std::int64_t, std::int64_t at) const
    {
        const bool here = rule.corrections == nullptr;
        const float correction1 = here ? rule.correction1 : rule.corrections[0];
        const float correction2 = here ? rule.correction2 : rule.corrections[1];
        float parameter[Lanes];
        float gradient[Lanes];
        float first[Lanes];
        float second[Lanes];
        load<Lanes>(parameters + at, parameter);
        load<Lanes>(gradients + at, gradient);
        load<Lanes>(mean + at, first);
        load<Lanes>(square + at, second);
#pragma unroll
        for (int i = 0; i < Lanes; ++i) {
            const float g = gradient[i];
            first[i] = rule.beta1 * first[i] + rule.fresh1 * g;
            second[i] = rule.beta2 * second[i] + rule.fresh2 * (g * g);
            const float corrected = sqrtf(second[i] * correction2) + rule.epsilon;
            const float direction = first[i] * correction1 / corrected;
            parameter[i] -= rule.rate * (direction + rule.decay * parameter[i]);
        }
        store<Lanes>(mean + at, first);
        store<Lanes>(square + at, second);
        store<Lanes>(parameters + at, parameter);
    }
};

} // namespace

void launchSgd(SgdRule rule, std::int64_t count, float* parameters, const float* gradients,
               float* velocity, cudaStream_t stream)
{
    if (count <= 0)
        return;
    constexpr int lanes = wideLanes<float>;
    const bool wideRows = count % lanes == 0 && dividedBy16(parameters) && dividedBy16(gradients) &&
                          dividedBy16(velocity);
    if (wideRows)
        launchEverywhere(1, count, SgdUpdate<lanes>{rule, parameters, gradients, velocity}, stream);
    else
        launchEverywhere(1, count, SgdUpdate<1>{rule, parameters, gradients, velocity}, stream);
}

void launchAdamW(AdamWRule rule, std::int64_t count, float* parameters, const float* gradients,
                 float* mean, float* square, cudaStream_t stream)
{
    if (count <= 0)
        return;
    constexpr int lanes = wideLanes<float>;
    const bool wideRows = count % lanes == 0 && dividedBy16(parameters) && dividedBy16(gradients) &&
                          dividedBy16(mean) && dividedBy16(square);
    if (wideRows)
        launchEverywhere(1, count, AdamWUpdate<lanes>{rule, parameters, gradients, mean, square},
                         stream);
    else
        launchEverywhere(1, count, AdamWUpdate<1>{rule, parameters, gradients, mean, square},
                         stream);
}

} // namespace pw::exec::cuda
