// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pw {

/// The kernels of a pass in their order: numbers of names. Passes of a kind on a stage have mostly
/// one word.
using PassWord = std::vector<std::int32_t>;

/// How alike two words are, whatever their order: 0 nothing in common, 1 the same kernels.
double likeness(const PassWord& a, const PassWord& b);

/// Whether a word ends, or begins, with another that is shorter or the same.
bool endsWith(const PassWord& word, const PassWord& end);
bool beginsWith(const PassWord& word, const PassWord& begin);

/// Ends of passes in a word, from the first one on.
using WordCuts = std::vector<std::size_t>;

/// Cuts a word into passes with these words, the longest that goes first; none where it does not
/// go.
/// @param count  of passes; 0: as many as there are
/// @param more   something else may stand behind the last
std::optional<WordCuts> cutByWords(const PassWord& word, const std::set<PassWord>& known,
                                   std::size_t count, bool more);

/// Cuts the begin of a word into equal parts that all have the same kernels, the longest there are.
/// @param count  of parts, at least 2
std::optional<WordCuts> cutByRepeats(const PassWord& word, std::size_t count);

/// How many kernels at the begin of a word hold another in its order, with others between its own,
/// at most half as many; 0: it is not there.
std::size_t spreadIn(const PassWord& word, const PassWord& sought);

/// What is known of the kernels of forwards and backwards from passes that stand alone.
class PassWords
{
public:
    /// @param names  of the trace: autograd's words in them tell what no pass does
    explicit PassWords(const std::vector<std::string>& names)
        : m_names(names)
    {
    }

    void learn(const PassWord& word, bool forward);

    /// Kernels of the longest backward that a word begins with; 0: of none that is known.
    std::size_t backwardAt(const PassWord& word) const;

    /// Where the backward of a word begins that is a forward and a backward behind it.
    struct Cut
    {
        std::size_t at = 0;
        /// Kernels from `from` to `to` may be of either; the same: none.
        std::size_t from = 0;
        std::size_t to = 0;
    };
    /// The place with the fewest kernels on the wrong side; of several the one between a forward
    /// and a backward of other stages, else the middle. None where more than one kernel in 20 is on
    /// the wrong side, where half of them may be of either, or where nothing is known of any.
    std::optional<Cut> cutPair(const PassWord& word) const;

private:
    /// −1 a forward's, 1 a backward's, 0 either's.
    int sideOf(std::int32_t name) const;

    const std::vector<std::string>& m_names;
    std::map<std::int32_t, std::pair<bool, bool>> m_seen; // in forwards, in backwards; by name
    std::set<PassWord> m_forwards, m_backwards;
};

/// Which pass the name of a kernel says, by autograd's words: −1 a forward ("flash_fwd_kernel"), 1
/// a backward ("…bwd…", "GeluBackward", "dgrad", "wgrad"), 0 none or both.
int passSaidBy(const std::string& kernel);

} // namespace pw
