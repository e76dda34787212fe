// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/launches.h"
#include "executor/cuda/rank_device.h"
#include "executor/model/ops.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <memory>
#include <vector>

using namespace pw;
using namespace pw::exec;
using cuda::Graphs;
using cuda::Launches;

// Calls that are noted and become graphs, against what the same calls make one by one.
namespace {

constexpr std::int64_t count = 1000;
constexpr Bytes bytes = count * static_cast<Bytes>(sizeof(float));

/// What no capture allows; by itself it does nothing.
void launchQuestion(cudaStream_t stream)
{
    static_cast<void>(cuda::notReady(cudaStreamQuery(stream)));
}

void launchNowhere(cudaStream_t)
{
    throw DeviceError("nowhere to launch");
}

template<typename Work>
bool fails(Work work)
{
    try {
        work();
        return false;
    } catch (const DeviceError&) {
        return true;
    }
}

} // namespace

class TestCudaGraphs : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void whatRepeatsBecomesAGraph();
    void otherPlacesAndNumbersAreOtherSequences();
    void fewCallsAreLaunchedByThemselves();
    void eachStreamHasItsOwn();
    void whatIsNotUsedMakesRoom();
    void graphsDoNotDriveEachOtherOut();
    void whatCannotBeCapturedIsLaunchedCallByCall();
    void aFailureIsToldOnce();
    void whatIsForgottenIsMadeAnew();
    void withoutGraphsNothingIsNoted();
    void whatTakesLongIsLaunchedCallByCall();
    void whatAGraphTakesIsCounted();

private:
    Launches& made(Launches::Limits limits, Graphs graphs = Graphs::All);
    void sequence(Launches& launches, int which, int turns, double factor = 2);
    std::vector<float> read(int which);

    RunClock m_clock;
    std::shared_ptr<cuda::EventPool> m_events;
    cudaStream_t m_stream = nullptr;
    cudaStream_t m_other = nullptr;
    std::array<void*, 4> m_memory{};
    std::unique_ptr<Launches> m_launches;
};

void TestCudaGraphs::initTestCase()
{
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess || devices == 0)
        QSKIP(cuda::errorText("no GPU here: cudaGetDeviceCount", status).c_str());
}

void TestCudaGraphs::init()
{
    cuda::check("cudaSetDevice", cudaSetDevice(0));
    m_events = std::make_shared<cuda::EventPool>(0);
    for (cudaStream_t* stream : {&m_stream, &m_other})
        cuda::check("cudaStreamCreateWithPriority",
                    cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking, 0));
    for (void*& memory : m_memory)
        cuda::check("cudaMalloc", cudaMalloc(&memory, static_cast<std::size_t>(bytes)));
}

void TestCudaGraphs::cleanup()
{
    read(0); // all work has ended
    m_launches.reset();
    for (void*& memory : m_memory)
        cuda::check("cudaFree", cudaFree(memory));
    for (cudaStream_t stream : {m_stream, m_other})
        cuda::check("cudaStreamDestroy", cudaStreamDestroy(stream));
}

Launches& TestCudaGraphs::made(Launches::Limits limits, Graphs graphs)
{
    m_launches = std::make_unique<Launches>(m_events, graphs, limits);
    m_launches->goOn(m_stream);
    return *m_launches;
}

/// Numbers are drawn anew, and doubled some times.
void TestCudaGraphs::sequence(Launches& launches, int which, int turns, double factor)
{
    auto* const x = static_cast<float*>(m_memory[static_cast<std::size_t>(which)]);
    launches.add<cuda::launchFill>("zero", x, bytes);
    launches.add<cuda::launchDraw>("draw", x, count, std::uint64_t{17}, 1.0F);
    for (int i = 0; i < turns; ++i)
        launches.add<cuda::launchScale>("scale", x, factor, count);
}

