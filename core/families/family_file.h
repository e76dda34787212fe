// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"
#include "core/families/order_language.h"
#include "core/families/own_families.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw::families {

/// The longest file of a family that is read, and how many things one may have.
constexpr std::int64_t maxFamilyFileBytes = 256 << 10;
constexpr std::size_t maxFamilyParameters = maxOwnParameters;

/// Where the stages of a family in a file lie.
enum class FilePlacement : std::uint8_t
{
    Linear,
    Looped, ///< with chunks
    V,
    Zigzag,   ///< with waves
    Reversed, ///< stage s on device p − 1 − s
    Own       ///< a device for every stage
};

/// A line `placement`: where the stages of one route lie.
struct FileRoute
{
    FilePlacement placement = FilePlacement::Linear;
    Expression chunks; ///< of a device, or waves; of `Own`, stages
    Expression device; ///< of `Own`
};

/// A parameter as a file says it.
struct FileParameter
{
    std::string name;
    std::string summary;
    bool flag = false;
    std::int64_t minimum = 1;
    std::optional<std::int64_t> maximum;
    Expression fallback;
    std::string fallbackText; ///< where it is not a number alone
    int place = 0;            ///< of its name in the program
};

/// A family that was read from a text: what it is called, its shape, its order.
struct FamilyFile
{
    std::string path; ///< as messages call it
    std::string text; ///< of the file
    std::string id, title, summary, citation;
    std::vector<FileParameter> parameters;
    std::vector<FileRoute> routes; ///< one or two
    int routeOf = -1;              ///< the definition that gives a micro-batch its route
    Expression segments;
    Expression interval, blockMicroBatches; ///< of the block
    OrderProgram program;

    /// The shape that options ask for.
    Result<PipelineSpec> spec(const FamilyOptions& options) const;
    /// The order of a shape.
    Result<Schedule> build(const PipelineSpec& shape, const FamilyOptions& options) const;
    bool hasBlock() const { return interval.given(); }
    /// Whether it holds a block and nothing else that makes an order: then the order is the block,
    /// repeated, squeezed and reordered.
    bool isBlockOnly() const { return program.order.empty() && !program.ready.given(); }
    Result<BuildingBlock> block(const FamilyOptions& options) const;
    /// The default of a parameter.
    double fallback(std::size_t parameter, const FamilyOptions& options) const;

private:
    OrderRun started(const FamilyOptions& options, std::int64_t passes) const;
    Result<void> required(OrderRun& run) const;
    Result<Placement> placed(const FileRoute& route, const FamilyOptions& options,
                             OrderRun& run) const;
    Result<void> setRoutes(PipelineSpec& shape, int period, OrderRun& run) const;
    Result<DeviceOrders> orders(const PipelineSpec& shape, OrderRun& run) const;
    Result<int> blockSize(OrderRun& run) const;
    Result<DeviceOrders> repeated(const PipelineSpec& shape, const FamilyOptions& options) const;
    Result<void> draw(BuildingBlock& made, const PipelineSpec& shape, OrderRun& run) const;
    Error named(const Error& error) const;
    int lineOf(const Expression& expression) const;
    int firstOwnPlace() const { return knownPlaces + static_cast<int>(parameters.size()); }
};

/// Reads the text of a family. @param path  how messages call it
/// @error Syntax    "PATH, line 3: …", with what is wrong there
/// @error TooLarge  longer, or with more of something than a family may have
Result<FamilyFile> parseFamilyFile(std::string_view text, const std::string& path);

} // namespace pw::families
