// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/annotation.h"

#include <vector>

namespace pw::ui {

class ScheduleDocument;

/// Where the annotations of a document stand over its lanes.
std::vector<PlacedAnnotation> placedAnnotations(const ScheduleDocument& document);

/// The same for others than it has, such as while one is being drawn.
std::vector<PlacedAnnotation> placedAnnotations(const ScheduleDocument& document,
                                                const std::vector<Annotation>& annotations);

} // namespace pw::ui
