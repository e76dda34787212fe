// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/assembly.h"

#include "core/io/file_problem.h"
#include "core/reading/copies.h"
#include "core/reading/counted_passes.h"
#include "core/reading/events/linked_passes.h"
#include "core/reading/file_order.h"
#include "core/reading/message_passes.h"
#include "core/reading/rank_order.h"
#include "core/trace/trace_memory.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

namespace pw {

namespace {

namespace fs = std::filesystem;

/// A process with a number from here on is none by that number.
constexpr std::int32_t mostRanks = 65'536;

constexpr std::string_view kineto = "Kineto";

/// Later than this in 1970 plus no program counts time from its own start.
constexpr Ticks surelyEpoch = Ticks{365} * 24 * 3600 * 1'000'000'000;

/// Finds the ranks in what the files said, and makes one trace of their parts.
class Assembly
{
public:
    Assembly(Trace& trace, std::vector<EventFile> files)
        : m_trace(trace)
        , m_files(std::move(files))
        , m_firstFolder(commonFolder(trace.files))
    {
    }

    void run()
    {
        for (std::size_t file = 0; file < m_files.size(); ++file)
            findRanks(file);
        sortRanks();
        moveToZero();
        checkOverlaps();
        addPeakCounters(m_trace);
        if (anyRankCounted())
            m_trace.warnings.emplace_back("a rank's number is in no metadata and no file name; "
                                          "ranks are counted in the order "
                                          "of files and processes");
    }

    /// Numbers of ranks that several processes of a file say to be.
    const std::set<std::int32_t>& joined() const { return m_joined; }

private:
    using RankOfProcess = std::vector<TraceRankId>;

    /// From the first start to the last end of a rank's spans in a file.
    struct Stretch
    {
        TraceRankId rank;
        Ticks first = 0, last = 0;
        std::size_t file = 0;
    };

    /// Whether a rank has its number from nowhere, or none. What has nothing but counters is none.
    bool anyRankCounted() const
    {
        const auto fine = [](const TraceRank& rank) { return !rank.guessed && rank.number >= 0; };
        if (std::all_of(m_trace.ranks.begin(), m_trace.ranks.end(), fine))
            return false;
        std::vector<bool> works(m_trace.ranks.size(), false);
        for (const TraceSpan& span : m_trace.spans)
            works[span.rank.index()] = true;
        for (std::size_t i = 0; i < works.size(); ++i)
            if (m_trace.ranks[i].guessed || (m_trace.ranks[i].number < 0 && works[i]))
                return true;
        return false;
    }

    /// Files that say the same number, of the same replica, are one rank.
    TraceRankId rankOf(std::int32_t number, const std::string& source, const std::string& process,
                       bool guessed, std::int32_t replica = -1)
    {
        const std::pair key(number, replica);
        if (number >= 0) {
            if (const auto found = m_byNumber.find(key); found != m_byNumber.end())
                return found->second;
        }
        const TraceRankId rank(m_trace.ranks.size());
        m_trace.ranks.push_back({number, source, process, guessed, replica});
        if (number >= 0)
            m_byNumber[key] = rank;
        return rank;
    }

    std::string fileName(std::size_t file) const
    {
        return fs::path(m_trace.files[file]).filename().string();
    }

    void findRanks(std::size_t file)
    {
        const EventFile& said = m_files[file];
        RankOfProcess rankOfProcess(said.processes.size());
        if (said.shapeOnly) {
            assign(file, rankOfProcess);
            return;
        }
        const bool byArguments =
            std::any_of(said.processes.begin(), said.processes.end(),
                        [](const EventProcess& process) { return process.rankSaid >= 0; });
        if (byArguments)
            ranksByArguments(said, rankOfProcess);
        else if (const auto number = numberOfFile(said, file); number && devices(said) < 2)
            std::fill(
                rankOfProcess.begin(), rankOfProcess.end(),
                rankOf(number->first, number->second, mainProcess(said), false, said.replica));
        else
            ranksByProcess(said, rankOfProcess);
        assign(file, rankOfProcess);
    }

    void ranksByArguments(const EventFile& said, RankOfProcess& rankOfProcess)
    {
        std::set<std::pair<std::int32_t, std::int32_t>> seen;
        for (std::size_t i = 0; i < said.processes.size(); ++i) {
            const EventProcess& process = said.processes[i];
            if (process.rankSaid < 0)
                continue;
            rankOfProcess[i] =
                rankOf(process.rankSaid, process.saidBy, label(process), false, process.replica);
            if (!seen.insert({process.rankSaid, process.replica}).second)
                m_joined.insert(process.rankSaid);
        }
    }

