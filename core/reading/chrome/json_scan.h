// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/json.h"
#include "core/reading/packing/scan_window.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pw {

/// Hands sound JSON of any length to a handler, as RapidJSON's reader does with
/// `jsonStreamFlags`: the same calls with the same texts, numbers as text. Whole stretches of a
/// text are looked at together, which is what makes it faster.
///
/// It says only whether the text is sound. What is wrong with another one, and how it is mended,
/// is for the readers that look at every byte.
///
/// @tparam Handler  as of RapidJSON; a call that returns false ends the scan as unsound
template<typename Handler>
class JsonScan
{
public:
    /// @param goOn  asked before every piece of the source; false ends the scan; may be empty
    JsonScan(ByteSource& source, Handler& handler, std::function<bool()> goOn)
        : m_window(source, std::move(goOn))
        , m_handler(handler)
    {
    }

    /// Whether `goOn` has said no.
    bool stopped() const { return m_window.stopped(); }

    /// @return  whether the source is one JSON value, and the handler took all of it
    bool run()
    {
        m_window.skipMark();
        for (bool sound = value(); sound;) {
            // Behind a value.
            if (m_inside.empty())
                return m_window.peekBehindSpace() == 0 && m_window.ended();
            const char c = m_window.peekBehindSpace();
            const bool object = m_inside.back().object;
            if (c == ',') {
                m_window.pass();
                sound = object ? member() : value();
            } else if (c == (object ? '}' : ']')) {
                m_window.pass();
                sound = leave();
            } else {
                return false;
            }
        }
        return false;
    }

private:
    struct Inside
    {
        bool object = false;
        std::uint32_t count = 0;
    };

    /// A value, or the beginning of one that holds others, with the first of those where there is
    /// one; what follows is behind a value.
    bool value()
    {
        for (;;) {
            if (!m_inside.empty() && !m_inside.back().object)
                ++m_inside.back().count;
            const char c = m_window.peekBehindSpace();
            switch (c) {
            case '{':
                m_window.pass();
                if (!enter(true) || !m_handler.StartObject())
                    return false;
                if (m_window.peekBehindSpace() == '}') {
                    m_window.pass();
                    return leave();
                }
                if (!key())
                    return false;
                continue;
            case '[':
                m_window.pass();
                if (!enter(false) || !m_handler.StartArray())
                    return false;
                if (m_window.peekBehindSpace() == ']') {
                    m_window.pass();
                    return leave();
                }
                continue;
            case '"':
                return text([this](const char* begin, std::size_t length) {
                    return m_handler.String(begin, static_cast<rapidjson::SizeType>(length), true);
                });
            case 't':
                return m_window.word("true") && m_handler.Bool(true);
            case 'f':
                return m_window.word("false") && m_handler.Bool(false);
            case 'n':
                return m_window.word("null") && m_handler.Null();
            default:
                return number();
            }
        }
    }

    bool member() { return key() && value(); }

    bool key()
    {
        ++m_inside.back().count;
        if (m_window.peekBehindSpace() != '"')
            return false;
        const bool taken = text([this](const char* begin, std::size_t length) {
            return m_handler.Key(begin, static_cast<rapidjson::SizeType>(length), true);
        });
        if (!taken || m_window.peekBehindSpace() != ':')
            return false;
        m_window.pass();
        return true;
    }

    bool enter(bool object)
    {
        // The handler has the last word on how deep it may be.
        if (m_inside.size() > deepestJson)
            return false;
        m_inside.push_back({object, 0});
        return true;
    }

    bool leave()
    {
        const Inside one = m_inside.back();
        m_inside.pop_back();
        return one.object ? m_handler.EndObject(one.count) : m_handler.EndArray(one.count);
    }

    template<typename Take>
    bool text(const Take& take)
    {
        const char* begin = nullptr;
        std::size_t length = 0;
        bool escaped = false;
        if (!m_window.text(begin, length, escaped))
            return false;
        if (!escaped)
            return take(begin, length);
        return unescaped(begin, length, m_plain) && take(m_plain.data(), m_plain.size());
    }

    bool number()
    {
        const char* begin = nullptr;
        std::size_t length = 0;
        return m_window.number(begin, length) &&
               m_handler.RawNumber(begin, static_cast<rapidjson::SizeType>(length), true);
    }

    ScanWindow m_window;
    Handler& m_handler;
    std::vector<Inside> m_inside;
    std::string m_plain;
};

} // namespace pw
