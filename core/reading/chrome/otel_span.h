// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/json.h"
#include "core/base/types.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace pw {

/// Attributes, whichever way they are written: an object, or a list of key and value.
class OtelAttributes
{
public:
    /// @param value  may be null; outlives this
    explicit OtelAttributes(const JsonValue* value)
        : m_value(value)
    {
    }

    /// A whole number from 0 up, also one that is written as text; −1: none.
    std::int64_t whole(std::string_view name) const;
    /// Empty: none.
    std::string_view text(std::string_view name) const;

private:
    const JsonValue* find(std::string_view name) const;

    const JsonValue* m_value;
};

/// A span as it is written. Times are nanoseconds since 1970; none: not told, or beyond what is
/// read.
struct OtelSpan
{
    std::string_view name;
    std::optional<Ticks> start;
    std::optional<Ticks> end;
    OtelAttributes attributes;
};

/// Takes what an object says, in its order: a resource, then the spans that it made.
class OtelVisitor
{
public:
    virtual ~OtelVisitor() = default;
    virtual void takeResource(const OtelAttributes& resource) = 0;
    virtual void takeSpan(const OtelSpan& span) = 0;
};

/// The spans of an object of JSON: a span of the console exporter; OTLP in JSON, with the names of
/// its protobuf messages too; Tempo's "batches" and "trace"; a trace of Jaeger. Nothing of others.
void visitOtelSpans(const JsonValue& object, OtelVisitor& visitor);

/// Whether a text begins as one that holds such objects.
bool looksLikeOtelSpans(std::string_view head);

} // namespace pw
