// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

#include <cstdint>
#include <random>

namespace pw::test {

/// The seed of a random test, said in the log: PW_SEED where that is a number, so that a failure
/// can be repeated, else a new one each time.
inline std::uint32_t randomSeed()
{
    bool isGiven = false;
    const std::uint32_t given = qEnvironmentVariable("PW_SEED").toUInt(&isGiven);
    const std::uint32_t seed = isGiven ? given : std::random_device{}();
    qInfo("seed %u; PW_SEED=%u repeats it", seed, seed);
    return seed;
}

} // namespace pw::test
