// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw::test {

/// Values of a golden file that have no place of their own, by name.
struct GoldenFields
{
    std::map<std::string, double> numbers;
    std::map<std::string, std::string> texts;
    std::map<std::string, std::vector<double>> lists; ///< a single number is a list of one, too

    bool has(const std::string& name) const { return numbers.count(name) + texts.count(name) > 0; }
    /// A number, or `fallback` where it is absent.
    double number(const std::string& name, double fallback = 0) const;
};

/// An order that another scheduler made.
struct GoldenOrder
{
    std::string id;
    int devices = 1;
    int microBatches = 1;
    int segments = 1;
    /// Chunk 0 of a device is on the first route, chunk 1 on the second.
    bool bidirectional = false;
    bool hasProblems = false;                ///< passes are missing, doubled or out of range
    std::vector<std::vector<int>> placement; ///< by device: the stage of each chunk
    DeviceOrders orders;
    GoldenFields extras;

    int chunks() const { return static_cast<int>(placement.front().size()); }
    int stages() const { return bidirectional ? devices : devices * chunks(); }
};

/// Times of an order as an independent simulator has them, in units.
struct GoldenTimes
{
    double makespan = 0;
    double maxSpan = 0;
    std::vector<double> firstStart; ///< by device
    std::vector<double> lastEnd;    ///< by device
    /// By device: chunk-and-segment activations, held from F until W or BW.
    std::vector<int> peakLive;
};

/// One set of costs for an order. Costs are for a single pass (of one chunk and segment), in units.
struct GoldenRun
{
    std::string order;
    int chunks = 1;
    std::vector<double> forward, backward, weight; ///< one for all stages, or one a stage
    double hop = 0;
    std::optional<double> pair;        ///< overlapped F and BW; none: the sum
    std::vector<double> segmentWeight; ///< by segment, scales all its times; empty: 1
    GoldenFields parameters;           ///< group, limit, setup …, and all numbers above
    GoldenFields reference;            ///< what the scheduler itself reports
    std::optional<GoldenTimes> times;  ///< none where the order is a ring
};

/// A file of tests/data/orders; the README beside it says how it is written.
struct GoldenFile
{
    std::string name; ///< stem of the file
    std::map<std::string, GoldenOrder> orders;
    std::vector<GoldenRun> runs;

    const GoldenOrder& order(const GoldenRun& run) const { return orders.at(run.order); }
};

/// One unit of time in a golden file: a millisecond, so that the fractions they use are whole
/// ticks.
Ticks goldenTicks(double units);

/// Stems of all files with orders, sorted.
std::vector<std::string> goldenFiles();

/// Reads `tests/data/orders/<name>.txt`. Its token grammar is parsed here, apart from the program's
/// own text reader.
/// @error Io, Syntax: the line
Result<GoldenFile> loadGolden(const std::string& name);

/// The spec of an order: its placement as one route, or as two where it is bidirectional.
PipelineSpec goldenSpec(const GoldenOrder& order);

/// The costs of a run, for the order's spec; activations are shares, bytes are 0.
Costs goldenCosts(const GoldenRun& run, const GoldenOrder& order);

/// The first place where two orders differ: "device 1, place 4: expected …, got …"; empty where
/// they are equal.
std::string firstDifference(const DeviceOrders& expected, const DeviceOrders& got);

/// Orders with every BW replaced by B and W, for schedulers that write the same order in both ways.
DeviceOrders splitBackward(const DeviceOrders& orders);

} // namespace pw::test
