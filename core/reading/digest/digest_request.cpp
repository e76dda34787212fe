// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/digest/digest_request.h"

#include "core/base/json.h"
#include "core/base/try.h"
#include "core/io/framed_bytes.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"
#include "core/reading/digest/digest.h"
#include "core/reading/digest/rank_slices.h"
#include "core/reading/file_content.h"

#include <utility>

namespace pw {

namespace {

constexpr std::string_view digestFrame = "digest";
constexpr const char* digestMember = "digest_of";

} // namespace

std::string digestRequestText(const DigestRequest& request)
{
    JsonText text;
    text.beginObject(JsonText::Layout::OneLine);
    text.member(digestMember, std::string_view(request.file));
    writeReadingRules(text, request.reading);
    text.endObject();
    return text.text();
}

Result<std::optional<DigestRequest>> digestRequestOf(std::string_view line)
{
    const Result<JsonDocument> document = parseJson(line, std::int64_t{longestSliceRequest});
    if (!document || !document->IsObject() || !document->HasMember(digestMember))
        return std::nullopt;
    JsonFields::Failure failure;
    JsonFields fields(*document, "", failure);
    DigestRequest request;
    request.file = fields.title(digestMember);
    const ReadingRuleTexts reading = ReadingRuleTexts::in(fields);
    fields.finish();
    if (failure)
        return fail(*failure);
    PW_TRY(request.reading, reading.rules());
    return request;
}

Result<std::string> digestAnswer(const DigestRequest& request)
{
    const std::string& file = request.file;
    if (fileContent(file) != FileContent::Trace || sourceOfDigest(file))
        return fail(ErrorCode::BadValue, "%1 is no trace that a digest is made of", file);
    const std::string readBy = readingRulesText(request.reading);
    PW_TRY(DigestSource source, digestSource(file, readBy));
    source.readBy = readBy;
    ImportOptions options;
    options.rules = request.reading.names;
    options.kernels = request.reading.kernels;
    PW_TRY(FilePart part, importPart(file, options));
    if (part.said.log || !part.said.tells(!part.trace.spans.empty()))
        return fail(ErrorCode::BadValue, "%1 is no trace that a digest is made of", file);
    PW_TRY(const std::string packed, packedDigest(reduced(std::move(part)), source));
    return framedBytes(digestFrame, packed);
}

std::optional<std::string> digestOfAnswer(std::string_view answer)
{
    return bytesOfFrame(digestFrame, answer);
}

} // namespace pw
