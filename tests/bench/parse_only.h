// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/json.h"
#include "core/reading/packing/chunk_stream.h"

#include <cstdint>

namespace pw::bench {

/// How fast the bytes of a source alone can be parsed: the reader of traces without any event made.
/// @return values seen, or −1 where it is not sound JSON
inline std::int64_t parseOnly(ByteSource& source)
{
    struct Counter : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Counter>
    {
        std::int64_t values = 0;
        bool Default()
        {
            ++values;
            return true;
        }
    };
    ChunkStream stream(source, {});
    Counter counter;
    JsonStreamParser parser;
    return parser.Parse<jsonStreamFlags>(stream, counter) ? counter.values : -1;
}

} // namespace pw::bench
