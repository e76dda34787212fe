// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/json.h"
#include "core/reading/chrome/key_paths.h"
#include "core/reading/packing/scan_window.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace pw {

/// What a handler makes of a key where it says that by `meaningOf`: it is then asked once for a key
/// that comes again and again, and takes the key with its meaning. It must take whatever meaning
/// the key had elsewhere, and see whether it still is the right one.
template<typename Handler>
struct KeyMeaningOf
{
    struct Meaning
    {
    };
    static Meaning of(const Handler& /*handler*/, std::string_view /*key*/) { return {}; }
    static bool take(Handler& handler, const Meaning& /*meaning*/, std::string_view key)
    {
        return handler.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()), true);
    }
};

template<typename Handler>
requires requires(const Handler& handler, std::string_view key)
{
    handler.meaningOf(key);
}
struct KeyMeaningOf<Handler>
{
    using Meaning = typename Handler::KeyMeaning;
    static Meaning of(const Handler& handler, std::string_view key)
    {
        return handler.meaningOf(key);
    }
    static bool take(Handler& handler, const Meaning& meaning, std::string_view key)
    {
        return handler.takeKey(meaning, key);
    }
};

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
            if (m_depth == 0)
                return m_window.peekBehindSpace() == 0 && m_window.ended();
            Inside& in = m_inside[m_depth];
            if (!in.object)
                sound = goOnInArray();
            else if (const Place known = m_keys.behind(in.key, m_window.next());
                     known != Keys::root)
                sound = knownKey(known) && value();
            else
                sound = goOnInObject();
        }
        return false;
    }

private:
    using Meanings = KeyMeaningOf<Handler>;
    using Keys = KeyPaths<typename Meanings::Meaning>;
    using Place = typename Keys::Place;

    struct Inside
    {
        bool object = false;
        Place key =
            Keys::root; ///< the last one of an object; the one that an array is the value of
        std::uint32_t count = 0;
    };

    bool goOnInArray()
    {
        const char c = m_window.peekBehindSpace();
        if (c != ',' && c != ']')
            return false;
        m_window.pass();
        return c == ',' ? value() : leave();
    }

    bool goOnInObject()
    {
        const Mark before = here();
        const char c = m_window.peekBehindSpace();
        if (c != ',' && c != '}')
            return false;
        m_window.pass();
        return c == ',' ? key(before, false) && value() : leave();
    }

    /// A value, or the beginning of one that holds others, with the first of those where there is
    /// one; what follows is behind a value.
    bool value()
    {
        for (;;) {
            if (!m_inside[m_depth].object)
                ++m_inside[m_depth].count;
            const char c = m_window.peekBehindSpace();
            switch (c) {
            case '{':
                m_window.pass();
                if (!enter(true) || !m_handler.StartObject())
                    return false;
                if (const Place known = m_keys.inside(m_inside[m_depth].key, m_window.next());
                    known != Keys::root) {
                    if (!knownKey(known))
                        return false;
                    continue;
                }
                if (const Mark before = here(); m_window.peekBehindSpace() != '}') {
                    if (!key(before, true))
                        return false;
                    continue;
                }
                m_window.pass();
                return leave();
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

    /// A place in the window while it is not read on.
    struct Mark
    {
        const char* at = nullptr;
        std::uint64_t pieces = 0;
    };
    Mark here() const { return {m_window.next(), m_window.pieces()}; }

    /// A key that is where it is expected.
    bool knownKey(Place known)
    {
        Inside& in = m_inside[m_depth];
        in.key = known;
        ++in.count;
        m_window.pass(m_keys.length(known));
        return Meanings::take(m_handler, m_keys.meaning(known), m_keys.name(known));
    }

    /// @param before  where the value before it ends, or its object begins
    /// @param first   it is the first of its object
    bool key(const Mark& before, bool first)
    {
        Inside& in = m_inside[m_depth];
        ++in.count;
        if (m_window.peekBehindSpace() != '"')
            return false;
        const char* begin = nullptr;
        std::size_t length = 0;
        bool escaped = false;
        if (!m_window.text(begin, length, escaped) ||
            (escaped && !unescaped(begin, length, m_plain)))
            return false;
        const std::string_view name =
            escaped ? std::string_view(m_plain) : std::string_view(begin, length);
        const auto meaning = Meanings::of(m_handler, name);
        if (!Meanings::take(m_handler, meaning, name) || m_window.peekBehindSpace() != ':')
            return false;
        m_window.pass();
        const bool whole = !escaped && m_window.pieces() == before.pieces;
        in.key =
            whole ? m_keys.learn(in.key, first,
                                 {before.at, static_cast<std::size_t>(m_window.next() - before.at)},
                                 static_cast<std::size_t>(begin - before.at), length, meaning)
                  : Keys::lost;
        return true;
    }

    bool enter(bool object)
    {
        // The handler has the last word on how deep it may be.
        if (m_depth > deepestJson)
            return false;
        const Place key = m_inside[m_depth].key;
        m_inside[++m_depth] = {object, key, 0};
        return true;
    }

    bool leave()
    {
        const Inside& one = m_inside[m_depth--];
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
    std::array<Inside, deepestJson + 2> m_inside{}; ///< the first is around all
    std::size_t m_depth = 0;
    Keys m_keys;
    std::string m_plain;
};

} // namespace pw
