// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/importer.h"

#include "core/base/try.h"

#include <algorithm>
#include <bitset>
#include <filesystem>

namespace pw {

namespace {

/// How much of a content is looked at.
constexpr std::size_t contentHead = std::size_t{64} << 10;
constexpr std::string_view blanks = " \t\r\n\xEF\xBB\xBF"; // and a byte order mark

/// Whether a text that begins with no blank is an object, or a list of objects; lines of a log may
/// begin with a bracket, too.
bool isJsonText(std::string_view text)
{
    const std::size_t inside = text.find_first_not_of(" \t\r\n", 1);
    return text[0] == '{' ||
           (text[0] == '[' && (inside == std::string_view::npos || text[inside] == '{'));
}

/// Whether the first line that is not blank is JSON, as far as a head shows it.
bool beginsAsJson(std::string_view head)
{
    const std::size_t begin = head.find_first_not_of(blanks);
    if (begin == std::string_view::npos)
        return false;
    const std::string_view line = head.substr(begin, head.find('\n', begin) - begin);
    const bool more = line.size() < head.size() - begin ||
                      line.find_first_not_of(" \t\r\n", 1) != std::string_view::npos;
    return more && isJsonText(line);
}

const Importer& lastImporter()
{
    return allImporters().back();
}

/// Whose content a head is, of all but the last.
const Importer* contentImporterOf(std::string_view head)
{
    for (const Importer& importer : allImporters().first(allImporters().size() - 1))
        if (importer.content.looks != nullptr && importer.content.looks(head))
            return &importer;
    return nullptr;
}

/// Whose lines a text is that is not JSON: the first mark counts. @param first  it begins a file
const Importer* lineImporterOf(std::string_view text, bool first)
{
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos || isJsonText(text.substr(begin)))
        return nullptr;
    const Importer* found = nullptr;
    std::size_t nearest = std::string_view::npos;
    for (const Importer& importer : allImporters()) {
        if (importer.lines.mark == nullptr)
            continue;
        if (importer.lines.headed) {
            if (first && importer.lines.mark(text.substr(begin)) == 0)
                return &importer;
            continue;
        }
        const std::size_t mark = importer.lines.mark(text);
        if (mark < nearest) {
            nearest = mark;
            found = &importer;
        }
    }
    return found;
}

/// The same of a file, which is read up to there.
Result<const Importer*> lineImporterOf(const OpenSource& open, const KeepReading& goOn)
{
    PW_TRY(const std::unique_ptr<ByteSource> source, open());
    TextLines lines(*source, goOn);
    bool first = true;
    while (lines.next()) {
        const std::size_t begin = lines.line().find_first_not_of(blanks);
        if (begin == std::string_view::npos)
            continue;
        if (first && isJsonText(lines.line().substr(begin)))
            return nullptr;
        if (const Importer* importer = lineImporterOf(lines.line(), first))
            return importer;
        first = false;
    }
    return nullptr;
}

Result<EventFile> readLines(const LineFormat& format, const OpenSource& open, std::int32_t number,
                            Trace& trace, TraceNames& names, const KeepReading& goOn)
{
    PW_TRY(const std::unique_ptr<ByteSource> source, open());
    TextLines lines(*source, goOn);
    PlainSpans spans(trace, names, std::string(format.origin));
    const Result<void> read = format.read(lines, number, spans);
    if (lines.stopped())
        return fail(ErrorCode::Cancelled, "%1: reading was stopped", spans.path());
    if (!read)
        return fail(read.error());
    return std::move(spans.file());
}

/// A number below 256 by which most texts can be told apart. @pre the text is not empty
std::size_t argumentMark(std::string_view text)
{
    const auto byte = [](char c) {
        return static_cast<std::size_t>(static_cast<unsigned char>(c));
    };
    constexpr std::size_t spread = 31, marks = 256;
    return (text.size() * spread + byte(text.front()) + byte(text.back()) * 2) % marks;
}

struct Dialects
{
    std::vector<const EventDialect*> all;
    std::vector<std::pair<std::string_view, EventField>> arguments;
    std::bitset<256> marks; ///< of the arguments: most keys of a file are none of them
};

const Dialects& dialects()
{
    static const Dialects found = [] {
        Dialects made;
        for (const Importer& importer : allImporters()) {
            if (importer.dialect.read == nullptr)
                continue;
            made.all.push_back(&importer.dialect);
            made.arguments.insert(made.arguments.end(), importer.dialect.arguments.begin(),
                                  importer.dialect.arguments.end());
        }
        for (const auto& [name, field] : made.arguments)
            if (!name.empty())
                made.marks.set(argumentMark(name));
        return made;
    }();
    return found;
}

} // namespace

