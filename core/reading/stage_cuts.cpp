// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/stage_cuts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace pw {

namespace {

/// More alike than this, words do not tell two kinds of passes apart.
constexpr double sameKind = 0.95;

/// A pass is at least this like others of its kind: the first backward of a step has no gradients
/// to add to, the last one may prepare the update. With gradients of weights before it, which run
/// apart, a forward is less like others.
constexpr double likeOthers = 0.8;

/// Passes of a kind differ by no more in their number of kernels; with one more it is another run.
constexpr double longer = 1.5;

StepPasses without(std::string why)
{
    StepPasses none;
    none.why = std::move(why);
    return none;
}

/// What most ranks and steps have.
class MostCommon
{
public:
    void take(PassWord word) { ++m_counts[std::move(word)]; }
    PassWord word() const
    {
        const auto most =
            std::max_element(m_counts.begin(), m_counts.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        return most == m_counts.end() ? PassWord() : most->first;
    }

private:
    std::map<PassWord, std::int64_t> m_counts;
};

void append(StepPasses& out, std::size_t from, const WordCuts& cuts, bool forward)
{
    std::size_t begin = 0;
    for (const std::size_t cut : cuts) {
        out.passes.push_back({from + begin, from + cut, forward});
        begin = cut;
    }
}

} // namespace

PassWord StageCuts::wordOf(const KernelRuns& runs, std::size_t first, std::size_t end) const
{
    PassWord word;
    word.reserve(end - first);
    for (std::size_t i = first; i < end; ++i)
        word.push_back(m_trace.spans[static_cast<std::size_t>(runs.kernels[i])].name);
    return word;
}

StageCuts::Steps StageCuts::between(const Ranks& ranks)
{
    MostCommon first, last;
    for (const KernelRuns* runs : ranks)
        for (const StepRuns& step : runs->steps)
            if (!step.runs.empty()) {
                first.take(wordOf(*runs, step.runs.front().first, step.runs.front().end));
                last.take(wordOf(*runs, step.runs.back().first, step.runs.back().end));
            }
    Steps steps;
    for (const KernelRuns* runs : ranks) {
        steps.emplace_back();
        for (const StepRuns& step : runs->steps)
            steps.back().push_back(stepBetween(*runs, step, first.word(), last.word()));
    }
    return steps;
}

StepPasses StageCuts::stepBetween(const KernelRuns& runs, const StepRuns& step,
                                  const PassWord& forward, const PassWord& backward)
{
    const bool told = std::all_of(step.runs.begin(), step.runs.end(), [](const KernelRun& run) {
        return run.to == SentTo::NextStage || run.to == SentTo::StageBefore;
    });
    StepPasses out;
    out.alike = !told && likeness(forward, backward) > sameKind;
    for (const KernelRun& run : step.runs) {
        const PassWord word = wordOf(runs, run.first, run.end);
        const double asForward = likeness(word, forward), asBackward = likeness(word, backward);
        const bool sent = run.to == SentTo::NextStage;
        const bool is = told ? sent : asForward > asBackward;
        if (!told && std::max(asForward, asBackward) < likeOthers)
            return without("kernels between two of its sends are neither like its first pass nor "
                           "like its last one");
        out.passes.push_back({run.first, run.end, is});
        if (!out.alike)
            m_words.learn(word, is);
        else
            for (const bool both : {true, false})
                m_words.learn(word, both);
    }
    if (out.passes.empty())
        return without("no kernel lies before a send");
    return out;
}

PassWord StageCuts::firstForward(const Ranks& ranks) const
{
    MostCommon found;
    for (const KernelRuns* runs : ranks)
        for (const StepRuns& step : runs->steps) {
            if (step.runs.empty())
                continue;
            PassWord word = wordOf(*runs, step.runs[0].first, step.runs[0].end);
            // What prepares the step may stand before its first forward.
            if (step.runs.size() > 1)
                if (PassWord next = wordOf(*runs, step.runs[1].first, step.runs[1].end);
                    endsWith(word, next))
                    word = std::move(next);
            found.take(std::move(word));
        }
    return found.word();
}

/// The words of backwards that stand alone before a forward.
std::set<PassWord> StageCuts::firstBackwards(const Ranks& ranks, const PassWord& forward) const
{
    MostCommon common;
    std::set<PassWord> rests;
    for (const KernelRuns* runs : ranks)
        for (const StepRuns& step : runs->steps)
            for (std::size_t i = 1; i < step.runs.size(); ++i) {
                PassWord word = wordOf(*runs, step.runs[i].first, step.runs[i].end);
                if (endsWith(word, forward))
                    word.resize(word.size() - forward.size());
                if (word.empty())
                    continue;
                common.take(word);
                rests.insert(std::move(word));
            }
    std::set<PassWord> words;
    if (rests.empty())
        return words;
    words.insert(common.word());
    const auto usual = static_cast<double>(common.word().size());
    for (const PassWord& rest : rests) {
        const auto size = static_cast<double>(rest.size());
        if (!cutByWords(rest, words, 0, false) && size < usual * longer && size > usual / longer)
            words.insert(rest);
    }
    return words;
}

StageCuts::Steps StageCuts::first(const Ranks& ranks)
{
    const PassWord forward = firstForward(ranks);
    const std::set<PassWord> backwards = firstBackwards(ranks, forward);
    if (!forward.empty())
        m_words.learn(forward, true);
    for (const PassWord& word : backwards)
        m_words.learn(word, false);
    Steps steps;
    for (const KernelRuns* runs : ranks) {
        steps.emplace_back();
        for (const StepRuns& step : runs->steps)
            steps.back().push_back(stepOfFirst(*runs, step, forward, backwards));
    }
    return steps;
}

StepPasses StageCuts::stepOfFirst(const KernelRuns& runs, const StepRuns& step,
                                  const PassWord& forward, const std::set<PassWord>& backwards)
{
    StepPasses out;
    std::size_t forwards = 0, done = 0;
    for (const KernelRun& run : step.runs) {
        PassWord word = wordOf(runs, run.first, run.end);
        const bool ends = endsWith(word, forward);
        if (!ends && (runs.endsTold || forwards == 0))
            return without("the kernels before one of its sends do not end with those of its first "
                           "forward");
        const std::size_t rest = word.size() - (ends ? forward.size() : 0);
        word.resize(rest);
        if (rest > 0 && forwards > 0) {
            const std::optional<WordCuts> cuts = cutByWords(word, backwards, 0, false);
            if (!cuts)
                return without("the kernels before one of its forwards are not those of whole "
                               "backwards");
            append(out, run.first, *cuts, false);
            done += cuts->size();
        }
        if (ends)
            out.passes.push_back({run.first + rest, run.end, true});
        forwards += ends ? 1 : 0;
    }
    if (forwards == 0 || done > forwards)
        return without("it has " + std::to_string(forwards) + " forwards and " +
                       std::to_string(done) + " backwards");
    if (done == forwards)
        return out;
    const PassWord rest = wordOf(runs, step.rest.first, step.rest.end);
    const std::optional<WordCuts> cuts = cutRest(rest, backwards, forwards - done);
    if (!cuts)
        return without("the kernels behind its last send are not those of " +
                       std::to_string(forwards - done) + " backwards");
    append(out, step.rest.first, *cuts, false);
    WordCuts::value_type begin = 0;
    for (const std::size_t cut : *cuts) {
        m_words.learn(PassWord(rest.begin() + static_cast<std::ptrdiff_t>(begin),
                               rest.begin() + static_cast<std::ptrdiff_t>(cut)),
                      false);
        begin = cut;
    }
    return out;
}

/// Behind the last backward the update may stand. Between its kernels those may stand that prepare
/// the sum of the gradients.
std::optional<WordCuts> StageCuts::cutRest(const PassWord& rest,
                                           const std::set<PassWord>& backwards,
                                           std::size_t count) const
{
    if (std::optional<WordCuts> cuts = cutByWords(rest, backwards, count, true))
        return cuts;
    if (backwards.empty() && count > 1)
        return cutByRepeats(rest, count);
    // Without a count as many are cut as there are.
    std::optional<WordCuts> before =
        count == 1 ? WordCuts() : cutByWords(rest, backwards, count - 1, true);
    if (before && !backwards.empty()) {
        const std::size_t from = before->empty() ? 0 : before->back();
        const PassWord last(rest.begin() + static_cast<std::ptrdiff_t>(from), rest.end());
        std::size_t longest = 0;
        for (const PassWord& one : backwards)
            longest = std::max(longest, spreadIn(last, one));
        if (longest == 0)
            return std::nullopt;
        before->push_back(from + longest);
        return before;
    }
    if (backwards.empty())
        if (const std::size_t known = m_words.backwardAt(rest); known > 0)
            return WordCuts{known};
    return std::nullopt;
}

StageCuts::Steps StageCuts::last(const Ranks& ranks)
{
    Steps steps;
    for (const KernelRuns* runs : ranks) {
        steps.emplace_back();
        for (const StepRuns& step : runs->steps)
            steps.back().push_back(stepOfLast(*runs, step));
    }
    return steps;
}

StepPasses StageCuts::stepOfLast(const KernelRuns& runs, const StepRuns& step)
{
    if (step.runs.empty())
        return without("no kernel lies before a send");
    std::size_t shortest = step.runs.front().size();
    for (const KernelRun& run : step.runs)
        shortest = std::min(shortest, run.size());
    const auto isLong = [shortest](const KernelRun& run) {
        return static_cast<double>(run.size()) > static_cast<double>(shortest) * longer;
    };
    const auto several =
        static_cast<std::size_t>(std::count_if(step.runs.begin(), step.runs.end(), isLong));
    if (several > 0 && step.runs.size() % several != 0)
        return without("its runs of kernels are not of as many forwards each");
    const std::size_t forwards = several > 0 ? step.runs.size() / several : 1;
    StepPasses out;
    for (const KernelRun& run : step.runs) {
        const bool pair = several == 0 || (isLong(run) && forwards == 1);
        if (!pair && !isLong(run)) {
            out.passes.push_back({run.first, run.end, false});
            m_words.learn(wordOf(runs, run.first, run.end), false);
        } else if (pair ? !appendPair(runs, run, out)
                        : !appendSeveral(runs, run, forwards, shortest, out)) {
            return without("nothing tells where its forwards end and its backwards begin");
        }
    }
    return out;
}

bool StageCuts::appendPair(const KernelRuns& runs, const KernelRun& run, StepPasses& out)
{
    const std::optional<PassWords::Cut> cut = m_words.cutPair(wordOf(runs, run.first, run.end));
    if (!cut)
        return false;
    m_doubtful = std::max(m_doubtful, static_cast<double>(cut->to - cut->from) /
                                          static_cast<double>(run.size()));
    out.passes.push_back({run.first, run.first + cut->at, true});
    out.passes.push_back({run.first + cut->at, run.end, false});
    return true;
}

/// Forwards one behind the other are the same word again and again.
bool StageCuts::appendSeveral(const KernelRuns& runs, const KernelRun& run, std::size_t forwards,
                              std::size_t backward, StepPasses& out)
{
    const auto least = static_cast<std::size_t>(static_cast<double>(backward) / longer);
    if (run.size() <= least)
        return false;
    const std::optional<WordCuts> cuts =
        cutByRepeats(wordOf(runs, run.first, run.end - std::max<std::size_t>(least, 1)), forwards);
    if (!cuts)
        return false;
    append(out, run.first, *cuts, true);
    out.passes.push_back({run.first + cuts->back(), run.end, false});
    return true;
}

} // namespace pw
