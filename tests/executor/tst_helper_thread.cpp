// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/helper_thread.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

using namespace pw;
using namespace pw::exec;
using namespace pw::exec::cuda;

// Calls that may block for ever, as the one that connects a rank with its peers.
namespace {

constexpr Ticks soon = 50 * ticksPerMs;
constexpr Ticks late = 60'000 * ticksPerMs;

/// Work that ends when it is told to, if at all.
struct Blocked
{
    std::atomic<bool> free{false};
    std::atomic<bool> ended{false};
};

std::function<void()> blockedOn(const std::shared_ptr<Blocked>& state)
{
    return [state] {
        while (!state->free)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        state->ended = true;
    };
}

std::string failureOf(const std::function<void()>& call)
{
    try {
        call();
        return "none";
    } catch (const std::exception& failure) {
        return failure.what();
    }
}

} // namespace

class TestHelperThread : public QObject
{
    Q_OBJECT

private slots:
    void whatIsDoneInTimeIsDoneWhenTheCallReturns()
    {
        std::atomic<int> done{0};
        bool cut = false;
        onHelpers({[&done] { ++done; }, [&done] { ++done; }}, {nullptr, late}, "the work",
                  [&cut] { cut = true; });
        QCOMPARE(done.load(), 2);
        QVERIFY(!cut);
    }

    void whatTheWorkThrowsIsThrownHere()
    {
        // The other one would wait for it for ever.
        const auto state = std::make_shared<Blocked>();
        const auto fails = [&state] {
            onHelpers({[] { throw std::runtime_error("the peer refuses"); }, blockedOn(state)},
                      {nullptr, late}, "the work", [&state] { state->free = true; });
        };
        QCOMPARE(failureOf(fails), std::string("the peer refuses"));
        QVERIFY(state->ended);
    }

    void whatTakesTooLongIsCutOff()
    {
        const auto state = std::make_shared<Blocked>();
        const auto hangs = [&state] {
            onHelpers({blockedOn(state)}, {nullptr, soon}, "a connection",
                      [&state] { state->free = true; });
        };
        QCOMPARE(failureOf(hangs), std::string("a connection is not done after 50 ms"));
        QVERIFY(state->ended); // the thread has been waited for
    }

    void aStopCutsItOffAtOnce()
    {
        Stop stop;
        stop.request();
        const auto state = std::make_shared<Blocked>();
        const auto hangs = [&] {
            onHelpers({blockedOn(state)}, {&stop, late}, "a connection",
                      [&state] { state->free = true; });
        };
        QCOMPARE(failureOf(hangs), std::string("the run was stopped before a connection was done"));
        QVERIFY(state->ended);
    }

    void whatCannotBeCutOffIsLeftBehind()
    {
        const auto state = std::make_shared<Blocked>();
        const auto hangs = [&state] {
            onHelpers({blockedOn(state)}, {nullptr, soon}, "a connection", [] {});
        };
        const auto begun = std::chrono::steady_clock::now();
        QCOMPARE(failureOf(hangs), std::string("a connection is not done after 50 ms"));
        QVERIFY(std::chrono::steady_clock::now() - begun < std::chrono::seconds(30));
        QVERIFY(!state->ended);
        state->free = true; // what it holds is still there
        QTRY_VERIFY(state->ended);
    }
};

PW_TEST(TestHelperThread)
#include "tst_helper_thread.moc"
