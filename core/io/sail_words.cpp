// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/sail_parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace pw {

namespace {

/// "sf12": its type, whether it is of chunk 0, and its micro-batch. The long form has the peers
/// around it, "r0f12s2".
struct SailWord
{
    const SailType* type = nullptr;
    bool lower = false;
    std::int32_t microBatch = 0;
    std::int32_t recvPeer = -1;
    std::int32_t sendPeer = -1;
    std::int32_t column = 0;
};

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Letters of one case, then a number; cut off the front of a text.
bool takeWord(std::string_view& text, std::string_view& letters, std::int32_t& number)
{
    const std::size_t begin = static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), isLetter) - text.begin());
    const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
    const auto read = parseNumber(text.substr(begin, end - begin));
    if (begin == 0 || !read)
        return false;
    letters = text.substr(0, begin);
    number = *read;
    text.remove_prefix(end);
    return true;
}

bool readName(std::string_view letters, SailWord& word)
{
    const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    word.lower = std::none_of(letters.begin(), letters.end(), upper);
    if (!word.lower && std::any_of(letters.begin(), letters.end(), lower))
        return false;
    std::string name(letters);
    std::transform(name.begin(), name.end(), name.begin(),
                   [lower](char c) { return lower(c) ? static_cast<char>(c - 'a' + 'A') : c; });
    word.type = sailTypeOfWord(name);
    if (word.type == nullptr)
        word.type = sailTypeOfName(name);
    return word.type != nullptr;
}

bool readWord(std::string_view text, SailWord& word)
{
    std::string_view letters;
    if (!takeWord(text, letters, word.microBatch))
        return false;
    if (letters == "r" && !text.empty() && text.front() != 's') {
        word.recvPeer = word.microBatch;
        if (!takeWord(text, letters, word.microBatch))
            return false;
    }
    if (!readName(letters, word))
        return false;
    if (text.empty())
        return true;
    return takeWord(text, letters, word.sendPeer) && letters == "s" && text.empty();
}

/// All words of a line; empty where one is none.
std::vector<SailWord> wordsOf(std::string_view line)
{
    std::vector<SailWord> words;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t begin = std::min(line.find_first_not_of(" \t\r", at), line.size());
        const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
        if (begin == end)
            break;
        SailWord word;
        if (!readWord(line.substr(begin, end - begin), word))
            return {};
        word.column = static_cast<std::int32_t>(words.size()) + 1;
        words.push_back(word);
        at = end;
    }
    return words;
}

struct WordLine
{
    std::int32_t line = 0;
    bool lower = false; // has a word of chunk 0
    std::vector<SailWord> words;

    bool same(const WordLine& other) const
    {
        return std::equal(words.begin(), words.end(), other.words.begin(), other.words.end(),
                          [](const SailWord& a, const SailWord& b) {
                              return a.type == b.type && a.lower == b.lower &&
                                     a.microBatch == b.microBatch;
                          });
    }
};

using Table = std::vector<WordLine>;

/// The tables of a text: lines that follow each other. What has no lower case before what has some
/// is another table.
std::vector<Table> tablesOf(std::string_view text, SailPlan& plan)
{
    std::vector<Table> tables;
    std::int64_t words = 0;
    std::int32_t number = 0;
    bool open = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = withoutLogPrefix(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        WordLine found{number, false, wordsOf(line)};
        const bool passes =
            std::any_of(found.words.begin(), found.words.end(),
                        [](const SailWord& word) { return word.type->kind == SailKind::F; });
        if (!passes) {
            open &= trimmed(line).empty();
            continue;
        }
        words += static_cast<std::int64_t>(found.words.size());
        if (words > maxSailNodes) {
            plan.problems.add({number, 1},
                              said("more than %1 words, the most that is read", maxSailNodes));
            return {};
        }
        found.lower = std::any_of(found.words.begin(), found.words.end(),
                                  [](const SailWord& word) { return word.lower; });
        if (!open || (found.lower && !tables.back().back().lower))
            tables.emplace_back();
        tables.back().push_back(std::move(found));
        open = true;
    }
    return tables;
}

/// Every process prints the whole table; lines then repeat as a whole.
void keepOneTable(Table& table, SailPlan& plan)
{
    for (std::size_t period = 1; period <= table.size() / 2; ++period) {
        bool repeats = table.size() % period == 0;
        for (std::size_t i = period; repeats && i < table.size(); ++i)
            repeats = table[i].same(table[i - period]);
        // Ranks of GPipe have one and the same line, which says nothing of how often it was
        // printed.
        if (repeats && period == 1)
            return;
        if (!repeats)
            continue;
        plan.notes.add({}, said("the table appears %1 times; only the first copy is read",
                                table.size() / period));
        table.resize(period);
        return;
    }
}

/// Gives the words of a line their chunks and segments. A word does not say more than whether its
/// chunk is 0, so that the rest follows from how often it stands there.
class LineReader
{
public:
    LineReader(const WordLine& line, std::int32_t rank, bool anyLower, SailNodes& nodes,
               SailPlan& plan)
        : m_line(line)
        , m_rank(rank)
        , m_anyLower(anyLower)
        , m_nodes(nodes)
        , m_plan(plan)
    {
    }

