// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pw::exec {

// The text that runs learn from: sentences of a small made-up language, drawn as they are needed.
// The language depends on the size of the vocabulary alone; seed and index decide which of its
// sentences come, the same on every platform.
//
// From 14 tokens on there are three kinds of sentence, which a model learns one after the other:
//   statements  "many old cats that this dog sees chase a mouse ." Noun and verb agree in number,
//               also across the clause between them; who does what is not arbitrary either.
//   copying     "say big red wise again big red wise ."
//   counting    "count three one two three ."
// With 64 tokens, the size that runs have unless told otherwise, they are English words. With more
// or fewer, word classes grow and shrink alike. With fewer than 14, each token is the next number,
// beginning again after the last, but for one in eight, which is any number.

/// A text of so many tokens, from 0 to `vocabulary` − 1, that begins with a sentence.
///
/// A micro-batch's sample takes its inputs and its targets from it: `length` is one more than the
/// sequence.
/// @pre vocabulary is 2 or more, below 2³¹; length 1 or more
std::vector<std::int32_t> sample(std::uint64_t seed, std::int64_t index, int length,
                                 int vocabulary);

/// Tokens for people: words with 64 tokens, else a class with a number ("noun3") or the number
/// alone.
std::string textOf(std::span<const std::int32_t> tokens, int vocabulary);

} // namespace pw::exec
