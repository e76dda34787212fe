// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/packing/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace pw {

/// Whether the head of a text is an event a line without brackets around them: Paddle's records of
/// one rank, or the wire of a run of Pipewright.
bool looksLikeEventLines(std::string_view head);

/// Such a text as an array of events: "[" in front, a comma in place of every line end between two
/// objects, "]" behind. A byte stands one place behind where it stands in the file.
class EventLines : public ByteSource
{
public:
    explicit EventLines(std::unique_ptr<ByteSource> source)
        : m_source(std::move(source))
    {
    }
    std::size_t read(char* buffer, std::size_t size) override;

    /// The place in the file of a place in the array.
    static constexpr std::int64_t shift = 1;

private:
    /// The next byte of the file, or −1 at its end.
    int peek();

    std::unique_ptr<ByteSource> m_source;
    std::string m_chunk;
    std::size_t m_at = 0;
    char m_last = '['; // that is not a blank
    bool m_begun = false;
    bool m_ended = false;
};

} // namespace pw