    /// @return false after a problem
    bool read()
    {
        if (!countForwards())
            return false;
        for (const SailWord& word : m_line.words) {
            SailNode node;
            node.kind = word.type->kind;
            node.rank = m_rank;
            node.microBatch = word.microBatch;
            node.recvPeer = word.recvPeer;
            node.sendPeer = word.sendPeer;
            node.place = {m_line.line, word.column};
            m_nodes.peers |= word.recvPeer >= 0 || word.sendPeer >= 0;
            place(word, node);
            m_nodes.nodes.push_back(node);
        }
        return true;
    }

private:
    bool first(const SailWord& word) const { return word.lower || !m_anyLower; }

    /// How often the forwards of a micro-batch stand there: segments, and chunks beyond the first.
    bool countForwards()
    {
        std::map<std::int32_t, std::int32_t> low;
        std::map<std::int32_t, std::int32_t> high;
        for (const SailWord& word : m_line.words) {
            if (word.type->kind == SailKind::F)
                ++(first(word) ? low : high)[word.microBatch];
            if (word.type->kind == SailKind::W)
                m_split.insert({first(word), word.microBatch});
        }
        const auto most = [](const std::map<std::int32_t, std::int32_t>& counts) {
            std::int32_t result = 0;
            for (const auto& [microBatch, count] : counts)
                result = std::max(result, count);
            return result;
        };
        m_segments = std::max(most(low), 1);
        const std::int32_t others = most(high);
        m_others = others / m_segments;
        if (others % m_segments == 0 && (m_segments == 1 || m_others <= 1))
            return true;
        m_plan.problems.add(
            {m_line.line, 1},
            said("the forwards of a micro-batch stand there %1 times in lower case and %2 times in "
                 "upper case, and words do not tell chunks from pieces of a sequence",
                 m_segments, others),
            said("save the nodes themselves, which have chunk and seq_split_idx"));
        return false;
    }

    void place(const SailWord& word, SailNode& node)
    {
        const bool low = first(word);
        node.chunk = low ? 0 : 1;
        if (!isSailPass(node.kind))
            return;
        if (node.kind == SailKind::B && m_split.count({low, word.microBatch}) == 0)
            node.kind = SailKind::BW;
        const bool forward = node.kind == SailKind::F;
        const int group = forward                    ? 0
                          : node.kind == SailKind::W ? 2
                          : node.kind == SailKind::R ? 3
                                                     : 1;
        const std::int32_t seen = m_seen[{group, low, word.microBatch}]++;
        // Backwards come the other way round, and what belongs to them in their order.
        if (m_segments > 1)
            node.segment = forward ? seen : m_segments - 1 - seen;
        else if (!low)
            node.chunk = 1 + (forward ? seen : m_others - 1 - seen);
        node.segment = std::max(node.segment, 0);
        node.chunk = std::max(node.chunk, 0);
    }

    const WordLine& m_line;
    std::int32_t m_rank;
    bool m_anyLower;
    SailNodes& m_nodes;
    SailPlan& m_plan;
    std::int32_t m_segments = 1;
    std::int32_t m_others = 0;                       // chunks beyond chunk 0
    std::set<std::pair<bool, std::int32_t>> m_split; // micro-batches with a W
    std::map<std::tuple<int, bool, std::int32_t>, std::int32_t> m_seen;
};

} // namespace

std::string_view withoutLogPrefix(std::string_view line)
{
    // "[default0]:", "rank 3: ", "[2026-01-02 10:00:00] "
    const std::size_t colon = line.rfind(':');
    if (colon != std::string_view::npos)
        line.remove_prefix(colon + 1);
    const std::size_t bracket = line.rfind(']');
    if (bracket != std::string_view::npos)
        line.remove_prefix(bracket + 1);
    return line;
}

bool isSailLine(std::string_view line, bool lower)
{
    const std::vector<SailWord> words = wordsOf(withoutLogPrefix(line));
    return words.size() >= 2 && std::any_of(words.begin(), words.end(), [lower](const SailWord& w) {
               return w.type->kind == SailKind::F && (w.lower || !lower);
           });
}

void readSailWords(std::string_view text, SailNodes& nodes, SailPlan& plan)
{
    plan.lineName = "line";
    plan.columnName = "word";
    std::vector<Table> tables = tablesOf(text, plan);
    if (tables.empty()) {
        if (plan.problems.none())
            plan.problems.add(
                {}, said("no line is one of a printed table, such as: f0 sf0 f1 sf1 b0 w0"));
        return;
    }
    if (tables.size() > 1)
        plan.notes.add({}, said("%1 tables stand there; the last is read", tables.size()));
    Table& table = tables.back();
    keepOneTable(table, plan);
    const bool lower =
        std::any_of(table.begin(), table.end(), [](const WordLine& line) { return line.lower; });
    if (table.size() > static_cast<std::size_t>(maxFileDevices)) {
        plan.problems.add({}, said("more than %1 lines, the most that is read", maxFileDevices));
        return;
    }
    nodes.ranks = static_cast<std::int32_t>(table.size());
    for (std::size_t rank = 0; rank < table.size(); ++rank)
        if (!LineReader(table[rank], static_cast<std::int32_t>(rank), lower, nodes, plan).read())
            return;
    plan.notes.add({}, said("the printed table has no times, and no more of chunks than whether "
                            "they are the first"));
}

} // namespace pw
