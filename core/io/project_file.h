// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/cost/cost_origin.h"
#include "core/families/family.h"
#include "core/model/annotation.h"
#include "core/model/building_block.h"
#include "core/model/costs.h"
#include "core/model/draft.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pw {

// A project file is JSON in UTF-8. Version 1, all times whole nanoseconds:
//
//   {
//     "pipewright": 1,                 the version; another one is refused
//     "title": "…", "notes": "…",      any text; "" where absent
//     "family": {                      the family that makes the schedule …
//       "id": "zb-h1", "devices": 4, "micro_batches": 8, "steps": 1, "updates": false,
//       "segment_lengths": [2, 1],     absent: as the family has them
//       "options": { "chunks": 2 } },  only those that are given
//     "spec": {                        … or a spec and a schedule of its own
//       "devices": 2, "micro_batches": 2, "steps": 1,
//       "placement": ["linear"],       one text a route: linear, reversed, looped 2, v,
//                                      zigzag 2, or the device of each stage "0 1 1 0"
//       "route_of_micro_batch": [0, 1],absent: all take route 0
//       "segment_lengths": [1],
//       "update_rule": "flush",        or stashed, double-buffered
//       "updates": false,              whether U passes stand in the order
//       "messages": "early" },         or committed
//     "schedule": [                    text notation, one line a device; may be unfinished
//       "F0 F1 BW0 BW1", "F0 BW0 F1 BW1" ],
//     "offload": {                     absent: every activation stays on its device
//       "cells": "0:0-3,2",            stage:micro-batches, a stage alone for all of them, and
//                                      /segment behind; copied to the host and back
//       "latency_ns": 0,
//       "bytes_per_second": 5.44e10 }, of a device's link to its host, in either direction
//     "costs": { "uniform": {…} },     or { "tables": {…} }; fields named as in UniformCosts
//                                      and Costs, with _ns behind times; tables that are empty
//                                      are absent. Beside tables that a model made: "origin":
//                                      { "hardware": "a100", "split": "even",
//                                        "recompute_in": "backward", or passes
//                                        "model": {…} }, as a model file without its version
//     "blocks": [                      building blocks; absent: none
//       { "title": "…",                absent: ""
//         "devices": 4, "placement": ["linear"], "micro_batches": 1, "segment_lengths": [1],
//         "interval": 3,
//         "passes": [ { "kind": "F", "route": 0, "stage": 0, "micro_batch": 0, "segment": 0,
//                       "start": 0, "duration": 1 } ] } ],
//     "annotations": [                 drawn over the lanes; absent: none
//       { "kind": "arrow",             or text, bracket, region
//         "tint": "violet",            or ink, orange, green; absent: ink
//         "text": "…",                 absent: ""
//         "from": {                    where it was put …
//           "time_ns": 1000, "device": 0,
//           "down": 0.5,               of the lane's height from its upper edge on
//           "pass": { "kind": "F", "route": 0, "stage": 0, "micro_batch": 0, "segment": 0 },
//           "across": 0.5 },           … and the pass that it moves with, of whose time it is at
//                                      this part; both are absent where it is on none
//         "to": { … } } ]              as from; absent: of a text, which has no other end
//   }
//
// One time is at most `longestPass`, one size a pebibyte. There are at most `maxAnnotations`, with
// texts of at most `longestAnnotation` bytes. Unknown and doubled fields are refused by name: a
// typing error must not become a default.

/// The longest project file that is read.
constexpr std::int64_t maxProjectBytes = 32LL << 20;

/// The family that makes a project's schedule.
struct FamilyChoice
{
    std::string id;
    FamilyOptions options;

    friend bool operator==(const FamilyChoice&, const FamilyChoice&) = default;
};

/// What a person saves: a schedule or the family that makes it, its costs, building blocks, notes,
/// and what is drawn over its lanes.
struct Project
{
    Project();
    PW_VALUE(Project);

    std::string title;
    std::string notes;
    std::optional<FamilyChoice> family;
    Draft draft; ///< with a family the spec that it makes, and no orders
    std::variant<UniformCosts, Costs> costs;
    /// Which activations wait in the host's memory. Belongs to the schedule, and so not to the
    /// tables of `costs`, whose own is empty here; `costsOf` has it.
    Offload offload{};
    /// Where tables of costs come from; none: from measurements or from hand.
    std::optional<CostOrigin> origin;
    std::vector<BuildingBlock> blocks;
    std::vector<Annotation> annotations{};

    bool operator==(const Project& other) const;
};

/// Costs of a project for its spec.
Costs costsOf(const Project& project);

/// Gives a project tables of costs, as `costsOf` has them: what they offload becomes the project's.
void setTables(Project& project, Costs costs);

/// The schedule of a project: its own, or the one that its family makes.
/// @error BadSchedule, Deadlock …  as of `Schedule::make` or the family
Result<Schedule> scheduleOf(const Project& project);

/// A project as the text of its file; reading it gives an equal project.
///
/// @error BadValue  of a project that no file can hold: a spec that means nothing or differs from
/// the family's, a text that is not UTF-8, a number that is not finite
Result<std::string> writeProject(const Project& project);

/// Reads the text of a project file.
///
/// @error Syntax    with place or field: not JSON, or a missing, unknown, doubled or impossible
/// field
/// @error Version   of another version than 1
/// @error TooLarge, BadValue  of the spec, the costs or the family's options
Result<Project> readProject(std::string_view text);

/// Reads and writes a file; writing replaces it as a whole or not at all.
/// @error Io  with the system's reason
Result<Project> loadProject(const std::string& path);
Result<void> saveProject(const Project& project, const std::string& path);

} // namespace pw
