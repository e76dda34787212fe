// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace pw::app {

/// The way out of the program: what is written to a terminal, a pipe or a file passes it, so that
/// no command can forget that names, titles and notes come from anyone.
///
/// Text passes as `displayLines` shows it. Of escape sequences only the colours of `Screen` pass,
/// and these only where colours are on. JSON passes unchanged in meaning: what is spelled out is
/// spelled as JSON does.
class SafeOutput : public std::streambuf
{
public:
    explicit SafeOutput(std::ostream& target)
        : m_target(target)
    {
    }
    /// Bytes of a character that never came are written as "�".
    ~SafeOutput() override;

    void allowColors(bool allow) { m_colors = allow; }

    /// Writes to a stream whose text passes here what does not: the program's own codes.
    static void writeCode(std::ostream& out, std::string_view code);

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;

private:
    void put(std::string_view text);
    std::size_t colorLength(std::string_view text) const;

    std::ostream& m_target;
    bool m_colors = false;
    std::string m_rest; ///< the beginning of a character or a colour
};

} // namespace pw::app
