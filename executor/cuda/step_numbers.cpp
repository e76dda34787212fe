// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/step_numbers.h"

#include "executor/cuda/cuda_error.h"

#include <cmath>
#include <utility>

namespace pw::exec::cuda {

namespace {

float narrow(double value)
{
    return static_cast<float>(value);
}

} // namespace

SgdRule sgdRule(const Optimizer& optimizer)
{
    return {narrow(optimizer.learningRate), narrow(optimizer.momentum)};
}

AdamWRule adamWRule(const Optimizer& optimizer, int step, bool decay)
{
    return {.rate = narrow(optimizer.learningRate),
            .beta1 = narrow(optimizer.beta1),
            .beta2 = narrow(optimizer.beta2),
            .fresh1 = narrow(1 - optimizer.beta1),
            .fresh2 = narrow(1 - optimizer.beta2),
            .epsilon = narrow(optimizer.epsilon),
            .decay = narrow(decay ? optimizer.weightDecay : 0),
            .correction1 = narrow(1 / (1 - std::pow(optimizer.beta1, step))),
            .correction2 = narrow(1 / (1 - std::pow(optimizer.beta2, step)))};
}

StepNumbers::StepNumbers()
{
    void* memory = nullptr;
    check("cudaMalloc", cudaMalloc(&memory, sizeof(Numbers)));
    m_memory = static_cast<float*>(memory);
}

StepNumbers::~StepNumbers()
{
    cudaFree(m_memory);
}

void StepNumbers::put(AdamWRule& rule, Staging& staging, Ticks patience)
{
    const Numbers numbers{std::exchange(rule.correction1, 1.0F),
                          std::exchange(rule.correction2, 1.0F)};
    if (m_now != numbers) {
        m_now.reset(); // whatever becomes of the upload
        staging.upload(m_memory, numbers.data(), static_cast<Bytes>(sizeof(Numbers)), patience);
        m_now = numbers;
    }
    rule.corrections = m_memory;
}

} // namespace pw::exec::cuda
