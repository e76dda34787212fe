// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/building_block.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

/// What a parameter is; its option, its field and its texts follow from it.
enum class ParameterType : std::uint8_t
{
    Whole,  ///< a whole number
    Number, ///< a decimal number
    Flag,   ///< 0 or 1: off or on
    Choice  ///< the number of one of its choices
};

/// What a parameter says of the shape of a schedule or of a search, so that others can follow it
/// without knowing families.
enum class ParameterRole : std::uint8_t
{
    None,
    Chunks,      ///< chunks of a device on one route
    Segments,    ///< segments of a sequence
    Waves,       ///< pairs of chunks of a device
    Group,       ///< micro-batches that go through together
    MemoryLimit, ///< micro-batches of activation on a device
    TimeLimit,   ///< seconds of a search
    Aim          ///< what a search makes short: 0 the span, 1 the makespan
};

struct FamilyOptions;

/// What a family takes beside devices and micro-batches. Its name is its option on the command line
/// (`chunks` → `--chunks`), and means the same in every family.
struct Parameter
{
    std::string_view name;
    std::string_view summary; ///< one line, lower case, no full stop
    double minimum = 1;
    double maximum = std::numeric_limits<double>::infinity();
    double fallback = 1; ///< the default, the only place that says it
    /// The default in words where it depends on others ("p"); then `rule` has its value.
    std::string_view fallbackText{};
    ParameterType type = ParameterType::Whole;
    ParameterRole role = ParameterRole::None;
    std::span<const std::string_view> choices{}; ///< words for 0, 1, …
    double (*rule)(const FamilyOptions& options) = nullptr;
    char shorthand = 0; ///< another name of a list of its values, where a family is known by it

    constexpr bool integer() const { return type != ParameterType::Number; }
    /// Whether it says how many stages, segments or groups there are.
    constexpr bool ofShape() const
    {
        return role == ParameterRole::Chunks || role == ParameterRole::Segments ||
               role == ParameterRole::Waves || role == ParameterRole::Group;
    }
};

/// A parameter that is on or off, off by default.
constexpr Parameter flagParameter(std::string_view name, std::string_view summary)
{
    return {.name = name,
            .summary = summary,
            .minimum = 0,
            .maximum = 1,
            .fallback = 0,
            .type = ParameterType::Flag};
}

/// A parameter that is one of some words, the first by default. @param choices  outlive all
constexpr Parameter choiceParameter(std::string_view name, std::string_view summary,
                                    std::span<const std::string_view> choices)
{
    return {.name = name,
            .summary = summary,
            .minimum = 0,
            .maximum = static_cast<double>(choices.size() - 1),
            .fallback = 0,
            .type = ParameterType::Choice,
            .choices = choices};
}

/// What a person chooses for a family.
struct FamilyOptions
{
    int devices = 4;
    int microBatches = 8; ///< of one optimizer step
    int steps = 1;
    bool updates = false; ///< U passes also with a single step
    /// Empty: equal segments, as many as the parameter `segments` says.
    std::vector<int> segmentLengths;
    std::vector<std::pair<std::string, double>> parameters; ///< only those that are given

    friend bool operator==(const FamilyOptions&, const FamilyOptions&) = default;
};

/// What a closed form is about.
enum class Quantity : std::uint8_t
{
    SpanBubble,     ///< idle time of the device with the longest span, in ticks
    WallBubble,     ///< idle time of that device inside the makespan, in ticks
    Makespan,       ///< ticks
    PeakActivation, ///< micro-batches, the worst device
    WeightVersions  ///< versions alive, the worst device
};

/// Numbers that a closed form is evaluated for: equal stages, times of a full device share in
/// ticks.
struct ClosedFormInput
{
    double p = 1, m = 1;
    double forward = 0, backward = 0, weight = 0; ///< T_F, T_B, T_W
    double pair = 0; ///< overlapped F and BW; the sum where none is given
    double hop = 0;  ///< T_c
    const struct Family* family = nullptr;
    const FamilyOptions* options = nullptr;
    double keptForWeight = 1; ///< part of an activation that B leaves to W

    double fused() const { return backward + weight; }
    /// Value of a parameter, given or default.
    double parameter(std::string_view name) const;
};

/// The input for equal stages of a family. The family and the options must outlive it.
ClosedFormInput closedFormInput(const struct Family& family, const FamilyOptions& options,
                                const UniformCosts& uniform);

