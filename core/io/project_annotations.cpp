// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/io/file_problem.h"
#include "core/io/json_text.h"
#include "core/io/project_parts.h"
#include "core/io/spec_names.h"
#include "core/model/routes.h"

#include <limits>

namespace pw {

namespace {

using Layout = JsonText::Layout;

constexpr std::int64_t latestAnchor = std::numeric_limits<std::int64_t>::max();

class AnnotationReader
{
public:
    AnnotationReader(JsonFields& project, JsonFields::Failure& failure)
        : m_project(project)
        , m_failure(failure)
    {
    }

    std::vector<Annotation> run()
    {
        std::vector<Annotation> annotations;
        const JsonValue* list = m_project.list("annotations");
        if (list == nullptr)
            return annotations;
        if (list->Size() > maxAnnotations) {
            m_project.refuse("annotations", "%1 has %2 elements; it can have %3", list->Size(),
                             maxAnnotations);
            return annotations;
        }
        for (rapidjson::SizeType i = 0; i < list->Size() && !m_failure; ++i) {
            JsonFields fields((*list)[i], m_project.pathOf("annotations", i), m_failure);
            annotations.push_back(annotation(fields));
            fields.finish();
        }
        return annotations;
    }

private:
    Annotation annotation(JsonFields& fields)
    {
        Annotation one;
        one.kind = named(fields, "kind", allAnnotationKinds, fields.text("kind"));
        one.tint = named(fields, "tint", allAnnotationTints,
                         fields.text("tint", std::string(name(AnnotationTint::Ink))));
        one.text = fields.text("text", "");
        if (one.text.size() > longestAnnotation)
            fields.refuse("text", "%1 has %2 bytes; it can have %3",
                          groupedNumber(static_cast<std::int64_t>(one.text.size())),
                          groupedNumber(longestAnnotation));
        else if (one.kind == AnnotationKind::Text && annotationLines(one.text).empty())
            fields.refuse("text",
                          "%1 has no words; only arrows, brackets and regions can do without");
        one.from = anchor(fields, "from");
        if (hasEnd(one.kind))
            one.to = anchor(fields, "to");
        return one;
    }

    AnnotationAnchor anchor(JsonFields& fields, std::string_view field)
    {
        AnnotationAnchor anchor;
        const JsonValue* object = fields.object(field);
        if (object == nullptr)
            return anchor;
        JsonFields own(*object, fields.pathOf(field), m_failure);
        anchor.time = own.integer("time_ns", 0, latestAnchor);
        anchor.device = DeviceId(own.integer("device", 0, maxFileDevices - 1));
        anchor.down = own.number("down", 0, 1);
        if (own.has("pass")) {
            if (const JsonValue* pass = own.object("pass"))
                anchor.pass = passOf(*pass, own.pathOf("pass"));
            anchor.across = own.number("across", 0, 1);
        }
        own.finish();
        return anchor;
    }

    Pass passOf(const JsonValue& object, std::string path)
    {
        JsonFields fields(object, std::move(path), m_failure);
        Pass pass;
        pass.kind = named(fields, "kind", allPassKinds, fields.text("kind"));
        pass.route = static_cast<std::uint8_t>(fields.integer("route", 0, maxRoutes - 1));
        pass.stage = StageId(fields.count("stage", 0));
        pass.microBatch = fields.count("micro_batch", 0);
        pass.segment = fields.count("segment", 0);
        fields.finish();
        return pass;
    }

    template<typename T, std::size_t n>
    static T named(JsonFields& fields, std::string_view field, const std::array<T, n>& all,
                   const std::string& text)
    {
        const auto value = pw::named(all, text);
        if (value)
            return *value;
        std::string words;
        for (const T one : all)
            words += (words.empty() ? "" : ", ") + std::string(name(one));
        fields.refuse(field, "%1 is %2; it is one of %3", inQuotes(text), words);
        return all.front();
    }

    JsonFields& m_project;
    JsonFields::Failure& m_failure;
};

void writeAnchor(JsonText& json, std::string_view field, const AnnotationAnchor& anchor)
{
    json.key(field);
    json.beginObject(Layout::OneLine);
    json.member("time_ns", anchor.time);
    json.member("device", anchor.device);
    json.member("down", anchor.down);
    if (anchor.pass) {
        json.key("pass");
        json.beginObject(Layout::OneLine);
        json.member("kind", name(anchor.pass->kind));
        json.member("route", static_cast<int>(anchor.pass->route));
        json.member("stage", anchor.pass->stage);
        json.member("micro_batch", anchor.pass->microBatch);
        json.member("segment", anchor.pass->segment);
        json.endObject();
        json.member("across", anchor.across);
    }
    json.endObject();
}

} // namespace

std::vector<Annotation> readAnnotations(JsonFields& project, JsonFields::Failure& failure)
{
    return AnnotationReader(project, failure).run();
}

void writeAnnotations(JsonText& json, const std::vector<Annotation>& annotations)
{
    if (annotations.empty())
        return;
    json.key("annotations");
    json.beginArray();
    for (const Annotation& one : annotations) {
        json.beginObject();
        json.member("kind", name(one.kind));
        if (one.tint != AnnotationTint::Ink)
            json.member("tint", name(one.tint));
        if (!one.text.empty())
            json.member("text", std::string_view(one.text));
        writeAnchor(json, "from", one.from);
        if (hasEnd(one.kind))
            writeAnchor(json, "to", one.to);
        json.endObject();
    }
    json.endArray();
}

} // namespace pw
