// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/digest/digest_request.h"

#include "core/base/json.h"
#include "core/base/try.h"
#include "core/io/framed_bytes.h"
#include "core/io/json_text.h"
#include "core/reading/digest/digest.h"
#include "core/reading/file_content.h"

#include <utility>

namespace pw {

namespace {

constexpr std::string_view digestFrame = "digest";
constexpr const char* digestMember = "digest_of";

} // namespace

std::string digestRequestText(const std::string& file)
{
    JsonText text;
    text.beginObject(JsonText::Layout::OneLine);
    text.member(digestMember, std::string_view(file));
    text.endObject();
    return text.text();
}

std::optional<std::string> digestRequestOf(std::string_view line)
{
    constexpr std::int64_t longest = 1 << 16;
    const Result<JsonDocument> document = parseJson(line, longest);
    if (!document || !document->IsObject() || document->MemberCount() != 1)
        return std::nullopt;
    const auto found = document->FindMember(digestMember);
    if (found == document->MemberEnd() || !found->value.IsString())
        return std::nullopt;
    return std::string(found->value.GetString(), found->value.GetStringLength());
}

Result<std::string> digestAnswer(const std::string& file)
{
    if (fileContent(file) != FileContent::Trace || sourceOfDigest(file))
        return fail(ErrorCode::BadValue, "%1 is no trace that a digest is made of", file);
    PW_TRY(const DigestSource source, digestSource(file, {}));
    PW_TRY(FilePart part, importPart(file));
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
