// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace pw {

/// Answers that were found, kept by their question; threads share them. For answers that never
/// change: two threads may look for the same one at once, and find the same.
template<typename Key, typename Value>
class FoundAnswers
{
public:
    /// @param most  answers that are kept; beyond them all are forgotten
    explicit FoundAnswers(std::size_t most = 20'000)
        : m_most(most)
    {
    }

    template<typename Make>
    Value of(const Key& key, const Make& make)
    {
        {
            const std::lock_guard lock(m_mutex);
            if (const auto found = m_answers.find(key); found != m_answers.end())
                return found->second;
        }
        const Value made = make();
        const std::lock_guard lock(m_mutex);
        if (m_answers.size() >= m_most)
            m_answers.clear();
        m_answers.emplace(key, made);
        return made;
    }

private:
    std::size_t m_most;
    std::mutex m_mutex;
    std::map<Key, Value> m_answers;
};

} // namespace pw