    std::optional<std::pair<std::int32_t, std::string>> numberOfFile(const EventFile& said,
                                                                     std::size_t file) const
    {
        if (said.rankNumber >= 0)
            return std::pair{said.rankNumber, said.rankFrom};
        if (const auto number = rankInPath(m_trace.files[file], m_firstFolder))
            return std::pair{*number, std::string("file name")};
        return std::nullopt;
    }

    static std::int64_t devices(const EventFile& said)
    {
        return std::count_if(said.processes.begin(), said.processes.end(),
                             [](const EventProcess& process) { return process.ownDevice; });
    }

    static std::string label(const EventProcess& process)
    {
        return process.name.empty() ? process.id : process.name;
    }

    static std::string mainProcess(const EventFile& said)
    {
        const auto most = std::max_element(
            said.processes.begin(), said.processes.end(),
            [](const EventProcess& a, const EventProcess& b) { return a.labelled < b.labelled; });
        return most == said.processes.end() ? std::string() : label(*most);
    }

    /// Where a file has passes on several processes, or several devices, each is a rank; else the
    /// file is one.
    void ranksByProcess(const EventFile& said, RankOfProcess& rankOfProcess)
    {
        std::vector<std::size_t> withPasses;
        for (std::size_t i = 0; i < said.processes.size(); ++i)
            if (said.processes[i].onTheHost > 0 || said.processes[i].ownDevice)
                withPasses.push_back(i);
        if (withPasses.size() < 2 && ranksByName(said, rankOfProcess))
            return;
        if (withPasses.size() < 2) {
            const TraceRankId rank = rankOf(next(), "order of the files", mainProcess(said), true);
            std::fill(rankOfProcess.begin(), rankOfProcess.end(), rank);
            return;
        }
        if (devices(said) > 0) {
            ranksByDevice(said, withPasses, rankOfProcess);
            return;
        }
        std::vector<std::int32_t> numbers;
        std::set<std::int32_t> distinct;
        for (const std::size_t i : withPasses) {
            const EventProcess& process = said.processes[i];
            auto number = numberBehind(process.name, "rank");
            if (!number)
                number = numberBehind(process.name, "device");
            // Of PyTorch's profiler it is the system's number of the process.
            if (!number && m_trace.origin != kineto)
                number = numberBehind(process.id, "");
            if (number && *number < mostRanks)
                distinct.insert(*number);
            numbers.push_back(number.value_or(-1));
        }
        const bool told = distinct.size() == withPasses.size();
        for (std::size_t n = 0; n < withPasses.size(); ++n)
            rankOfProcess[withPasses[n]] =
                rankOf(told ? numbers[n] : next(), told ? "process" : "order of the processes",
                       label(said.processes[withPasses[n]]), !told);
    }

    /// Several processes whose names say several ranks are those ranks, whatever their labels.
    bool ranksByName(const EventFile& said, RankOfProcess& rankOfProcess)
    {
        std::vector<std::optional<std::int32_t>> numbers;
        std::set<std::int32_t> distinct;
        for (const EventProcess& process : said.processes) {
            numbers.push_back(numberBehind(process.name, "rank"));
            if (numbers.back() && *numbers.back() < mostRanks)
                distinct.insert(*numbers.back());
        }
        if (distinct.size() < 2)
            return false;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (numbers[i] && *numbers[i] < mostRanks)
                rankOfProcess[i] =
                    rankOf(*numbers[i], "process name", label(said.processes[i]), false);
        return true;
    }

    /// A device's number is a rank's where no other machine has it too.
    void ranksByDevice(const EventFile& said, const std::vector<std::size_t>& which,
                       RankOfProcess& rankOfProcess)
    {
        const bool told = std::all_of(which.begin(), which.end(), [&](std::size_t i) {
            const std::int32_t number = said.processes[i].device;
            return number >= 0 && m_byNumber.count({number, -1}) == 0;
        });
        for (const std::size_t i : which)
            rankOfProcess[i] =
                rankOf(told ? said.processes[i].device : next(),
                       told ? "device" : "order of the devices", label(said.processes[i]), !told);
    }

    /// A number that no rank has.
    std::int32_t next()
    {
        while (m_byNumber.count({m_next, -1}) > 0)
            ++m_next;
        return m_next;
    }

