// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/result.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cerrno>
#include <cstring>
#include <limits>

using namespace pw;

namespace {

template<typename T>
concept CanStand = requires(const T& value)
{
    Argument(value);
};

static_assert(CanStand<int> && CanStand<std::size_t> && CanStand<std::string> &&
              CanStand<Sentence>);
// How a fraction is rounded is said where it is given; a letter and a truth are no numbers.
static_assert(!CanStand<double> && !CanStand<char> && !CanStand<bool>);

} // namespace

class TestSentence : public QObject
{
    Q_OBJECT

private slots:
    void placesAreFilled()
    {
        const Sentence both = said("%2 before %1, %2", "b", 7);
        QCOMPARE(both.english(), std::string("7 before b, 7"));
        QCOMPARE(std::string(both.pattern()), std::string("%2 before %1, %2"));
        QCOMPARE(both.arguments().size(), std::size_t(2));
    }

    void whatStandsAtAPlaceIsTakenAsItIs()
    {
        QCOMPARE(said("%1 and %2", "%2", "x").english(), std::string("%2 and x"));
        QCOMPARE(said("100 % of %1", 3).english(), std::string("100 % of 3"));
        QCOMPARE(said("%10", 4).english(), std::string("40"));
    }

    void sentencesStandInSentences()
    {
        const Sentence inner = said("there is no device %1", 9);
        const Sentence outer = said("step %1: %2", 2, inner);
        QCOMPARE(outer.english(), std::string("step 2: there is no device 9"));
        QCOMPARE(std::string(outer.arguments()[1].pattern()), std::string("there is no device %1"));
    }

    void aPlainTextHasNoPattern()
    {
        QVERIFY(Sentence(std::string("a %1 name")).pattern() == nullptr);
        QVERIFY(Sentence().empty());
        QVERIFY(Sentence("").empty());
        QCOMPARE(Sentence("x").english(), std::string("x"));
    }

    void extremesOfNumbers()
    {
        QCOMPARE(said("%1", std::numeric_limits<std::int64_t>::min()).english(),
                 std::string("-9223372036854775808"));
        QCOMPARE(said("%1", std::numeric_limits<std::uint64_t>::max()).english(),
                 std::string("18446744073709551615"));
    }

    void oneAndMany()
    {
        QCOMPARE(counted(1, "%1 stage", "%1 stages").english(), std::string("1 stage"));
        QCOMPARE(counted(0, "%1 stage", "%1 stages").english(), std::string("0 stages"));
    }

    void anErrorKeepsItsPattern()
    {
        const auto failed = [](int steps) -> Result<int> {
            if (steps < 1)
                return fail(ErrorCode::BadValue, "steps is %1; at least 1", steps);
            return steps;
        }(0);
        QVERIFY(!failed);
        QCOMPARE(failed.error().message.english(), std::string("steps is 0; at least 1"));
        QCOMPARE(std::string(failed.error().message.pattern()),
                 std::string("steps is %1; at least 1"));
    }

    void theSystemsReasons()
    {
        // English in every locale.
        for (const int reason : {ENOENT, EACCES, EPERM, EISDIR, ENOTDIR, ENOSPC, EROFS, ELOOP,
                                 ENAMETOOLONG, EMFILE, EIO}) {
            QVERIFY(systemSentence(reason).pattern() != nullptr);
            QCOMPARE(systemSentence(reason).english(), std::string(strerrordesc_np(reason)));
        }
        QCOMPARE(systemSentence(EXDEV).english(), std::string(std::strerror(EXDEV)));
    }
};

PW_TEST(TestSentence)
#include "tst_sentence.moc"