/// A formula that a family is known by.
struct ClosedForm
{
    Quantity quantity = Quantity::SpanBubble;
    std::string_view formula;   ///< "(p−1)(T_F+T_BW)"
    std::string_view condition; ///< "T_c = 0, m ≥ p"; empty: always
    /// The value, or nothing where the condition does not hold. Ticks or micro-batches.
    std::optional<double> (*value)(const ClosedFormInput& input) = nullptr;
    bool estimate = false; ///< as published; a simulation differs, by what `condition` says
};

/// What an engine that makes the order of a family itself calls it, in its files or its code.
struct EngineName
{
    std::string_view engine; ///< of `core/families/engines.h`
    std::string_view name;
};

/// A schedule family: everything the palette, the command line and the tests know of it.
///
/// One file a family: `core/families/<name>.cpp` defines `Family <name>()` in namespace
/// `pw::families`; the build lists the folder.
struct Family
{
    std::string_view id;       ///< as typed: `zb-h1`
    std::string_view title;    ///< "ZB-H1"
    std::string_view summary;  ///< one sentence
    std::string_view citation; ///< authors, title, venue, arXiv number
    std::vector<Parameter> parameters;
    std::vector<ClosedForm> closedForms;
    bool search = false;  ///< takes time that grows faster than its passes
    bool anytime = false; ///< a search that gives its best so far when it is stopped
    /// Whatever passes take, the order of a shape is the same: `build` does not look at costs.
    bool fixedOrder = false;
    /// A function of this program makes it: no other one knows it, so that files hold its order.
    bool ofThisProgram = false;
    bool regroups = false; ///< its group of micro-batches may change from step to step of a run
    std::vector<EngineName> engines; ///< that make this order themselves

    /// The shape that the options ask for, or why they cannot be: names the option, its value and
    /// the limit. Options are inside the ranges of `parameters` when this is called.
    Result<PipelineSpec> (*spec)(const FamilyOptions& options) = nullptr;

    /// The order of one step for a spec made by `spec`; `finish` repeats it over the steps.
    Result<Schedule> (*build)(const PipelineSpec& spec, const FamilyOptions& options,
                              const Costs& costs) = nullptr;

    /// The building block, where the family has one; else null.
    Result<BuildingBlock> (*block)(const FamilyOptions& options) = nullptr;
};

/// All families, sorted by id.
std::span<const Family> allFamilies();

/// The family of an id.
/// @error BadValue  names the id that was probably meant, or lists all
Result<const Family*> findFamily(std::string_view id);

/// Value of a parameter: as given in the options, else the family's default. @pre the family has
/// the parameter
double parameterValue(const Family& family, const FamilyOptions& options, std::string_view name);

/// The same for the inside of a family, which has its parameters as constants.
double chosen(const FamilyOptions& options, const Parameter& parameter);
int chosenWhole(const FamilyOptions& options, const Parameter& parameter);
/// Whether a flag is on.
bool isOn(const FamilyOptions& options, const Parameter& flag);

/// The parameter of a name, or of a role; null where the family has none.
const Parameter* findParameter(const Family& family, std::string_view name);
const Parameter* findParameter(const Family& family, ParameterRole role);

/// A value as people write it: "on", "fixed", "2".
std::string valueText(const Parameter& parameter, double value);
/// The range, or the words: "1 or more", "0 to 1", "best, fixed or greedy", "on or off".
std::string rangeText(const Parameter& parameter);
/// A parameter and its value in a name: "overlap", "no overlap", "order fixed", "chunks 2".
std::string describe(const Parameter& parameter, double value);
/// As it is typed: "--overlap", "--overlap off", "--order fixed", "--chunks 2".
std::string optionText(const Parameter& parameter, double value);
/// Reads a value: one of the words, on and off (true, false, yes, no), or its number.
/// @error BadValue  names the parameter, the text and what it takes; ranges of numbers are not
///                  looked at
Result<double> readValue(const Parameter& parameter, std::string_view text);

/// Checks options against the ranges of a family and makes the spec.
///
/// @error BadValue  names the option, its value and the limit
Result<PipelineSpec> specOf(const Family& family, const FamilyOptions& options);

/// Spec, costs and order in one go, for equal stages.
Result<Schedule> buildUniform(const Family& family, const FamilyOptions& options,
                              const UniformCosts& uniform);

/// Repeats the order of one step over all steps of a spec, appends the updates, and checks the
/// result.
///
/// @param oneStep  orders of step 0, without U
Result<Schedule> finish(const PipelineSpec& spec, DeviceOrders oneStep);

} // namespace pw
