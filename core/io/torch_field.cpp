// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/torch_parts.h"

#include <array>
#include <cctype>

namespace pw {

namespace {

/// Types in the order in which they are tried: none is the head of a later one.
struct Keyword
{
    std::string_view text;
    TorchKind current;
    std::optional<TorchKind> older; ///< none: not in the older dialect
};

constexpr std::array<Keyword, 12> keywords = {{
    {"REDUCE_GRAD", TorchKind::ReduceGrad, TorchKind::ReduceGrad},
    {"UNSHARD", TorchKind::Unshard, TorchKind::Unshard},
    {"RESHARD", TorchKind::Reshard, TorchKind::Reshard},
    {"SEND_F", TorchKind::SendF, TorchKind::SendF},
    {"RECV_F", TorchKind::RecvF, TorchKind::RecvF},
    {"SEND_B", TorchKind::SendB, TorchKind::SendB},
    {"RECV_B", TorchKind::RecvB, TorchKind::RecvB},
    {"BW", TorchKind::B, TorchKind::B}, // older dialect only; elsewhere it shows the dialect
    {"F", TorchKind::F, TorchKind::F},
    {"I", TorchKind::I, std::nullopt},
    {"B", TorchKind::B, TorchKind::I},
    {"W", TorchKind::W, TorchKind::W},
}};

/// Reads one field.
class FieldScanner
{
public:
    FieldScanner(std::string_view text, bool older)
        : m_text(text)
        , m_older(older)
    {
    }

    const FieldFlaw& flaw() const { return m_flaw; }

    bool scan(TorchField& field)
    {
        if (m_text.empty())
            return true;
        if (m_text.front() == '(')
            return scanPair(field);
        field.shape = TorchField::Shape::Single;
        if (!scanAction(field.first))
            return false;
        if (m_at == m_text.size())
            return true;
        const std::string whole(m_text.substr(0, m_at));
        if (m_text[m_at] == ';')
            return refuse(said("fields are separated by a semicolon"),
                          said("separate them by commas"));
        return refuse(said("nothing may follow %1", whole), said("write %1", whole));
    }

private:
    bool refuse(const Sentence& text, const Sentence& repair)
    {
        m_flaw.text = text;
        m_flaw.repair = repair;
        return false;
    }

    std::string_view digits()
    {
        const std::size_t start = m_at;
        while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9')
            ++m_at;
        return m_text.substr(start, m_at - start);
    }

    bool scanAction(TorchAction& action)
    {
        const std::string_view stage = digits();
        if (stage.empty()) {
            return refuse(said("the stage number is missing"),
                          said("write stage, type and micro-batch, as in 2F0"));
        }
        const auto stageNumber = parseNumber(stage);
        if (!stageNumber)
            return refuse(said("the stage number is above 2147483647"), said("give a smaller one"));
        action.stage = StageId(*stageNumber);
        if (!scanType(action.kind))
            return false;
        const std::string head = std::to_string(action.stage) + std::string(name(action.kind));
        const std::string_view microBatch = digits();
        if (!hasMicroBatch(action.kind)) {
            if (microBatch.empty())
                return true;
            return refuse(said("%1 has no micro-batch number", name(action.kind)),
                          said("write %1", head));
        }
        if (microBatch.empty())
            return refuse(said("the micro-batch number is missing"),
                          said("write %10 or another", head));
        const auto number = parseNumber(microBatch);
        if (!number)
            return refuse(said("the micro-batch number is above 2147483647"),
                          said("give a smaller one"));
        action.microBatch = *number;
        return true;
    }

    bool scanType(TorchKind& kind)
    {
        for (const Keyword& keyword : keywords) {
            if (m_text.substr(m_at, keyword.text.size()) != keyword.text)
                continue;
            if (m_older && !keyword.older) {
                return refuse(said("the older dialect has no %1", keyword.text),
                              said("read the file in the current one"));
            }
            m_flaw.sawFused |= keyword.text == "BW";
            kind = m_older ? *keyword.older : keyword.current;
            m_at += keyword.text.size();
            return true;
        }
        return refuse(said("unknown type"), said("types are F, I, B, W, SEND_F, RECV_F, SEND_B, "
                                                 "RECV_B, UNSHARD, RESHARD and REDUCE_GRAD"));
    }

    bool scanPair(TorchField& field)
    {
        constexpr std::string_view form = "write it as (0F3;3B1)OVERLAP_F_B";
        field.shape = TorchField::Shape::Pair;
        ++m_at;
        if (!scanAction(field.first))
            return false;
        if (m_at >= m_text.size() || m_text[m_at] != ';')
            return refuse(said("a pair has two passes"), std::string(form));
        ++m_at;
        if (!scanAction(field.second))
            return false;
        if (m_text.substr(m_at) != ")OVERLAP_F_B") {
            return m_at < m_text.size() && m_text[m_at] == ';'
                       ? refuse(said("a pair of more than two passes"), said("split it"))
                       : refuse(said("a pair ends with )OVERLAP_F_B"), std::string(form));
        }
        auto backward = [](const TorchAction& action) {
            return action.kind == TorchKind::I || action.kind == TorchKind::B;
        };
        const bool oneEach = (field.first.kind == TorchKind::F && backward(field.second)) ||
                             (field.second.kind == TorchKind::F && backward(field.first));
        if (!oneEach)
            return refuse(said("a pair is one F and one B or I"), std::string(form));
        return true;
    }

    std::string_view m_text;
    bool m_older;
    std::size_t m_at = 0;
    FieldFlaw m_flaw;
};

/// The repair for a field that a small change would make readable; else the scanner's own.
std::string repairOf(std::string_view cell, bool older, const FieldFlaw& flaw)
{
    std::string mended;
    for (const char c : cell) {
        if (c != ' ' && c != '\t')
            mended += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    TorchField field;
    if (mended != cell && FieldScanner(mended, older).scan(field))
        return "write " + mended;
    return flaw.repair;
}

} // namespace

FieldFlaw readTorchField(std::string_view cell, bool older, TorchField& field)
{
    FieldScanner scanner(cell, older);
    FieldFlaw flaw;
    if (!scanner.scan(field)) {
        flaw = scanner.flaw();
        flaw.repair = repairOf(cell, older, flaw);
    }
    flaw.sawFused = scanner.flaw().sawFused;
    return flaw;
}

} // namespace pw
