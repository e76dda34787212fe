// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/json_fields.h"
#include "core/lesson/lesson.h"

// Parts of the reader of lesson files; nobody else includes this.
namespace pw {

/// A text, or an object of texts by language.
LessonText lessonTextOf(const JsonValue& value, const std::string& path,
                        JsonFields::Failure& failure);
LessonText readLessonText(JsonFields& fields, const JsonValue& object, std::string_view name,
                          bool needed, JsonFields::Failure& failure);

/// The schedule that a picture shows or a level begins with.
Project readLessonStart(const JsonValue& object, const std::string& path,
                        JsonFields::Failure& failure);

/// The field block: the passes of one micro-batch with their offsets, for the shape of a spec.
std::optional<BuildingBlock> readStartBlock(JsonFields& fields, const PipelineSpec& spec,
                                            JsonFields::Failure& failure);

/// The field facts: numbers and schedules by name.
std::vector<LessonFact> readLessonFacts(const JsonValue& facts, const std::string& path,
                                        JsonFields::Failure& failure);

/// Orders in the text notation, one a device of the spec.
DeviceOrders readLessonOrders(JsonFields& fields, std::string_view name, const PipelineSpec& spec,
                              JsonFields::Failure& failure);

/// The fields family, options, segment_lengths, steps and updates.
void readLessonFamily(JsonFields& fields, FamilyChoice& choice, int devices,
                      JsonFields::Failure& failure);

/// The passes of whole orders, one act each, by the times that they run at; what a level begins
/// with is left out, or cleared first where the orders begin otherwise.
std::vector<LessonAct> actsOf(const Project& start, const DeviceOrders& orders);

/// The field batch: the times of the start become those of its micro-batches.
void readLessonBatch(const JsonValue& value, const std::string& path, LessonLevel& level,
                     JsonFields::Failure& failure);

/// The field layers: the times of the start become those of its layers.
void readLessonLayers(const JsonValue& value, const std::string& path, LessonLevel& level,
                      JsonFields::Failure& failure);

/// The value of a field longer, an object or a list of them: what makes passes of a project longer.
/// The project is left as it is.
std::vector<LessonCause> readLessonCauses(const JsonValue& longer, const std::string& path,
                                          const Project& project, JsonFields::Failure& failure);

/// The field longer of an object, where it has one: its causes are put into the project.
void readLonger(JsonFields& fields, const JsonValue& object, Project& project,
                JsonFields::Failure& failure);

/// The field repairs, and what the start's field longer has to be mended.
void readLessonRepair(JsonFields& fields, const JsonValue& value, LessonLevel& level,
                      JsonFields::Failure& failure);

/// Gives a project's passes the times that causes give them; without causes it stays as it is.
void makeLonger(Project& project, const std::vector<LessonCause>& causes);

/// What passes take if a batch is cut into so many micro-batches.
UniformCosts costsOfBatch(const LessonBatch& batch, int microBatches);

/// Nearest share of so many micro-batches.
Share shareFrom(double microBatches);

} // namespace pw
