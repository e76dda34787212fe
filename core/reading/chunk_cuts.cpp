// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chunk_cuts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace pw {

namespace {

bool isForward(const SentPass& one)
{
    return one.pass.kind == PassKind::F;
}

/// Passes with the same kernels, but for the first and the last of a step.
std::int32_t kindKey(const SentPass& one)
{
    return one.pass.stage.value * 2 + (isForward(one) ? 1 : 0);
}

bool runsSendAs(const StepRuns& step, const std::vector<SentPass>& passes)
{
    auto run = step.runs.begin();
    for (const SentPass& one : passes) {
        if (one.to < 0)
            continue;
        if (run == step.runs.end() || run->toStage != one.to)
            return false;
        ++run;
    }
    return run == step.runs.end();
}

PassWord subword(const PassWord& word, std::size_t from, std::size_t to)
{
    return {word.begin() + static_cast<std::ptrdiff_t>(from),
            word.begin() + static_cast<std::ptrdiff_t>(to)};
}

bool allAlike(std::span<const SentPass> passes)
{
    return std::all_of(passes.begin(), passes.end(), [&](const SentPass& one) {
        return kindKey(one) == kindKey(passes.front());
    });
}

/// Equal parts of a word with the same kernels, and nothing behind them.
std::optional<WordCuts> cutWhole(const PassWord& word, std::size_t count)
{
    std::optional<WordCuts> cuts = cutByRepeats(word, count);
    return cuts && cuts->back() == word.size() ? cuts : std::nullopt;
}

/// The longest known word that a part of a word begins with, or ends with; 0: none.
std::size_t longestAt(const std::set<PassWord>& known, const PassWord& word, bool atEnd)
{
    std::size_t longest = 0;
    for (const PassWord& one : known)
        if (one.size() > longest && (atEnd ? endsWith(word, one) : beginsWith(word, one)))
            longest = one.size();
    return longest;
}

} // namespace

ChunkCuts::Parts ChunkCuts::partsOf(const KernelRuns& runs, const StepRuns& step,
                                    const std::vector<SentPass>& passes) const
{
    Parts parts;
    const auto add = [&](const KernelRun& run, std::size_t from, std::size_t to) {
        Part part;
        part.first = run.first;
        for (std::size_t i = run.first; i < run.end; ++i)
            part.word.push_back(m_trace.spans[static_cast<std::size_t>(runs.kernels[i])].name);
        part.passes = std::span(passes).subspan(from, to - from);
        part.begins = from == 0 && runs.place.stage == 0;
        parts.push_back(std::move(part));
    };
    std::size_t from = 0, run = 0;
    for (std::size_t i = 0; i < passes.size(); ++i)
        if (passes[i].to >= 0) {
            add(step.runs[run++], from, i + 1);
            from = i + 1;
        }
    if (from < passes.size()) {
        add(step.rest, from, passes.size());
        parts.back().ends = true;
    }
    return parts;
}

void ChunkCuts::learn(const SentPass& pass, const PassWord& word)
{
    m_known[kindKey(pass)].insert(word);
    m_words.learn(word, isForward(pass));
}

/// From both sides as far as kernels are known; one pass between may have others.
/// @param pairs  a forward and its backward may, too
bool ChunkCuts::cutKnown(Part& part, bool pairs)
{
    std::size_t low = 0, high = part.word.size(), left = 0, right = part.passes.size();
    WordCuts before, behind;
    while (right > left + 1) {
        const std::size_t size = longestAt(m_known[kindKey(part.passes[right - 1])],
                                           subword(part.word, low, high), true);
        if (size == 0)
            break;
        behind.push_back(high);
        high -= size;
        --right;
    }
    // As often the same kernels are surer than words that are known.
    std::optional<WordCuts> cuts;
    if (right > 1 && allAlike(part.passes.first(right)))
        cuts = cutWhole(subword(part.word, low, high), right);
    while (!cuts && right > left + 1) {
        const std::size_t size =
            longestAt(m_known[kindKey(part.passes[left])], subword(part.word, low, high), false);
        if (size == 0)
            break;
        low += size;
        before.push_back(low);
        ++left;
    }
    const PassWord middle = subword(part.word, low, high);
    const std::span<const SentPass> passes = part.passes.subspan(left, right - left);
    if (passes.size() == 1 && !middle.empty())
        cuts = WordCuts{middle.size()};
    else if (!cuts && pairs)
        cuts = cutPair(middle, passes);
    if (!cuts)
        return false;
    part.cuts = std::move(before);
    for (std::size_t i = 0; i < passes.size(); ++i) {
        learn(passes[i], subword(middle, i == 0 ? 0 : (*cuts)[i - 1], (*cuts)[i]));
        part.cuts.push_back(low + (*cuts)[i]);
    }
    part.cuts.insert(part.cuts.end(), behind.rbegin(), behind.rend());
    return true;
}

