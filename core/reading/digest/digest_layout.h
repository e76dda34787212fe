// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/collective_call.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace pw {

// What writer and reader of a digest have in common.

constexpr int digestVersion = 4;
/// A digest that was made without a person's rules says none, and earlier programs read it.
constexpr int plainDigestVersion = 3;
/// Its files are not known by path, machine and content; all else is the same.
constexpr int oldestDigestVersion = 2;

/// More is neither written nor read; a digest is some kilobytes.
constexpr std::int64_t mostDigestBytes = std::int64_t{64} << 20;

/// Bytes of a single text in it: a list of 65,536 bytes of ranks fits.
constexpr std::size_t longestDigestText = std::size_t{128} << 10;

// How many numbers describe one of each, in the lists of a digest.
namespace digest_numbers {

constexpr std::size_t said = 10, span = 7, label = 10, call = 8, sum = 6, step = 3, peak = 3;
constexpr std::size_t track = 3, process = 6, group = 2;

/// Which end of a message it is: 1 sends, 2 receives. With a peer 0 receives, as earlier programs
/// write and read it.
constexpr int endNumber(MessageEnd end, std::int32_t peer)
{
    return peer >= 0 && end == MessageEnd::Receives ? 0 : static_cast<int>(end);
}
constexpr MessageEnd endOf(int number, std::int32_t peer)
{
    return peer >= 0 && number == 0 ? MessageEnd::Receives : static_cast<MessageEnd>(number);
}

} // namespace digest_numbers

/// A key as it stands in a digest: 16 digits.
std::string digestKey(std::uint64_t key);

} // namespace pw
