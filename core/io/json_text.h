// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// Writes JSON for programs that people also look at: a value a line, small objects on one line.
///
/// Numbers are the shortest text that reads back as the same number.
class JsonText
{
public:
    enum class Layout
    {
        Lines,
        OneLine
    };

    void beginObject(Layout layout = Layout::Lines) { begin('{', layout); }
    void endObject() { end('}'); }
    void beginArray(Layout layout = Layout::Lines) { begin('[', layout); }
    void endArray() { end(']'); }
    /// Name of the next value of an object.
    void key(std::string_view name);

    void value(double number);
    void value(std::int64_t number);
    void value(int number) { value(static_cast<std::int64_t>(number)); }
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(bool truth);
    void null();

    template<typename T>
    void member(std::string_view name, T v)
    {
        key(name);
        value(v);
    }

    /// A list of whole numbers in one line.
    template<typename T>
    void numbers(std::string_view name, const std::vector<T>& values)
    {
        key(name);
        beginArray(Layout::OneLine);
        for (const T v : values)
            value(static_cast<std::int64_t>(v));
        endArray();
    }

    /// The text, with a line end. @pre every begin has its end
    std::string text() const { return m_text + "\n"; }

private:
    struct Level
    {
        Layout layout = Layout::Lines;
        bool empty = true;
    };

    void begin(char bracket, Layout layout);
    void end(char bracket);
    void separate();
    void quote(std::string_view text);

    std::string m_text;
    std::vector<Level> m_levels;
    bool m_afterKey = false;
};

} // namespace pw
