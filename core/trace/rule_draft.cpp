// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/rule_draft.h"

#include "core/trace/name_rule.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace pw {

namespace {

constexpr std::array<std::string_view, numberMeaningCount> meaningFields = {
    "",       "*",         "{micro-batch}", "{stage}",    "{chunk}",
    "{rank}", "{replica}", "{segment}",     "{iteration}"};

struct Hint
{
    std::string_view word;
    NumberMeaning meaning;
};

/// The word before a number, in lower case. Longer ones first: "dp rank" is no rank.
constexpr std::array<Hint, 30> hints = {{{"micro-batch", NumberMeaning::MicroBatch},
                                         {"micro_batch", NumberMeaning::MicroBatch},
                                         {"microbatch", NumberMeaning::MicroBatch},
                                         {"micro batch", NumberMeaning::MicroBatch},
                                         {"mb_id", NumberMeaning::MicroBatch},
                                         {"micro", NumberMeaning::MicroBatch},
                                         {"batch", NumberMeaning::MicroBatch},
                                         {"mb", NumberMeaning::MicroBatch},
                                         {"pp rank", NumberMeaning::Stage},
                                         {"pp_rank", NumberMeaning::Stage},
                                         {"stage", NumberMeaning::Stage},
                                         {"chunk", NumberMeaning::Chunk},
                                         {"vp", NumberMeaning::Chunk},
                                         {"dp rank", NumberMeaning::Replica},
                                         {"dp_rank", NumberMeaning::Replica},
                                         {"replica", NumberMeaning::Replica},
                                         {"dp", NumberMeaning::Replica},
                                         {"pp", NumberMeaning::Stage},
                                         {"global_rank", NumberMeaning::Rank},
                                         {"rank", NumberMeaning::Rank},
                                         {"gpu", NumberMeaning::Rank},
                                         {"slice", NumberMeaning::Segment},
                                         {"segment", NumberMeaning::Segment},
                                         {"seg", NumberMeaning::Segment},
                                         {"iteration", NumberMeaning::Iteration},
                                         {"iter", NumberMeaning::Iteration},
                                         {"step_id", NumberMeaning::Iteration},
                                         {"global_step", NumberMeaning::Iteration},
                                         {"round", NumberMeaning::Iteration},
                                         {"step", NumberMeaning::Iteration}}};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

std::string lowered(std::string_view text)
{
    std::string low(text);
    std::transform(low.begin(), low.end(), low.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return low;
}

/// What the text before a number says it is; nothing where it says nothing.
std::optional<NumberMeaning> hinted(std::string_view before)
{
    std::string text = lowered(before);
    while (!text.empty() && !isLetter(text.back()))
        text.pop_back();
    for (const Hint& hint : hints) {
        if (text.size() < hint.word.size() ||
            text.compare(text.size() - hint.word.size(), hint.word.size(), hint.word) != 0)
            continue;
        const std::size_t at = text.size() - hint.word.size();
        if (at == 0 || !isLetter(text[at - 1]))
            return hint.meaning;
    }
    return std::nullopt;
}

std::vector<RulePiece> piecesOf(std::string_view text)
{
    std::vector<RulePiece> pieces;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && isDigit(text[end]) == isDigit(text[at]))
            ++end;
        RulePiece piece;
        piece.text = std::string(text.substr(at, end - at));
        piece.number = isDigit(text[at]);
        if (piece.number)
            piece.meaning = hinted(text.substr(0, at)).value_or(NumberMeaning::Any);
        pieces.push_back(std::move(piece));
        at = end;
    }
    return pieces;
}