std::vector<float> TestCudaGraphs::read(int which)
{
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (cudaStream_t stream : {m_stream, m_other})
        cuda::await(*m_events->record(stream), {nullptr, 10'000 * ticksPerMs}, "a sequence");
    cuda::check("cudaMemcpy", cudaMemcpy(numbers.data(), m_memory[static_cast<std::size_t>(which)],
                                         static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost));
    return numbers;
}

void TestCudaGraphs::whatRepeatsBecomesAGraph()
{
    Launches plain(m_events, Graphs::None);
    plain.goOn(m_stream);
    sequence(plain, 0, 3);
    const std::vector<float> wanted = read(0);
    Launches& launches = made({});
    for (int turn = 0; turn < 5; ++turn) {
        launches.add<cuda::launchFill>("zero", m_memory[1], bytes);
        launches.flush();
        sequence(launches, 1, 3);
        QCOMPARE(launches.counts().launched, std::max(turn - 1, 0));
        launches.flush();
        QCOMPARE(read(1), wanted);
        QCOMPARE(launches.counts().made, turn > 0 ? 1 : 0);
        QCOMPARE(launches.counts().launched, turn);
        QCOMPARE(launches.counts().replayed, 5 * turn);
        QCOMPARE(launches.counts().direct, 5 + turn + 1);
    }
    const std::vector<std::string> notes = launches.takeNotes();
    QCOMPARE(notes.size(), 1U);
    QCOMPARE(notes[0], "CUDA graphs: 1 made; 4 launches of them took the place of 20 calls, 10 "
                       "were made by themselves");
    QCOMPARE(launches.counts().launched, 0);
}

void TestCudaGraphs::otherPlacesAndNumbersAreOtherSequences()
{
    Launches& launches = made({});
    for (int turn = 0; turn < 3; ++turn) {
        sequence(launches, 0, 2);
        launches.flush();
    }
    QCOMPARE(launches.counts().launched, 2);
    const std::vector<float> first = read(0);
    // Another address, another number, one call more: none of them is what is known.
    sequence(launches, 1, 2);
    launches.flush();
    QCOMPARE(read(1), first);
    sequence(launches, 0, 2, 4);
    launches.flush();
    sequence(launches, 2, 3);
    launches.flush();
    QCOMPARE(launches.counts().launched, 2);
    QCOMPARE(launches.counts().made, 1);
    for (std::size_t i = 0; i < first.size(); ++i) {
        QCOMPARE(read(0)[i], 4 * first[i]);
        QCOMPARE(read(2)[i], 2 * first[i]);
    }
}

void TestCudaGraphs::fewCallsAreLaunchedByThemselves()
{
    Launches& launches = made({});
    for (int turn = 0; turn < 4; ++turn) {
        sequence(launches, 0, 0);
        launches.flush();
    }
    QCOMPARE(launches.counts().made, 0);
    QCOMPARE(launches.counts().direct, 8);
}

void TestCudaGraphs::eachStreamHasItsOwn()
{
    Launches& launches = made({});
    for (int turn = 0; turn < 3; ++turn) {
        launches.goOn(m_stream);
        sequence(launches, 0, 2);
        launches.goOn(m_other); // sends what was noted for the first
        sequence(launches, 1, 2);
        launches.flush();
        QCOMPARE(read(1), read(0));
    }
    QCOMPARE(launches.counts().made, 2);
    QCOMPARE(launches.counts().launched, 4);
}

void TestCudaGraphs::whatIsNotUsedMakesRoom()
{
    Launches& launches = made({.sequences = 6, .graphs = 2, .fewestCalls = 3});
    std::vector<float> last;
    for (int which = 1; which <= 12; ++which) {
        for (int turn = 0; turn < 12; ++turn) {
            sequence(launches, 0, which);
            launches.flush();
        }
        const std::vector<float> now = read(0);
        for (std::size_t i = 0; i < last.size(); ++i)
            QCOMPARE(now[i], 2 * last[i]);
        last = now;
    }
    QCOMPARE(launches.counts().made, 12); // each in the end, two of them at a time
}

void TestCudaGraphs::graphsDoNotDriveEachOtherOut()
{
    Launches& launches = made({.sequences = 6, .graphs = 2, .fewestCalls = 3});
    for (int turn = 0; turn < 10; ++turn) {
        for (int which = 1; which <= 3; ++which) {
            sequence(launches, 0, which);
            launches.flush();
        }
    }
    QCOMPARE(launches.counts().made, 2);
    QCOMPARE(launches.counts().launched, 18);
    QCOMPARE(launches.counts().direct, 3 + 4 + 10 * 5);
}

void TestCudaGraphs::whatCannotBeCapturedIsLaunchedCallByCall()
{
    Launches& launches = made({});
    sequence(launches, 0, 2);
    launches.flush();
    const std::vector<float> wanted = read(0);
    for (int turn = 0; turn < 4; ++turn) {
        sequence(launches, 1, 1);
        launches.add<launchQuestion>("question");
        launches.add<cuda::launchScale>("scale", static_cast<float*>(m_memory[1]), 2.0, count);
        launches.flush();
        QCOMPARE(read(1), wanted);
        QCOMPARE(launches.counts().refused, turn > 0 ? 1 : 0); // tried once, and never again
    }
    QCOMPARE(launches.counts().made, 0);
    QCOMPARE(launches.counts().direct, 4 + 4 * 5);
    const std::vector<std::string> notes = launches.takeNotes();
    QCOMPARE(notes.size(), 2U);
    QVERIFY2(notes[1].find("1 sequences of calls could not become a CUDA graph") == 0 &&
                 notes[1].find("question: ") != std::string::npos,
             notes[1].c_str());
    // What comes after it is captured as ever.
    for (int turn = 0; turn < 2; ++turn) {
        sequence(launches, 2, 2);
        launches.flush();
    }
    QCOMPARE(launches.counts().made, 1);
    QCOMPARE(read(2), wanted);
}

void TestCudaGraphs::aFailureIsToldOnce()
{
    Launches& launches = made({});
    launches.add<launchNowhere>("nowhere");
    QVERIFY(fails([&] { launches.flush(); }));
    launches.flush(); // nothing is left of it
    // Where nobody may throw, the next call does.
    launches.add<launchNowhere>("nowhere");
    launches.flushQuietly();
    QVERIFY(fails([&] { sequence(launches, 0, 2); }));
    for (int turn = 0; turn < 2; ++turn) {
        sequence(launches, 0, 2);
        launches.flush();
    }
    QCOMPARE(launches.counts().made, 1);
    // In a sequence that would be captured it is told of the call, too.
    for (int turn = 0; turn < 3; ++turn) {
        sequence(launches, 0, 2);
        launches.add<cuda::launchFill>("zero", static_cast<void*>(nullptr), bytes);
        QVERIFY(fails([&] { launches.flush(); }));
    }
    sequence(launches, 0, 2);
    launches.flush();
    QCOMPARE(launches.counts().launched, 2);
}

void TestCudaGraphs::whatIsForgottenIsMadeAnew()
{
    Launches& launches = made({});
    for (int turn = 0; turn < 4; ++turn) {
        sequence(launches, 0, 50);
        if (turn == 2)
            launches.forget(); // the graph may still be under way
        else
            launches.flush();
    }
    QCOMPARE(launches.counts().made, 1);
    QCOMPARE(launches.counts().launched, 2);
    sequence(launches, 0, 50);
    launches.flush();
    QCOMPARE(launches.counts().made, 2);
    read(0);
}

void TestCudaGraphs::withoutGraphsNothingIsNoted()
{
    Launches launches(m_events, Graphs::None);
    launches.goOn(m_stream);
    sequence(launches, 0, 3);
    const std::vector<float> first = read(0); // nobody has flushed
    launches.add<cuda::launchScale>("scale", static_cast<float*>(m_memory[0]), 2.0, count);
    QCOMPARE(read(0)[5], 2 * first[5]);
    QVERIFY(first[5] != 0);
    QVERIFY(launches.takeNotes().empty());
    QVERIFY(fails([&] { launches.add<launchNowhere>("nowhere"); }));
}

void TestCudaGraphs::whatTakesLongIsLaunchedCallByCall()
{
    // A call that takes a minute is short here: the second sending knows how long the first took.
    Launches& shortOnes = made({.longestCall = 60'000 * ticksPerMs}, Graphs::WhereShort);
    for (int turn = 0; turn < 4; ++turn) {
        sequence(shortOnes, 0, 3);
        shortOnes.flush();
        read(0); // the device has come to its end
    }
    QCOMPARE(shortOnes.counts().made, 1);
    QCOMPARE(shortOnes.counts().launched, 3);
    QCOMPARE(shortOnes.takeNotes().size(), 1U);
    // And one that takes any time at all is long.
    Launches& longOnes = made({.longestCall = 0}, Graphs::WhereShort);
    for (int turn = 0; turn < 4; ++turn) {
        sequence(longOnes, 0, 3);
        longOnes.flush();
        read(0);
    }
    QCOMPARE(longOnes.counts().made, 0);
    QCOMPARE(longOnes.counts().direct, 20);
    QVERIFY(longOnes.takeNotes().empty());
}

void TestCudaGraphs::whatAGraphTakesIsCounted()
{
    Launches& launches = made({});
    std::string calls;
    launches.whenMade([&] { calls += "("; }, [&] { calls += ")"; });
    for (int turn = 0; turn < 4; ++turn) {
        for (int which = 0; which < 2; ++which) {
            sequence(launches, which, 2);
            launches.flush();
        }
    }
    QCOMPARE(calls, std::string("()()"));
}

PW_TEST(TestCudaGraphs)
#include "tst_cuda_graphs.moc"
