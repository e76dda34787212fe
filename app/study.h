// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study_costs.h"
#include "core/families/family.h"
#include "core/sim/simulator.h"

#include <optional>
#include <string>
#include <vector>

namespace pw::app {

/// A schedule with what its passes take, as a command line asks for it.
struct Study
{
    std::string title;              ///< of the family or the file
    const Family* family = nullptr; ///< null for an order that no family made
    FamilyOptions options;          ///< of the family
    StudyCosts costs;
    Schedule schedule;
    std::vector<BuildingBlock> blocks;     ///< that a file holds beside its schedule
    std::string notes;                     ///< of a project
    std::vector<Annotation> annotations{}; ///< of a project
    bool reshaped = false;                 ///< more than the family made: recompute, replicas
    std::string additions{};               ///< what of that the title says, behind a comma
};

/// How strictly options of one family are taken by another.
enum class OtherParameters
{
    Refuse, ///< an option that the family does not have is a mistake
    Ignore  ///< it is meant for another family on the same line
};

/// --devices, --micro-batches, --steps …, and every parameter that a family has.
std::vector<Option> shapeOptions();

/// The family that a word names, in the spelling of `familyNamed`; a file of that name comes before
/// what is not exactly an id.
Result<const Family*> familyOfWord(const std::string& word);

/// The schedule of a word: the id of a family, or the name of a file. Built, but not simulated.
tl::expected<Study, Failure> studyOf(const std::string& word, const Arguments& arguments,
                                     OtherParameters others = OtherParameters::Refuse,
                                     const CostSource& source = {});

/// The schedule of a family.
tl::expected<Study, Failure> studyOf(const Family& family, const Arguments& arguments,
                                     OtherParameters others = OtherParameters::Refuse,
                                     const CostSource& source = {});

/// A building block as a command line asks for it.
struct BlockStudy
{
    std::string title;
    BuildingBlock block;
    int microBatches = 1; ///< to repeat it for
};

/// The block of a family, or of a file.
tl::expected<BlockStudy, Failure> blockOf(const std::string& word, const Arguments& arguments);

/// Shape in one line: "4 devices, 8 micro-batches, 2 chunks a device".
std::string shapeText(const PipelineSpec& spec);

/// The part of it that is no family's own: "4 devices, 8 micro-batches, 2 steps".
std::string sizeText(const PipelineSpec& spec);

/// The first pass that takes a device above the memory limit of a study, in a sentence; empty where
/// none does.
std::string overLimit(const Schedule& schedule, const Costs& costs, const SimResult& result);

/// The option of a family's parameter: a flag, one of some words, or a number. The text of its
/// section and who has it is the caller's.
Option optionOf(const Parameter& parameter);

} // namespace pw::app
