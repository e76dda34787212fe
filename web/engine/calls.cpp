// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "web/engine/calls.h"

#include "core/base/display_text.h"
#include "core/base/json.h"
#include "core/base/try.h"
#include "web/engine/scene.h"

namespace pw::web {

namespace {

/// The longest argument: a project or a lesson, with its quotes escaped.
constexpr std::int64_t longestArgument = 2 * maxProjectBytes;

Result<std::string> called(Session& session, std::string_view name, std::string_view argument)
{
    for (const auto& functions :
         {scheduleFunctions(), dragFunctions(), lessonFunctions(), blockFunctions()}) {
        for (const Function& function : functions) {
            if (function.name != name)
                continue;
            PW_TRY(const auto document, parseJson(argument, longestArgument));
            JsonFields::Failure failure;
            JsonFields in(document, "", failure);
            JsonText out;
            out.beginObject(JsonText::Layout::OneLine);
            out.key("ok");
            out.beginObject(JsonText::Layout::OneLine);
            PW_DO(function.call({session, in, failure, out}));
            out.endObject();
            out.endObject();
            return out.text();
        }
    }
    return fail(ErrorCode::BadValue, "there is no function %1", inQuotes(std::string(name)));
}

} // namespace

std::string answer(Session& session, std::string_view name, std::string_view argument)
{
    const auto done = called(session, name, argument);
    if (done)
        return *done;
    JsonText out;
    out.beginObject(JsonText::Layout::OneLine);
    out.key("refused");
    writeSentence(out, done.error().message);
    out.endObject();
    return out.text();
}

} // namespace pw::web
