// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/packing/begun_content.h"

#include "core/base/try.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pw {

struct BegunContent::Held
{
    Open open;
    std::string head;
    bool whole = false;               ///< nothing is behind it
    std::unique_ptr<ByteSource> rest; ///< behind the head; null: it was handed out
    std::string& failure;

    /// What is behind the head; null where it cannot be opened again.
    std::unique_ptr<ByteSource> behind()
    {
        if (rest != nullptr)
            return std::move(rest);
        Result<std::unique_ptr<ByteSource>> again = open();
        if (!again) {
            failure = again.error().message.english();
            return nullptr;
        }
        std::array<char, 4096> passed{};
        for (std::size_t left = head.size(); left > 0;) {
            const std::size_t count = (*again)->read(passed.data(), std::min(left, passed.size()));
            if (count == 0)
                break; // the file has become shorter
            left -= count;
        }
        return std::move(*again);
    }
};

class BegunContent::Source : public ByteSource
{
public:
    explicit Source(std::shared_ptr<Held> held)
        : m_held(std::move(held))
    {
    }

    std::size_t read(char* buffer, std::size_t size) override
    {
        const std::size_t left = m_held->head.size() - m_at;
        if (left > 0) {
            const std::size_t count = std::min(size, left);
            std::copy_n(m_held->head.data() + m_at, count, buffer);
            m_at += count;
            return count;
        }
        if (m_held->whole)
            return 0;
        if (!std::exchange(m_goesOn, true))
            m_rest = m_held->behind();
        return m_rest == nullptr ? 0 : m_rest->read(buffer, size);
    }

private:
    std::shared_ptr<Held> m_held;
    std::size_t m_at = 0; // of the head
    bool m_goesOn = false;
    std::unique_ptr<ByteSource> m_rest;
};

Result<BegunContent> BegunContent::open(Open open, std::size_t size, std::string& failure)
{
    PW_TRY(std::unique_ptr<ByteSource> source, open());
    // One byte more tells whether that is all.
    std::string head = headOf(*source, size + 1);
    const bool whole = head.size() <= size;
    auto held = std::make_shared<Held>(
        Held{std::move(open), std::move(head), whole, std::move(source), failure});
    return BegunContent(std::move(held));
}

std::unique_ptr<ByteSource> BegunContent::source() const
{
    return std::make_unique<Source>(m_held);
}

} // namespace pw
