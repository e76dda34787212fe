// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/display_text.h"
#include "core/base/trim.h"
#include "core/families/family_file.h"
#include "core/families/order_reader.h"

#include <algorithm>
#include <array>
#include <memory>

namespace pw::families {

namespace {

constexpr std::string_view lineBlanks = " \t\r";

/// Text that people see: of a length that fits a line of a list, nothing that steers a terminal,
/// and nothing that a window could take for markup.
bool isPlainText(std::string_view text)
{
    constexpr std::size_t most = 400;
    return !text.empty() && text.size() <= most &&
           text.find_first_of("<>") == std::string_view::npos && displayText(text) == text;
}

/// Small letters, digits and single dashes, as ids and options have them.
bool isWord(std::string_view text)
{
    constexpr std::size_t most = 40;
    if (text.empty() || text.size() > most || text.front() == '-' || text.back() == '-' ||
        text.find("--") != std::string_view::npos)
        return false;
    return std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

/// Reads one file.
class FileReader
{
public:
    FileReader(std::string_view text, const std::string& path)
        : m_text(text)
        , m_reader(m_file.program)
    {
        m_file.path = path;
        m_file.text = text;
    }

    Result<FamilyFile> read()
    {
        if (static_cast<std::int64_t>(m_text.size()) > maxFamilyFileBytes)
            return fail(ErrorCode::TooLarge, "%1 is longer than %2 bytes", m_file.path,
                        maxFamilyFileBytes);
        int number = 0;
        for (std::size_t begin = 0; begin <= m_text.size() && !m_reader.failure();) {
            const std::size_t end = std::min(m_text.find('\n', begin), m_text.size());
            readLine(++number, m_text.substr(begin, end - begin));
            begin = end + 1;
        }
        if (!m_reader.failure())
            m_reader.line(number, {}, 0);
        complete();
        if (m_reader.failure())
            return fail(m_reader.failure()->code, "%1, %2", m_file.path,
                        m_reader.failure()->message);
        return std::move(m_file);
    }

private:
    enum class Part
    {
        Head,
        Order,
        Rules,
        Block
    };

    /// Column of a piece of the line that is being read.
    std::size_t columnOf(std::string_view piece) const
    {
        return static_cast<std::size_t>(piece.data() - m_line.data()) + 1;
    }

    void readLine(int number, std::string_view text)
    {
        // Texts may have a #, so that a comment there begins behind a blank.
        m_line = text;
        std::string_view line = trimmed(text, lineBlanks);
        if (line.empty() || line.front() == '#')
            return;
        const std::size_t space = std::min(line.find_first_of(" \t"), line.size());
        const std::string_view word = line.substr(0, space);
        const std::string_view rest = trimmed(line.substr(space), lineBlanks);
        if (m_part == Part::Head && readText(number, word, rest))
            return;
        if (m_part == Part::Head && (word == "parameter" || word == "require")) {
            const std::size_t colon = std::min(rest.find(':'), rest.size());
            m_reader.line(number, rest.substr(0, colon), columnOf(rest));
            const std::string given(
                trimmed(rest.substr(std::min(colon + 1, rest.size())), lineBlanks));
            if (!isPlainText(given))
                m_reader.fail(
                    said("%1 needs a text behind a colon, plain and of up to 400 bytes", word));
            else if (word == "parameter")
                readParameter(rest.substr(0, colon), given);
            else
                readRequirement(given);
            return;
        }
        m_reader.line(number, line.substr(0, std::min(line.find('#'), line.size())),
                      columnOf(line));
        if (m_part == Part::Head)
            readHead();
        else if (m_part == Part::Rules && m_reader.peek() == "end")
            endRules();
        else if (m_part == Part::Rules)
            m_reader.rule();
        else if (m_reader.inside() || m_reader.peek() != "end")
            m_reader.statement(m_part == Part::Block,
                               m_part == Part::Order ? m_file.program.order : m_file.program.block);
        else
            m_part = Part::Head;
    }

    /// Lines whose rest is a text.
    bool readText(int number, std::string_view word, std::string_view rest)
    {
        struct Field
        {
            std::string_view word;
            std::string FamilyFile::*member;
        };
        constexpr std::array<Field, 4> fields = {{{"family", &FamilyFile::id},
                                                  {"title", &FamilyFile::title},
                                                  {"summary", &FamilyFile::summary},
                                                  {"citation", &FamilyFile::citation}}};
        for (const Field& field : fields) {
            if (word != field.word)
                continue;
            m_reader.line(number, {}, columnOf(rest.empty() ? word : rest));
            std::string& text = m_file.*field.member;
            if (!text.empty())
                m_reader.fail(said("duplicate '%1' line", word));
            else if (!isPlainText(rest))
                m_reader.fail(said("%1 needs a plain text of up to 400 bytes", word));
            else if (word == "family" && !isWord(rest))
                m_reader.fail(
                    said("the id of a family is small letters, digits and dashes, up to 40"));
            text = rest;
            return true;
        }
        return false;
    }

    void readParameter(std::string_view words, const std::string& summary)
    {
        FileParameter made;
        made.summary = summary;
        const std::size_t space = std::min(words.find(' '), words.size());
        made.name = words.substr(0, space);
        if (!isWord(made.name) || (made.name[0] >= '0' && made.name[0] <= '9'))
            return m_reader.fail(said(
                "the name of a parameter is small letters, digits and dashes, a letter first"));
        if (m_file.parameters.size() >= maxFamilyParameters)
            return m_reader.fail(said("more than %1 parameters", maxFamilyParameters),
                                 ErrorCode::TooLarge);
        if (!m_file.program.order.empty() || !m_file.program.definitions.empty() ||
            !m_file.program.requirements.empty())
            return m_reader.fail(
                said("parameters stand before definitions, requirements and the order"));
        std::string name = made.name;
        std::replace(name.begin(), name.end(), '-', '_');
        const std::string line = std::string(words.substr(std::min(space + 1, words.size())));
        m_lines.push_back(std::make_unique<std::string>(name + " " + line));
        m_reader.line(m_reader.number(), *m_lines.back(), columnOf(words));
        made.place = m_reader.newName("parameter");
        if (m_reader.takes("flag")) {
            made.flag = true;
            made.minimum = 0;
            made.maximum = 1;
            m_lines.push_back(std::make_unique<std::string>("0"));
            m_reader.end();
            m_reader.line(m_reader.number(), *m_lines.back(), columnOf(words));
            made.fallback = m_reader.expression();
        } else {
            made.minimum = m_reader.wholeNumber();
            m_reader.expect("..");
            if (m_reader.peek() != "default")
                made.maximum = m_reader.wholeNumber();
            m_reader.expect("default");
            const std::size_t at = line.find("default");
            made.fallback = m_reader.expression();
            m_reader.end();
            if (!m_reader.failure())
                finishNumber(made, std::string(trimmed(line.substr(at + 7), lineBlanks)));
        }
        m_file.parameters.push_back(std::move(made));
    }

    void finishNumber(FileParameter& made, std::string text)
    {
        constexpr std::int64_t most = 1'000'000'000;
        if (made.minimum < 0 || made.minimum > most ||
            (made.maximum && (*made.maximum < made.minimum || *made.maximum > most)))
            return m_reader.fail(said("the range of a parameter lies between 0 and 1e9"));
        const ExpressionNode& node =
            m_file.program.nodes[static_cast<std::size_t>(made.fallback.node)];
        if (node.operation != Operation::Number)
            made.fallbackText = std::move(text);
        else if (node.value < made.minimum || (made.maximum && node.value > *made.maximum))
            m_reader.fail(said("the default %1 is outside the range", node.value));
    }

    void readRequirement(const std::string& sentence)
    {
        Statement made;
        made.kind = StatementKind::Refuse;
        made.line = m_reader.number();
        made.first = m_reader.expression();
        made.text = sentence;
        m_reader.end();
        constexpr std::size_t most = 32;
        if (m_file.program.requirements.size() >= most)
            m_reader.fail(said("more than 32 requirements"), ErrorCode::TooLarge);
        m_file.program.requirements.push_back(static_cast<int>(m_file.program.statements.size()));
        m_file.program.statements.push_back(std::move(made));
    }

    void readHead()
    {
        if (m_reader.takes("define")) {
            constexpr std::size_t most = 32;
            if (m_file.program.definitions.size() >= most)
                m_reader.fail(said("more than 32 definitions"), ErrorCode::TooLarge);
            m_reader.definition();
        } else if (m_reader.takes("placement")) {
            readPlacement();
        } else if (m_reader.takes("segments")) {
            once(m_file.segments, "segments");
            m_file.segments = m_reader.expression();
            m_reader.end();
        } else if (m_reader.peek() == "route") {
            readRoute();
        } else if (m_reader.takes("order")) {
            m_reader.end();
            if (!m_file.isBlockOnly())
                m_reader.fail(said("duplicate '%1' line", "order"));
            m_part = Part::Order;
        } else if (m_reader.takes("when")) {
            m_reader.expect("ready");
            m_reader.end();
            if (!m_file.isBlockOnly())
                m_reader.fail(said("duplicate '%1' line", "order"));
            m_reader.beginRules();
            m_part = Part::Rules;
        } else if (m_reader.takes("block")) {
            once(m_file.interval, "block");
            m_reader.expect("interval");
            m_file.interval = m_reader.expression();
            if (m_reader.takes("of"))
                m_file.blockMicroBatches = m_reader.expression();
            m_reader.end();
            m_part = Part::Block;
        } else {
            m_reader.fail(said("a line begins with family, title, summary, citation, parameter, "
                               "require, define, placement, route, segments, order, when ready or "
                               "block"));
        }
    }

    /// `route(j) = …`
    void readRoute()
    {
        if (m_file.routeOf >= 0)
            m_reader.fail(said("duplicate '%1' line", "route"));
        m_reader.definition();
        if (m_reader.failure())
            return;
        m_file.routeOf = static_cast<int>(m_file.program.definitions.size()) - 1;
        if (m_file.program.definitions.back().arguments != 1)
            m_reader.fail(said("route is of one argument, the micro-batch"));
    }

    void endRules()
    {
        m_reader.takes("end");
        m_reader.end();
        m_reader.endRules();
        m_part = Part::Head;
        bool fused = false, split = false;
        for (const ReadyRule& rule : m_file.program.ready.rules) {
            fused = fused || rule.kind == PassKind::BW;
            split = split || rule.kind == PassKind::B || rule.kind == PassKind::W;
        }
        if (fused && split)
            m_reader.fail(said("when ready has either BW, or B and W"));
    }

    void readPlacement()
    {
        FileRoute made;
        if (m_file.routes.size() == 2)
            m_reader.fail(said("a third 'placement' line; there are two routes at most"));
        if (m_reader.takes("linear")) {
            made.placement = FilePlacement::Linear;
        } else if (m_reader.takes("v")) {
            made.placement = FilePlacement::V;
        } else if (m_reader.takes("reversed")) {
            made.placement = FilePlacement::Reversed;
        } else if (m_reader.takes("looped") || m_reader.peek() == "zigzag") {
            made.placement =
                m_reader.takes("zigzag") ? FilePlacement::Zigzag : FilePlacement::Looped;
            made.chunks = m_reader.expression();
        } else {
            made.placement = FilePlacement::Own;
            made.device = m_reader.expression();
            m_reader.expect("for");
            made.chunks = m_reader.expression();
            m_reader.expect("stages");
        }
        m_reader.end();
        m_file.routes.push_back(made);
    }

    void once(const Expression& expression, const char* what)
    {
        if (expression.given())
            m_reader.fail(said("duplicate '%1' line", what));
    }

    void complete()
    {
        if (m_reader.failure())
            return;
        if (m_part != Part::Head)
            m_reader.fail(
                said("the file ends before the end of the %1", m_part == Part::Order   ? "order"
                                                               : m_part == Part::Rules ? "rules"
                                                                                       : "block"));
        else if (m_file.id.empty() || m_file.summary.empty())
            m_reader.fail(
                said("the file has no %1 line", m_file.id.empty() ? "family" : "summary"));
        else if (m_file.isBlockOnly() && !m_file.hasBlock())
            m_reader.fail(said("the file has no order and no block"));
        else if ((m_file.routes.size() == 2) != (m_file.routeOf >= 0))
            m_reader.fail(m_file.routeOf < 0
                              ? said("two placements need a line route(j) = …, the route of a "
                                     "micro-batch")
                              : said("route is for two placements, and there is one"));
        if (m_file.routes.empty())
            m_file.routes.emplace_back();
        if (m_file.title.empty())
            m_file.title = m_file.id;
        if (m_file.citation.empty())
            m_file.citation = "a family of its own, " + m_file.path;
    }

    std::string_view m_text;
    FamilyFile m_file;
    OrderReader m_reader;
    std::vector<std::unique_ptr<std::string>> m_lines; ///< that tokens point into
    std::string_view m_line;                           ///< that is being read
    Part m_part = Part::Head;
};

} // namespace

Result<FamilyFile> parseFamilyFile(std::string_view text, const std::string& path)
{
    return FileReader(text, path).read();
}

} // namespace pw::families
