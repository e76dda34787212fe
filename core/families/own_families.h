// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"

#include <memory>
#include <string_view>
#include <vector>

namespace pw {

/// Makes the orders of a family that comes to be known while the program runs: a file, or a
/// function of the program that links this one. Threads may ask it together.
class OwnFamily
{
public:
    OwnFamily() = default;
    virtual ~OwnFamily() = default;
    OwnFamily(const OwnFamily&) = delete;
    OwnFamily& operator=(const OwnFamily&) = delete;

    /// What messages call the place that it comes from: the path of its file.
    virtual std::string_view origin() const = 0;
    /// The file's content; empty where there is none.
    virtual std::string_view text() const { return {}; }
    /// As `Family::spec`, `Family::build` and `Family::block` say. It is asked for no block where
    /// its family says that there is none.
    virtual Result<PipelineSpec> spec(const FamilyOptions& options) const = 0;
    virtual Result<Schedule> build(const PipelineSpec& spec,
                                   const FamilyOptions& options) const = 0;
    virtual Result<BuildingBlock> block(const FamilyOptions& options) const;
    /// The default of a parameter that follows from others; the parameter may be one of a family
    /// that this one has replaced.
    virtual double fallback(std::size_t parameter, const FamilyOptions& options) const;
};

/// A family with what makes it. Its texts may point into the maker, which lives as long as the
/// program.
struct OwnFamilyEntry
{
    Family family; ///< without functions
    bool hasBlock = false;
    std::unique_ptr<const OwnFamily> maker;
};

/// The most families that a program can come to know, one after another, and the most parameters
/// that one may have.
constexpr std::size_t maxOwnFamilies = 256;
constexpr std::size_t maxOwnParameters = 16;

/// Makes families known beside those of the program: `allFamilies` and `findFamily` have them from
/// then on. What was found before stays good.
///
/// One that is of this program alone takes the place of one of that kind with its id, as a function
/// that is defined again does.
///
/// @error BadValue  an id that a family has, or a parameter that means something else in another
///                  family; names the origin. Then none of them is known
/// @error TooLarge  more than `maxOwnFamilies`, or a family with more than `maxOwnParameters`
Result<void> addOwnFamilies(std::vector<OwnFamilyEntry> entries);

/// What makes the family of an id; null where it is one of the program, or none.
const OwnFamily* makerOf(std::string_view id);

/// The role that a parameter of a family has by its name.
ParameterRole roleOfName(std::string_view name);

} // namespace pw