    void assign(std::size_t file, RankOfProcess& rankOfProcess)
    {
        const std::size_t from = m_files[file].firstSpan;
        const std::size_t to =
            file + 1 < m_files.size() ? m_files[file + 1].firstSpan : m_trace.spans.size();
        // Processes without a rank of their own are rows without a number.
        TraceRankId other;
        const auto rankFor = [&](ProcessId process) {
            TraceRankId& rank = rankOfProcess[process.index()];
            if (!rank.valid() && !other.valid()) {
                other = TraceRankId(m_trace.ranks.size());
                m_trace.ranks.push_back({-1, "", fileName(file), false});
            }
            return rank = rank.valid() ? rank : other;
        };
        placeSpans(file, from, to, rankFor);
        for (const TracePeak& peak : m_files[file].peaks) {
            const TraceRankId rank = rankOfProcess[processOf(peak.rank).index()];
            if (rank.valid())
                m_trace.peaks.push_back({rank, peak.iteration, peak.bytes});
        }
        for (WorkSum& sum : m_files[file].sums) {
            sum.rank = rankFor(processOf(sum.rank));
            m_trace.sums.push_back(sum);
        }
        for (TraceCounter& counter : m_files[file].counters) {
            counter.rank = rankFor(processOf(counter.rank));
            m_trace.counters.push_back(std::move(counter));
        }
        m_spansOfFile.emplace_back(from, to);
        if (std::optional<RankFile>& reduced = m_files[file].reduced)
            for (const TraceRankId rank :
                 std::set<TraceRankId>(rankOfProcess.begin(), rankOfProcess.end()))
                if (rank.valid()) {
                    reduced->rank = rank;
                    m_trace.rankFiles.push_back(*reduced);
                }
    }

    /// All that is to be known of a file's spans, in one walk over them.
    void placeSpans(std::size_t file, std::size_t from, std::size_t to, const auto& rankFor)
    {
        m_tracksUsed.resize(m_trace.tracks.size(), false);
        const std::size_t firstStretch = m_stretches.size();
        const auto stretchOf = [&](TraceRankId rank, const TraceSpan& span) {
            m_lastStretch.resize(m_trace.ranks.size(), 0);
            std::size_t& last = m_lastStretch[rank.index()];
            if (last < firstStretch || last >= m_stretches.size() ||
                m_stretches[last].rank != rank) {
                last = m_stretches.size();
                m_stretches.push_back({rank, span.start, span.end, file});
            }
            return last;
        };
        // Mostly those of the span before.
        TraceRankId said, rank;
        std::int32_t track = -1;
        std::size_t stretch = 0;
        for (std::size_t i = from; i < to; ++i) {
            TraceSpan& span = m_trace.spans[i];
            const bool other = span.rank != said || !rank.valid();
            if (other || span.track != track) {
                said = span.rank;
                track = span.track;
                rank = rankFor(processOf(said));
                if (other)
                    stretch = stretchOf(rank, span);
                m_trace.tracks[static_cast<std::size_t>(track)].rank = rank;
                m_tracksUsed[static_cast<std::size_t>(track)] = true;
            }
            span.rank = rank;
            Stretch& here = m_stretches[stretch];
            here.first = std::min(here.first, span.start);
            here.last = std::max(here.last, span.end);
        }
    }

    void sortRanks()
    {
        const std::vector<TraceRankId> place = pw::sortRanks(m_trace);
        for (Stretch& stretch : m_stretches)
            stretch.rank = place[stretch.rank.index()];
        // A track without a span keeps the number of its process, which may be beyond the ranks.
        m_tracksUsed.resize(m_trace.tracks.size(), false);
        for (std::size_t i = 0; i < m_tracksUsed.size(); ++i) {
            TraceTrack& track = m_trace.tracks[i];
            track.rank = m_tracksUsed[i] ? place[track.rank.index()] : TraceRankId::none();
        }
    }

    /// The first start of a span, also of those that a digest leaves out; of a trace of nothing but
    /// counters their first value.
    std::optional<Ticks> firstTime() const
    {
        std::optional<Ticks> first;
        for (const Stretch& stretch : m_stretches)
            first = std::min(first.value_or(stretch.first), stretch.first);
        for (const EventFile& file : m_files)
            if (first && file.earliest)
                first = std::min(*first, *file.earliest);
        if (first)
            return first;
        for (const TraceCounter& counter : m_trace.counters)
            for (const CounterSample& sample : counter.samples)
                first = std::min(first.value_or(sample.time), sample.time);
        return first;
    }

    void moveToZero()
    {
        const std::optional<Ticks> start = firstTime();
        if (!start)
            return;
        const Ticks first = *start;
        bool mixed = false;
        std::optional<bool> epoch;
        for (const auto& [from, to] : m_spansOfFile) {
            if (from == to)
                continue;
            const bool since1970 = m_trace.spans[from].start > surelyEpoch;
            mixed = mixed || (epoch && *epoch != since1970);
            epoch = since1970;
        }
        if (mixed)
            m_trace.warnings.emplace_back("some files count time from 1970 and others from their "
                                          "own start; they are not shown side by side");
        m_trace.base = first > surelyEpoch ? first : 0;
        // Times are within ±2^62, so that a difference fits.
        for (TraceSpan& span : m_trace.spans) {
            span.start -= first;
            span.end -= first;
        }
        for (TraceCounter& counter : m_trace.counters)
            for (CounterSample& sample : counter.samples)
                sample.time -= first;
    }