std::span<const Importer> allImporters()
{
    static const std::vector<Importer> all = [] {
        std::vector<Importer> made = importers::makeAll();
        std::sort(made.begin(), made.end(), [](const Importer& a, const Importer& b) {
            return std::pair(a.precedence, a.id) < std::pair(b.precedence, b.id);
        });
        return made;
    }();
    return all;
}

std::string importerTitles()
{
    std::string sentence;
    for (const Importer& importer : allImporters()) {
        const bool last = &importer == &allImporters().back();
        sentence += (sentence.empty() ? "" : last ? "; and " : "; ") + std::string(importer.title);
    }
    return sentence;
}

const Importer* importerOf(std::string_view head)
{
    if (const Importer* importer = contentImporterOf(head))
        return importer;
    if (const Importer* importer = lineImporterOf(head, true))
        return importer;
    const Importer& last = lastImporter();
    return last.content.looks(head) ? &last : nullptr;
}

Result<const Importer*> importerOf(const OpenSource& open, const KeepReading& goOn)
{
    {
        PW_TRY(const std::unique_ptr<ByteSource> source, open());
        const std::string head = headOf(*source, contentHead);
        const Importer* importer = contentImporterOf(head);
        // A database among bytes has no path to read it by.
        if (importer != nullptr)
            return importer->content.read != nullptr ? importer : &lastImporter();
        // Lines of a log are not looked for then.
        if (beginsAsJson(head))
            return &lastImporter();
    }
    PW_TRY(const Importer* importer, lineImporterOf(open, goOn));
    return importer != nullptr ? importer : &lastImporter();
}

const Importer* tableImporterOf(const std::string& path)
{
    for (const Importer& importer : allImporters())
        if (importer.tables.read != nullptr && importer.tables.claims(path))
            return &importer;
    return nullptr;
}

Result<EventFile> readBy(const Importer& importer, const OpenSource& open, std::int32_t number,
                         Trace& trace, TraceNames& names, const KeepReading& goOn)
{
    if (importer.lines.read != nullptr)
        return readLines(importer.lines, open, number, trace, names, goOn);
    return importer.content.read(open, number, trace, names, goOn);
}

bool isTraceName(std::string_view name, const std::string& path)
{
    const std::string file = std::filesystem::path(name).filename().string();
    for (const Importer& importer : allImporters()) {
        const bool ending = std::any_of(
            importer.endings.begin(), importer.endings.end(), [&](std::string_view end) {
                return file.size() >= end.size() &&
                       file.compare(file.size() - end.size(), end.size(), end) == 0;
            });
        if (!ending && (importer.named == nullptr || !importer.named(file)))
            continue;
        if (importer.tables.read == nullptr ||
            (!path.empty() && importer.tables.claimsInFolder(path)))
            return true;
    }
    return false;
}

std::vector<std::string> traceNamePatterns()
{
    std::vector<std::string> patterns;
    const auto add = [&patterns](const std::string& pattern) {
        if (std::find(patterns.begin(), patterns.end(), pattern) == patterns.end())
            patterns.push_back(pattern);
    };
    const std::span<const Importer> all = allImporters();
    for (auto one = all.rbegin(); one != all.rend(); ++one) { // the usual one first
        for (const std::string_view ending : one->endings) {
            add("*" + std::string(ending));
            if (one->tables.read == nullptr)
                for (const char* packed : {".gz", ".zst"})
                    add("*" + std::string(ending) + packed);
        }
    }
    add("*.zip");
    return patterns;
}

EventField dialectArgument(std::string_view key)
{
    const Dialects& known = dialects();
    if (key.empty() || !known.marks[argumentMark(key)])
        return EventField::None;
    for (const auto& [name, field] : known.arguments)
        if (name == key)
            return field;
    return EventField::None;
}

const EventDialect* dialectOf(const ChromeEvent& event, DialectEvent& made)
{
    for (const EventDialect* dialect : dialects().all) {
        if (const std::optional<DialectEvent> read = dialect->read(event)) {
            made = *read;
            return dialect;
        }
    }
    return nullptr;
}

} // namespace pw
