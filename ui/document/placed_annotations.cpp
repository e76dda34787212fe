// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/placed_annotations.h"

#include "core/sim/annotation_places.h"
#include "ui/document/schedule_document.h"

namespace pw::ui {

std::vector<PlacedAnnotation> placedAnnotations(const ScheduleDocument& document,
                                                const std::vector<Annotation>& annotations)
{
    if (annotations.empty())
        return {};
    if (document.schedule())
        return placeAnnotations(annotations, *document.schedule(), document.result());
    return placeAnnotations(annotations, document.draft(), document.times());
}

std::vector<PlacedAnnotation> placedAnnotations(const ScheduleDocument& document)
{
    return placedAnnotations(document, document.project().annotations);
}

} // namespace pw::ui
