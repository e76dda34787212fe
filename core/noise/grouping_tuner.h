// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <vector>

namespace pw {

/// Chooses a pair of k and micro-batch from what links were found to take alone, in the simulator
/// and in real trainings: the one that is best on the links of the last iteration, or, where that
/// rule has lost time because the network had changed again soon, the one that would have been best
/// for all iterations so far.
class GroupingTuner
{
public:
    /// An iteration was run.
    /// @param times  ticks that every pair takes on the links as they were in it; as many each time
    void ran(const std::vector<double>& times);
    void choose();

    /// Which pair goes on; 0 before the first choice.
    std::size_t pair() const { return m_pair; }

private:
    std::vector<double> m_now;     // of the last iteration
    std::vector<double> m_staying; // by pair, of all iterations so far
    double m_following = 0;        // the same of the pair that was best at each choice
    std::size_t m_last = 0;        // that one
    std::size_t m_pair = 0;
};

/// Whether there is a choice behind so many iterations: behind the first one, and then every
/// `every`.
inline bool choosesBehind(int iterations, int every)
{
    return iterations == 1 || (iterations > 0 && iterations % every == 0);
}

} // namespace pw
