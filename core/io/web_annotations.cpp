// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/web_annotations.h"

#include "core/io/json_text.h"
#include "core/io/web_page.h"
#include "core/sim/annotation_places.h"

namespace pw {

void writeWebAnnotations(JsonText& json, const WebTrack& track, Ticks unit)
{
    if (track.annotations == nullptr || track.annotations->empty())
        return;
    const auto point = [&](std::string_view name, const AnnotationPoint& at) {
        json.key(name);
        json.beginArray(JsonText::Layout::OneLine);
        json.value(at.time / static_cast<double>(unit));
        json.value(at.device);
        json.value(at.down);
        json.endArray();
    };
    json.key("annotations");
    json.beginArray();
    for (const PlacedAnnotation& one :
         placeAnnotations(*track.annotations, *track.schedule, *track.result)) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("kind", name(one.kind));
        json.member("tint", name(one.tint));
        json.key("words");
        json.beginArray(JsonText::Layout::OneLine);
        for (const std::string& line : annotationLines(one.text))
            json.value(std::string_view(line));
        json.endArray();
        point("from", one.from);
        point("to", one.to);
        json.endObject();
    }
    json.endArray();
}

} // namespace pw
