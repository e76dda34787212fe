// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/mended_text.h"

#include <algorithm>
#include <utility>

namespace pw {

namespace {

constexpr std::size_t chunk = 1U << 16;
/// Guessed brackets after which the text is not JSON at all.
constexpr std::size_t mostDoubts = 1000;

} // namespace

MendedText::MendedText(ByteSource& source, TraceRepairs& repairs, std::int32_t file,
                       std::int64_t shift)
    : m_source(source)
    , m_repairs(repairs)
    , m_file(file)
    , m_shift(shift)
    , m_inBase(shift)
{
}

/// Reads on until that many characters are there, or the input ends.
void MendedText::reach(std::size_t ahead)
{
    while (m_next + ahead >= m_in.size() && !m_inputEnded) {
        m_in.erase(0, m_next);
        m_inBase += static_cast<std::int64_t>(m_next);
        m_next = 0;
        const std::size_t had = m_in.size();
        m_in.resize(had + chunk);
        const std::size_t count = m_source.read(m_in.data() + had, chunk);
        m_in.resize(had + count);
        m_inputEnded = count == 0;
    }
}

void MendedText::skipBlanks()
{
    while (isBlank(at(0)))
        while (m_next < m_in.size() && isBlank(m_in[m_next]))
            ++m_next;
}

void MendedText::pass(std::size_t count)
{
    m_out.append(m_in, m_next, count);
    take(count);
}

void MendedText::forgetGiven()
{
    m_outBase += static_cast<std::int64_t>(m_given);
    m_out.erase(0, m_given);
    m_given = 0;
}

std::size_t MendedText::give(char* buffer, std::size_t size)
{
    const std::size_t count = std::min(size, ready());
    std::copy_n(m_out.data() + m_given, count, buffer);
    m_given += count;
    return count;
}

std::int64_t MendedText::position() const
{
    return m_outBase + static_cast<std::int64_t>(m_out.size());
}

void MendedText::repaired(std::string text, bool doubt)
{
    std::int64_t place = m_inBase + static_cast<std::int64_t>(m_next);
    if (m_inputEnded)
        place = std::min(place, m_inBase + static_cast<std::int64_t>(m_in.size()) +
                                    std::min<std::int64_t>(m_shift, 0));
    if (doubt && m_doubts.size() >= mostDoubts) {
        m_failure = "byte " + std::to_string(place) +
                    ": too damaged to be read as JSON; a bracket or comma is wrong in more than " +
                    std::to_string(mostDoubts) + " places";
        return;
    }
    if (doubt)
        m_doubts.push_back(position());
    m_repairs.add({m_file, place, std::move(text)});
}

void MendedText::fail(const std::string& why)
{
    m_failure = "byte " + std::to_string(m_inBase + static_cast<std::int64_t>(m_next)) + ": " + why;
}

void MendedText::cutHere(std::int64_t back)
{
    if (!cut())
        m_cutAt = position() - back;
}

bool MendedText::doubtful(std::int64_t from, std::int64_t to) const
{
    const auto doubt = std::lower_bound(m_doubts.begin(), m_doubts.end(), from);
    return (doubt != m_doubts.end() && *doubt <= to) || (m_cutAt >= 0 && to > m_cutAt);
}

} // namespace pw
