// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/sentence.h"

#include <cerrno>
#include <cstring>

namespace pw {

namespace {

std::string filled(const char* pattern, std::span<const Sentence> arguments)
{
    std::string text;
    for (const char* at = pattern; *at != '\0'; ++at) {
        const std::size_t place = placeAt(at);
        if (place == 0 || place > arguments.size()) {
            text += *at;
            continue;
        }
        text += arguments[place - 1].english();
        ++at;
    }
    return text;
}

} // namespace

Sentence counted(std::int64_t count, Pattern<std::int64_t> one, Pattern<std::int64_t> many)
{
    return said<std::int64_t>(count == 1 ? one : many, count);
}

// What a user meets, in words that can be translated; the rest is said by the system.
Sentence systemSentence(int reason)
{
    switch (reason) {
    case ENOENT:
        return said("No such file or directory");
    case EACCES:
        return said("Permission denied");
    case EPERM:
        return said("Operation not permitted");
    case EISDIR:
        return said("Is a directory");
    case ENOTDIR:
        return said("Not a directory");
    case ENOSPC:
        return said("No space left on device");
    case EROFS:
        return said("Read-only file system");
    case ELOOP:
        return said("Too many levels of symbolic links");
    case ENAMETOOLONG:
        return said("File name too long");
    case EMFILE:
        return said("Too many open files");
    case EIO:
        return said("Input/output error");
    default:
        return Sentence(std::strerror(reason));
    }
}

Sentence::Sentence(std::string plain)
{
    if (!plain.empty())
        m_parts = std::make_shared<const Parts>(Parts{std::move(plain), nullptr, {}});
}

Sentence::Sentence(std::string_view plain)
    : Sentence(std::string(plain))
{
}

Sentence::Sentence(const char* plain)
    : Sentence(std::string(plain))
{
}

Sentence::Sentence(const char* pattern, std::initializer_list<Argument> arguments)
{
    std::vector<Sentence> sentences;
    sentences.reserve(arguments.size());
    for (const Argument& argument : arguments)
        sentences.push_back(argument.sentence());
    std::string english = filled(pattern, sentences);
    m_parts =
        std::make_shared<const Parts>(Parts{std::move(english), pattern, std::move(sentences)});
}

Sentence Argument::sentence() const
{
    switch (m_kind) {
    case Kind::Whole:
        return std::to_string(m_number);
    case Kind::Unsigned:
        return std::to_string(static_cast<std::uint64_t>(m_number));
    case Kind::Text:
        return m_text;
    case Kind::Sentence:
        return *m_sentence;
    }
    return {};
}

const std::string& Sentence::english() const
{
    static const std::string nothing;
    return m_parts ? m_parts->english : nothing;
}

std::span<const Sentence> Sentence::arguments() const
{
    return m_parts ? std::span<const Sentence>(m_parts->arguments) : std::span<const Sentence>();
}

} // namespace pw
