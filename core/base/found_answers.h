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
    /// @param most  answers that are kept, or their sizes together; beyond it all are forgotten
    explicit FoundAnswers(std::size_t most = 20'000)
        : m_most(most)
    {
    }

    template<typename Make>
    Value of(const Key& key, const Make& make)
    {
        return of(
            key, make, [] { return true; }, [](const Value&) { return std::size_t{1}; });
    }

    /// @param whole   asked after `make`: whether its answer is one to keep
    /// @param sizeOf  an answer, in what `most` is counted in
    template<typename Make, typename Whole, typename SizeOf>
    Value of(const Key& key, const Make& make, const Whole& whole, const SizeOf& sizeOf)
    {
        {
            const std::lock_guard lock(m_mutex);
            if (const auto found = m_answers.find(key); found != m_answers.end())
                return found->second;
        }
        const Value made = make();
        if (!whole())
            return made;
        const std::size_t size = sizeOf(made);
        const std::lock_guard lock(m_mutex);
        if (m_size + size > m_most) {
            m_answers.clear();
            m_size = 0;
        }
        if (m_answers.emplace(key, made).second)
            m_size += size;
        return made;
    }

private:
    std::size_t m_most;
    std::size_t m_size = 0;
    std::mutex m_mutex;
    std::map<Key, Value> m_answers;
};

} // namespace pw
