// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/kept_analysis.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pw {

namespace {

void writeSentence(JobBytes& bytes, const Sentence& sentence)
{
    bytes.whole(sentence.pattern() != nullptr);
    if (sentence.pattern() == nullptr) {
        bytes.text(sentence.english());
        return;
    }
    bytes.text(sentence.pattern());
    writeList(bytes, sentence.arguments(),
              [&bytes](const Sentence& one) { writeSentence(bytes, one); });
}

/// A pattern as long as the program lives, as literals do: sentences only point to it.
const char* lasting(std::string pattern)
{
    static std::mutex guard;
    static std::set<std::string, std::less<>> all;
    const std::lock_guard<std::mutex> lock(guard);
    return all.insert(std::move(pattern)).first->c_str();
}

Sentence sentenceOf(const char* pattern, const std::vector<Sentence>& of)
{
    switch (of.size()) {
    case 0:
        return {pattern, std::initializer_list<Argument>{}};
    case 1:
        return {pattern, {of[0]}};
    case 2:
        return {pattern, {of[0], of[1]}};
    case 3:
        return {pattern, {of[0], of[1], of[2]}};
    case 4:
        return {pattern, {of[0], of[1], of[2], of[3]}};
    case 5:
        return {pattern, {of[0], of[1], of[2], of[3], of[4]}};
    default:
        return {pattern, {of[0], of[1], of[2], of[3], of[4], of[5]}};
    }
}

/// Of a cause: not deeper, and with no more or longer texts, than those of any.
Sentence readSentence(JobBytesRead& bytes, int depth = 0)
{
    constexpr int deepest = 8;
    constexpr std::size_t mostArguments = 6, longestPattern = 1000;
    const bool plain = depth > deepest || !bytes.yes();
    std::string text = bytes.text();
    if (depth > deepest || text.size() > longestPattern)
        bytes.refuse();
    if (plain || !bytes.good())
        return text;
    const std::vector<Sentence> arguments =
        readList<Sentence>(bytes, [&bytes, depth] { return readSentence(bytes, depth + 1); });
    if (arguments.size() > mostArguments)
        bytes.refuse();
    return bytes.good() ? sentenceOf(lasting(std::move(text)), arguments) : Sentence();
}

/// Takes what an analysis says, with places that its job has.
class AnalysisReader
{
public:
    AnalysisReader(JobBytesRead& bytes, const Job& job, std::size_t ranks)
        : m_bytes(bytes)
        , m_replicas(job.replicas.size())
        , m_devices(static_cast<std::size_t>(job.devices()))
        , m_steps(job.steps.size())
        , m_ranks(ranks)
    {
    }

    void read(JobAnalysis& into)
    {
        for (double* const factor : {&into.efficiency.replicas, &into.efficiency.stages,
                                     &into.efficiency.order, &into.efficiency.links})
            *factor = m_bytes.fraction();
        into.stepTime = readLength(m_bytes);
        into.workers = readList<WorkerTimes>(m_bytes, [this] { return worker(); });
        const std::vector<Worker> all = into.job.workers(); // which are found by their place
        const bool same = std::equal(
            all.begin(), all.end(), into.workers.begin(), into.workers.end(),
            [](const Worker& one, const WorkerTimes& times) { return one == times.worker; });
        if (!same)
            m_bytes.refuse();
        into.causes = readList<FoundCause>(m_bytes, [this] { return cause(); });
        into.whatIfs = readList<JobWhatIf>(m_bytes, [this] { return whatIf(); });
    }

private:
    DeviceId device() { return DeviceId(readPlace(m_bytes, m_devices)); }

    WorkerTimes worker()
    {
        WorkerTimes one;
        one.worker.replica = static_cast<std::int32_t>(readIndex(m_bytes, m_replicas));
        one.worker.device = DeviceId(static_cast<std::int32_t>(readIndex(m_bytes, m_devices)));
        one.rank = TraceRankId(static_cast<std::int32_t>(readIndex(m_bytes, m_ranks)));
        one.alike = readList<TraceRankId>(m_bytes, [this] {
            return TraceRankId(static_cast<std::int32_t>(readIndex(m_bytes, m_ranks)));
        });
        one.forward = readLength(m_bytes);
        one.backward = readLength(m_bytes);
        one.forwardRatio = m_bytes.fraction();
        one.backwardRatio = m_bytes.fraction();
        return one;
    }

    FoundCause cause()
    {
        FoundCause one;
        one.cause = m_bytes.small<JobCause>(0, jobCauseCount - 1);
        one.replica = readPlace(m_bytes, m_replicas);
        one.device = device();
        one.step = readPlace(m_bytes, m_steps);
        one.from = device();
        one.to = device();
        one.costTicks = m_bytes.fraction();
        one.share = m_bytes.fraction();
        one.sentence = readSentence(m_bytes);
        return one;
    }

    JobWhatIf whatIf()
    {
        JobWhatIf one;
        one.what = m_bytes.small<Repair>(0, repairCount - 1);
        one.replica = readPlace(m_bytes, m_replicas);
        one.device = device();
        one.step = readPlace(m_bytes, m_steps);
        one.stepTicks = m_bytes.fraction();
        one.gain = m_bytes.fraction();
        one.family = m_bytes.text();
        if (one.what == Repair::StepRepaired && one.step < 0)
            m_bytes.refuse();
        return one;
    }

    JobBytesRead& m_bytes;
    std::size_t m_replicas;
    std::size_t m_devices;
    std::size_t m_steps;
    std::size_t m_ranks;
};

} // namespace

void writeAnalysis(JobBytes& bytes, const JobAnalysis& of)
{
    for (const double factor :
         {of.efficiency.replicas, of.efficiency.stages, of.efficiency.order, of.efficiency.links})
        bytes.fraction(factor);
    bytes.whole(of.stepTime);
    writeList(bytes, of.workers, [&bytes](const WorkerTimes& one) {
        bytes.whole(one.worker.replica);
        bytes.whole(one.worker.device.value);
        bytes.whole(one.rank.value);
        writeList(bytes, one.alike, [&bytes](TraceRankId rank) { bytes.whole(rank.value); });
        bytes.whole(one.forward);
        bytes.whole(one.backward);
        bytes.fraction(one.forwardRatio);
        bytes.fraction(one.backwardRatio);
    });
    writeList(bytes, of.causes, [&bytes](const FoundCause& one) {
        bytes.whole(static_cast<int>(one.cause));
        bytes.whole(one.replica);
        bytes.whole(one.device.value);
        bytes.whole(one.step);
        bytes.whole(one.from.value);
        bytes.whole(one.to.value);
        bytes.fraction(one.costTicks);
        bytes.fraction(one.share);
        writeSentence(bytes, one.sentence);
    });
    writeList(bytes, of.whatIfs, [&bytes](const JobWhatIf& one) {
        bytes.whole(static_cast<int>(one.what));
        bytes.whole(one.replica);
        bytes.whole(one.device.value);
        bytes.whole(one.step);
        bytes.fraction(one.stepTicks);
        bytes.fraction(one.gain);
        bytes.text(one.family);
    });
}

void readAnalysis(JobBytesRead& bytes, std::size_t ranks, JobAnalysis& into)
{
    AnalysisReader(bytes, into.job, ranks).read(into);
}

} // namespace pw
