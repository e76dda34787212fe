// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/png_line.h"

#include <zlib.h>

#include <array>
#include <cstdint>

namespace pw {

namespace {

void append(std::string& out, std::uint32_t number)
{
    for (const unsigned shift : {24U, 16U, 8U, 0U})
        out += static_cast<char>(number >> shift & 0xFFU);
}

/// Length, name, data and the sum of both. @source PNG specification §5.3
void appendChunk(std::string& out, const std::string& name, const std::string& data)
{
    append(out, static_cast<std::uint32_t>(data.size()));
    const std::string body = name + data;
    out += body;
    append(out, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(body.data()),
                                                 static_cast<uInt>(body.size()))));
}

} // namespace

std::string pngOf(const std::vector<Rgb>& pixels)
{
    std::string head;
    append(head, static_cast<std::uint32_t>(pixels.size()));
    append(head, 1);
    head += std::string("\x08\x02\x00\x00\x00", 5); // 8 bits each of red, green and blue
    std::string line(1, '\0');                      // no filter
    for (const Rgb pixel : pixels)
        for (const std::uint8_t part : {pixel.red, pixel.green, pixel.blue})
            line += static_cast<char>(part);
    uLongf size = compressBound(static_cast<uLong>(line.size()));
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size,
             reinterpret_cast<const Bytef*>(line.data()), static_cast<uLong>(line.size()));
    packed.resize(size);
    std::string out = "\x89PNG\r\n\x1a\n";
    appendChunk(out, "IHDR", head);
    appendChunk(out, "IDAT", packed);
    appendChunk(out, "IEND", {});
    return out;
}

std::string base64(const std::string& bytes)
{
    constexpr const char* letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t j = 0; j < 3; ++j)
            three = three << 8U |
                    (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            out += i + j <= bytes.size() ? letters[three >> (18U - 6U * j) & 63U] : '=';
    }
    return out;
}

} // namespace pw