bool isNumber(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

std::string escaped(std::string_view text)
{
    std::string safe;
    for (const char c : text) {
        if (c == '\\' || c == '{' || c == '}' || c == '*')
            safe += '\\';
        safe += c;
    }
    return safe;
}

std::string patternOf(const RuleSource& source)
{
    std::string pattern;
    for (const RulePiece& piece : source.pieces)
        pattern += !piece.number || piece.meaning == NumberMeaning::Itself
                       ? escaped(piece.text)
                       : std::string(fieldOf(piece.meaning));
    return pattern;
}

/// The kind that the words of a name say; empty: none, or several.
std::string kindIn(std::string_view name)
{
    const Result<NameRule> any = NameRule::parse("*{kind}*");
    const std::optional<SpanName> said = any ? any->read(name) : std::nullopt;
    if (!said || said->first.role != SpanRole::Pass)
        return {};
    return std::string(pw::name(said->first.kind));
}

/// Two numbers of one source may not both be the micro-batch: the last of them is.
void keepLast(std::vector<RulePiece>& pieces)
{
    std::vector<NumberMeaning> taken;
    for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
        if (!piece->number || piece->meaning <= NumberMeaning::Any)
            continue;
        if (std::find(taken.begin(), taken.end(), piece->meaning) != taken.end())
            piece->meaning = NumberMeaning::Any;
        taken.push_back(piece->meaning);
    }
}

} // namespace

std::string_view fieldOf(NumberMeaning meaning)
{
    return meaningFields[static_cast<std::size_t>(meaning)];
}

bool RuleSource::speaks() const
{
    return std::any_of(pieces.begin(), pieces.end(), [](const RulePiece& piece) {
        return piece.number && piece.meaning > NumberMeaning::Any;
    });
}

RuleDraft::RuleDraft(std::string_view name, std::string_view process, std::string_view thread,
                     const Arguments& arguments)
    : m_kind(kindIn(name))
{
    m_sources.push_back({"name", false, piecesOf(name)});
    m_sources.push_back({"process", false, piecesOf(process)});
    m_sources.push_back({"thread", false, piecesOf(thread)});
    for (RuleSource& source : m_sources)
        keepLast(source.pieces);
    for (const auto& [key, value] : arguments)
        if (isNumber(value) && key.find('=') == std::string::npos &&
            key.find(" & ") == std::string::npos)
            m_sources.push_back(
                {key, true, {{value, true, hinted(key).value_or(NumberMeaning::Any)}}});
    // What the name says, an argument need not say again.
    for (std::size_t i = 1; i < m_sources.size(); ++i)
        for (RulePiece& piece : m_sources[i].pieces)
            for (std::size_t before = 0; before < i; ++before)
                for (const RulePiece& other : m_sources[before].pieces)
                    if (piece.number && other.number && piece.meaning > NumberMeaning::Any &&
                        piece.meaning == other.meaning)
                        piece.meaning = NumberMeaning::Any;
}

void RuleDraft::setMeaning(std::size_t source, std::size_t piece, NumberMeaning meaning)
{
    if (source >= m_sources.size() || piece >= m_sources[source].pieces.size())
        return;
    // A number of everything is said once.
    if (meaning > NumberMeaning::Any)
        for (RuleSource& other : m_sources)
            for (RulePiece& one : other.pieces)
                if (one.number && one.meaning == meaning)
                    one.meaning = NumberMeaning::Any;
    m_sources[source].pieces[piece].meaning = meaning;
}

std::string RuleDraft::pattern() const
{
    if (m_kind.empty() || m_sources.empty())
        return {};
    std::string name = patternOf(m_sources.front()) + "{kind=" + m_kind + "}";
    std::string places;
    std::string arguments;
    for (std::size_t i = 1; i < m_sources.size(); ++i) {
        const RuleSource& source = m_sources[i];
        if (!source.speaks())
            continue;
        if (source.argument)
            arguments += " & args:" + source.title + "=" +
                         std::string(fieldOf(source.pieces.front().meaning));
        else
            places += source.title + ":" + patternOf(source) + " & ";
    }
    return places + name + arguments;
}

std::string_view processSaid(const TraceTrack& track)
{
    const std::string_view said = track.process;
    const std::size_t number = said.rfind(' ');
    if (number == std::string_view::npos)
        return said;
    return number == 0 ? said.substr(1) : said.substr(0, number);
}

} // namespace pw