std::optional<WordCuts> ChunkCuts::cutPair(const PassWord& word, std::span<const SentPass> passes)
{
    if (passes.size() != 2 || !isForward(passes[0]) || isForward(passes[1]))
        return std::nullopt;
    const std::optional<PassWords::Cut> cut = m_words.cutPair(word);
    if (!cut)
        return std::nullopt;
    m_doubtful = std::max(m_doubtful, static_cast<double>(cut->to - cut->from) /
                                          static_cast<double>(word.size()));
    return WordCuts{cut->at, word.size()};
}

/// The passes behind the last send of a step.
bool ChunkCuts::cutEnd(Part& part)
{
    WordCuts cuts;
    std::size_t at = 0;
    if (part.passes.size() > 1 && allAlike(part.passes) && m_known[kindKey(part.passes[0])].empty())
        if (std::optional<WordCuts> repeats = cutByRepeats(part.word, part.passes.size())) {
            part.cuts = std::move(*repeats);
            return true;
        }
    for (const SentPass& one : part.passes) {
        const std::set<PassWord>& known = m_known[kindKey(one)];
        const PassWord rest = subword(part.word, at, part.word.size());
        std::size_t size = longestAt(known, rest, false);
        // The last one may prepare the sum of the gradients between its kernels.
        for (const PassWord& word : known)
            if (size == 0 && cuts.size() + 1 == part.passes.size())
                size = std::max(size, spreadIn(rest, word));
        if (size == 0)
            return false;
        at += size;
        cuts.push_back(at);
    }
    part.cuts = std::move(cuts);
    return true;
}

/// What prepares a step is in no pass: kernels before those of the same pass of others.
bool ChunkCuts::cutBegin(Part& part)
{
    if (part.passes.size() != 1 || part.word.empty())
        return false;
    if (const std::size_t size = longestAt(m_known[kindKey(part.passes[0])], part.word, true);
        size > 0)
        part.lead = part.word.size() - size;
    part.cuts = {part.word.size()};
    return true;
}

StepPasses ChunkCuts::stepOf(const Parts& parts) const
{
    StepPasses out;
    if (parts.empty()) {
        out.why = "it does not send as its order does";
        return out;
    }
    for (const Part& part : parts) {
        if (part.cuts.empty()) {
            out.passes.clear();
            out.why = "nothing tells where " + std::to_string(part.passes.size()) +
                      (part.ends ? " passes behind its last send end"
                                 : " passes before one of its sends end");
            return out;
        }
        std::size_t begin = part.lead;
        for (std::size_t i = 0; i < part.passes.size(); ++i) {
            const Pass& pass = part.passes[i].pass;
            out.passes.push_back({part.first + begin, part.first + part.cuts[i],
                                  pass.kind == PassKind::F, pass.stage.value, pass.microBatch});
            begin = part.cuts[i];
        }
    }
    return out;
}

StageCuts::Steps ChunkCuts::cut(const StageCuts::Ranks& ranks, const std::vector<SentPass>& passes)
{
    m_known.clear();
    std::vector<std::vector<Parts>> all;
    for (const KernelRuns* runs : ranks) {
        all.emplace_back();
        for (const StepRuns& step : runs->steps)
            all.back().push_back(runsSendAs(step, passes) ? partsOf(*runs, step, passes) : Parts());
    }
    std::vector<Part*> open;
    for (std::vector<Parts>& steps : all)
        for (Parts& parts : steps)
            for (Part& part : parts)
                open.push_back(&part);
    const auto cutEach = [&open](const auto& how) {
        const std::size_t before = open.size();
        open.erase(std::remove_if(open.begin(), open.end(), how), open.end());
        return open.size() < before;
    };
    const auto within = [](const Part* part) { return !part->begins && !part->ends; };
    cutEach([&](Part* part) {
        return within(part) && part->passes.size() == 1 && cutKnown(*part, false);
    });
    while (cutEach([&](Part* part) { return within(part) && cutKnown(*part, false); })) {
    }
    cutEach([&](Part* part) { return within(part) && cutKnown(*part, true); });
    cutEach([&](Part* part) { return part->begins && cutBegin(*part); });
    cutEach([&](Part* part) { return part->ends && cutEnd(*part); });
    StageCuts::Steps steps;
    for (const std::vector<Parts>& mine : all) {
        steps.emplace_back();
        for (const Parts& parts : mine)
            steps.back().push_back(stepOf(parts));
    }
    return steps;
}

} // namespace pw