    /// Files of one rank follow each other in time; else they are not what they say.
    void checkOverlaps()
    {
        std::sort(m_stretches.begin(), m_stretches.end(), [](const Stretch& a, const Stretch& b) {
            return std::tuple(a.file, a.rank.value) < std::tuple(b.file, b.rank.value);
        });
        std::map<TraceRankId, std::vector<Stretch>> byRank;
        for (const Stretch& stretch : m_stretches) {
            std::vector<Stretch>& others = byRank[stretch.rank];
            for (const Stretch& other : others)
                if (stretch.first < other.last && other.first < stretch.last)
                    m_trace.warnings.push_back(
                        fileName(other.file) + " and " + fileName(stretch.file) +
                        " are of the same rank at the same time; passes may be doubled");
            others.push_back(stretch);
        }
    }

    Trace& m_trace;
    std::vector<EventFile> m_files;
    std::size_t m_firstFolder; // in a path: from there on folders tell files apart
    std::map<std::pair<std::int32_t, std::int32_t>, TraceRankId> m_byNumber; // and replica
    std::int32_t m_next = 0; // all numbers below are ranks
    std::set<std::int32_t> m_joined;
    std::vector<std::pair<std::size_t, std::size_t>> m_spansOfFile;
    std::vector<bool> m_tracksUsed; // by spans
    std::vector<Stretch> m_stretches;
    std::vector<std::size_t> m_lastStretch; // of a rank
};

/// The program that a trace looks like, by its files and names.
std::string originOf(const Trace& trace, const std::vector<EventFile>& files)
{
    bool arguments = false, metadata = false, base = false;
    for (const EventFile& file : files) {
        if (!file.origin.empty())
            return file.origin;
        metadata = metadata || file.rankNumber >= 0;
        base = base || file.hasBase;
        for (const EventProcess& process : file.processes)
            arguments = arguments || process.rankSaid >= 0;
    }
    if (arguments)
        return "Megatron tracer";
    const bool profiler =
        std::any_of(trace.names.begin(), trace.names.end(), [](const std::string& name) {
            return name.rfind("ProfilerStep#", 0) == 0 || name.rfind("aten::", 0) == 0;
        });
    return std::string(metadata || base || profiler ? kineto : "Chrome trace");
}

/// Kernels that digests keep so that passes can be found are in the sums, too.
void leaveDigestKernels(Trace& trace)
{
    std::vector<bool> reduced(trace.ranks.size(), false);
    for (const RankFile& file : trace.rankFiles)
        reduced[file.rank.index()] = true;
    const auto isKernel = [&](const TraceSpan& span) {
        return reduced[span.rank.index()] && span.label < 0 && span.trust == Trust::Device &&
               span.activity == ActivityKind::Compute && trace.nameOf(span) != reducedWorkName;
    };
    if (std::any_of(trace.spans.begin(), trace.spans.end(), isKernel))
        leaveSpans(trace, [&](const TraceSpan& span) { return !isKernel(span); });
}

/// Of however many files, once.
void tellGroupsThatDiffer(Trace& trace, const std::vector<EventFile>& files)
{
    std::string first;
    std::int64_t others = -1;
    for (const EventFile& file : files)
        if (!file.groupsDiffer.empty()) {
            first = first.empty() ? file.groupsDiffer : first;
            ++others;
        }
    if (others < 0)
        return;
    std::string more;
    if (others > 0)
        more = "; " + std::to_string(others) +
               (others == 1 ? " more file differs" : " more files differ") + " likewise";
    trace.warnings.push_back(first + more + std::string(eventsCount));
}

} // namespace

Trace assembled(Trace trace, std::vector<EventFile> files)
{
    trace.origin = originOf(trace, files);
    tellGroupsThatDiffer(trace, files);
    joinSteps(trace, files);
    countPasses(trace, files);
    numberLinkedPasses(trace, files);
    Assembly assembly(trace, std::move(files));
    assembly.run();
    findMessagePasses(trace);
    if (!trace.rankFiles.empty())
        leaveDigestKernels(trace);
    const std::set<std::int32_t> parted = partCopies(trace);
    for (const std::int32_t rank : assembly.joined())
        if (parted.count(rank) == 0)
            trace.warnings.push_back("several processes say that they are rank " +
                                     std::to_string(rank) + "; their passes are taken together");
    return trace;
}

} // namespace pw
