// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/fault.h"

#include "core/base/text.h"

#include <array>
#include <charconv>
#include <span>
#include <string>
#include <vector>

namespace pw::exec {

namespace {

struct KindName
{
    std::string_view name;
    FaultKind kind;
};

constexpr std::array<KindName, 7> kinds = {{{"throw", FaultKind::Throw},
                                            {"stall", FaultKind::Stall},
                                            {"wrong-tag", FaultKind::WrongTag},
                                            {"lose-message", FaultKind::LoseMessage},
                                            {"die", FaultKind::Die},
                                            {"out-of-memory", FaultKind::OutOfMemory},
                                            {"skip-weight", FaultKind::SkipWeight}}};

/// Reads a fault piece by piece; what is left of the text is what has not been understood yet.
class Reader
{
public:
    explicit Reader(std::string_view text)
        : m_text(text)
        , m_rest(text)
    {
    }

    Result<InjectedFault> read()
    {
        InjectedFault fault;
        if (auto kind = readKind(fault.kind); !kind)
            return fail(kind.error());
        if (auto pass = readPassKind(fault.pass.kind); !pass)
            return fail(pass.error());
        if (auto number = readNumber("the micro-batch", fault.pass.microBatch); !number)
            return fail(number.error());
        if (auto stage = readAfter('.', "the stage", fault.pass.stage.value); !stage)
            return fail(stage.error());
        if (auto segment = readAfter('/', "the segment", fault.pass.segment); !segment)
            return fail(segment.error());
        if (auto iteration = readAfter('@', "the iteration", fault.iteration); !iteration)
            return fail(iteration.error());
        if (!m_rest.empty())
            return wrong("'" + std::string(m_rest) + "' is left over");
        return fault;
    }

private:
    tl::unexpected<Error> wrong(const std::string& why) const
    {
        return fail(ErrorCode::Syntax, "fault '%1': %2", m_text, why);
    }

    Result<void> readKind(FaultKind& kind)
    {
        const std::size_t colon = m_rest.find(':');
        const std::string_view word = m_rest.substr(0, colon);
        std::vector<std::string> names;
        for (const KindName& one : kinds) {
            if (colon != std::string_view::npos && one.name == word) {
                kind = one.kind;
                m_rest.remove_prefix(colon + 1);
                return {};
            }
            names.emplace_back(one.name);
        }
        if (colon == std::string_view::npos)
            return wrong("expected a kind, a colon and a pass, as in stall:F3.1");
        std::string why = "'" + std::string(word) + "' is not a kind of fault";
        if (const std::string meant = nearest(word, names); !meant.empty())
            return wrong(why + "; is '" + meant + "' meant?");
        why += ": there are";
        for (const std::string& one : names)
            why += (&one == &names.front() ? " " : ", ") + one;
        return wrong(why);
    }

    Result<void> readPassKind(PassKind& kind)
    {
        const std::size_t end = std::min(m_rest.find_first_not_of("FBWRU"), m_rest.size());
        for (const PassKind one : allPassKinds) {
            if (name(one) != m_rest.substr(0, end))
                continue;
            kind = one;
            m_rest.remove_prefix(end);
            return {};
        }
        return wrong("'" + std::string(m_rest) + "' does not begin with F, B, W, BW, R or U");
    }

    Result<void> readNumber(const std::string& what, std::int32_t& number)
    {
        const char* const begin = m_rest.data();
        const auto [end, problem] = std::from_chars(begin, begin + m_rest.size(), number);
        if (problem != std::errc() || (number < 0 && what != "the iteration"))
            return wrong(what + " is not a number in '" + std::string(m_rest) + "'");
        m_rest.remove_prefix(static_cast<std::size_t>(end - begin));
        return {};
    }

    Result<void> readAfter(char sign, const std::string& what, std::int32_t& number)
    {
        if (m_rest.empty() || m_rest.front() != sign)
            return {};
        m_rest.remove_prefix(1);
        return readNumber(what, number);
    }

    std::string_view m_text;
    std::string_view m_rest;
};

} // namespace

Result<InjectedFault> parseFault(std::string_view text)
{
    return Reader(text).read();
}

} // namespace pw::exec
