// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"

namespace pw::test {

/// What a closed form is compared with: ticks, micro-batches, or weight versions.
double measured(Quantity quantity, const Schedule& schedule, const SimResult& result);

/// A family, or the end of the test program.
const Family& familyOf(std::string_view id);

FamilyOptions sized(int devices, int microBatches);

/// The same with one parameter given.
FamilyOptions sized(int devices, int microBatches, std::string name, double value);

UniformCosts equalStages(Ticks forward, Ticks backward, Ticks weight, Ticks hop = 0);

/// A schedule of a family and its times.
struct FamilyRun
{
    Schedule schedule;
    Costs costs;
    SimResult result;

    Ticks span() const;
    double peak() const { return peakMicroBatches(result); }
};

/// Builds and simulates; ends the test program where there is no schedule.
FamilyRun runFamily(const Family& family, const FamilyOptions& options, const Costs& costs);
FamilyRun runFamily(const Family& family, const FamilyOptions& options,
                    const UniformCosts& uniform);

/// Compares every closed form of a family that holds for the input, but for estimates, with the
/// simulation.
///
/// @return how many held, or −1 after a warning that names the one that is wrong
int compareClosedForms(const Family& family, const FamilyOptions& options,
                       const UniformCosts& uniform);

} // namespace pw::test
