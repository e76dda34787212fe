// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/sim/metrics.h"

#include <iostream>

// ZB-H1 on four devices, where a backward for the input takes half as long again as a forward.
int main()
{
    const auto family = pw::findFamily("zb-h1");
    pw::FamilyOptions options;
    options.devices = 4;
    options.microBatches = 16;
    const pw::UniformCosts times{.backward = pw::ticksFromMs(1.5)}; // F and W: 1 ms each
    const auto schedule =
        family.and_then([&](auto* one) { return pw::buildUniform(*one, options, times); });
    const auto result = schedule.and_then(
        [&](const auto& made) { return pw::simulate(made, expand(times, made.spec())); });
    if (!result) {
        std::cerr << result.error().message << '\n';
        return 1;
    }
    const pw::Bubble bubble = spanBubble(*result);
    std::cout << "makespan    " << pw::msFromTicks(result->makespan) << " ms\n"
              << "span bubble " << pw::msFromTicks(bubble.idle) << " ms, " << 100 * bubble.rate()
              << " %\n"
              << "peak        " << peakMicroBatches(*result) << " micro-batches\n";
}
