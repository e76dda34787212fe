// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QtTest>

#include <map>
#include <set>
#include <sstream>
#include <tuple>

using namespace pw::app;

namespace {

/// Why a name is said in several ways, or takes several kinds of values.
struct OtherwiseSaid
{
    const char* name;
    const char* reason;
};

/// Each is one idea, said for what the command has, but where it says otherwise.
constexpr OtherwiseSaid otherwiseSaid[] = {
    {"adapt", "simulated by noise, with a shape of its own; trained by run"},
    {"backend", "verify has no times that are modelled"},
    {"chunks", "a family has it as a parameter; of plan it is a degree"},
    {"comm", "import replays the order that it found, on free links where nothing is said"},
    {"context-parallel", "a degree of plan is 1 at least, a field of a model 0 too"},
    {"csv", "what is written as a table is the command's own"},
    {"emit", "a row of plan is one text, an order of advise and whatif a folder"},
    {"example",
     "of names in import, of queries in query: each its own, of a word that both are known by"},
    {"expert-parallel", "a degree of plan is 1 at least, a field of a model 0 too"},
    {"ffn", "a model that is trained has no 0 for four times its width"},
    {"fixed", "the part of a measured pass in advise and whatif; of noise and run the time itself"},
    {"flash-attention", "a field of a model is yes or no; what is trained has it or has it not"},
    {"global-batch",
     "what follows from it is told: other micro-batches, or samples of Galvatron's file"},
    {"hardware", "plan takes several kinds; costs fit says what was measured"},
    {"hint", "noise shows both, run does one"},
    {"html", "each page shows something else"},
    {"iteration", "convert takes all where diff and show take one"},
    {"iterations", "what is repeated is the command's own"},
    {"json", "what is printed is the command's own"},
    {"keep", "show keeps the slices of a rank, the others their answer"},
    {"kernel", "of a trace, which show reads only with --rank"},
    {"kernels", "diff compares them, run counts them"},
    {"lanes", "import draws them, show adds them"},
    {"memory-limit", "one limit, in the measures that the command knows: micro-batches or "
                     "bytes; lists in whatif, GiB in plan, samples with --adapt"},
    {"micro-batches", "advise and lesson look at several, or at the first"},
    {"model", "plan trains it, the others take the place of times"},
    {"no-gantt", "advise has several"},
    {"offload", "plan chooses policies and shares, the others cells of an order"},
    {"order", "convert writes the order itself without a word behind it"},
    {"output", "what goes there is the command's own"},
    {"overlap-tensor", "in plan it follows --zero; costs fit says it of rows"},
    {"precision", "costs fit says it of rows that have no column for it"},
    {"recompute-policy", "costs fit says it of rows that have no column for it"},
    {"replicas", "verify compares them with one"},
    {"rule", "of a trace, which show reads only with --rank"},
    {"rules", "of a trace, which show reads only with --rank"},
    {"save", "an order that was found has costs of its own; of plan it is the first row"},
    {"seed", "what is random is the command's own"},
    {"split", "advise and whatif replace one, plan searches it"},
    {"store", "import keeps nothing where it is not said"},
    {"time-limit", "whose search, or which answer, is the command's own"},
    {"title", "of what is written"},
    {"size", "run lists the sizes, study trains one of those"},
    {"to", "lesson writes pages and tables alone"},
    {"top", "of what it is the first rows is the command's own"},
    {"vocabulary", "costs fit says it of rows that have no column for it"},
    {"warmup", "run says what its graphs need"},
    {"weight-part", "advise gives an interval where nothing is said"},
    {"why", "of what it tells the reason is the command's own"},
};

/// Names that an older version had for something else than what has them now.
constexpr OtherwiseSaid stillNames[] = {
    {"recompute", "which stages run their forwards once more"},
    {"size", "run lists the sizes, study trains one of those"},
    {"to", "what something becomes"},
    {"layers", "of a model"},
    {"samples", "of noise: how many runs"},
    {"nodes", "of a cluster"},
    {"time", "of a job, as Slurm calls it"},
};

/// A summary without the usual values, which differ from command to command.
QString idea(const Option& option)
{
    static const QRegularExpression usual(QStringLiteral(" ?\\((default|required)[^()]*\\)"));
    return QString::fromStdString(option.summary).remove(usual);
}

/// `whatif` takes several values of what others take one of, with commas between.
bool lists(const Option& option)
{
    return option.lists ||
           QString::fromStdString(option.placeholder).endsWith(QStringLiteral(",…"));
}

} // namespace

/// An option has one name, one kind and one description wherever it is.
class TestOptionNames : public QObject
{
    Q_OBJECT

private slots:
    void oneNameIsOneThing()
    {
        std::map<std::string, std::map<std::pair<int, QString>, std::string>> said;
        for (const Command& command : allCommands())
            for (const Option& option : allOptions(command))
                if (!lists(option))
                    said[option.name][{static_cast<int>(option.kind), idea(option)}] = command.name;
        std::set<std::string> several;
        for (const auto& [name, ways] : said)
            if (ways.size() > 1)
                several.insert(name);
        std::set<std::string> excused;
        for (const OtherwiseSaid& one : otherwiseSaid) {
            QVERIFY2(*one.reason != '\0', one.name);
            QVERIFY2(excused.insert(one.name).second, one.name);
            QVERIFY2(several.count(one.name) == 1,
                     qPrintable(QStringLiteral("--%1 is said in one way: no reason is needed")
                                    .arg(QLatin1String(one.name))));
        }
        for (const std::string& name : several) {
            QString ways;
            for (const auto& [way, command] : said[name])
                ways +=
                    QStringLiteral("\n  %1: %2").arg(QString::fromStdString(command), way.second);
            QVERIFY2(excused.count(name) == 1,
                     qPrintable(QStringLiteral("--%1 is several things; choose one, or say why%2")
                                    .arg(QString::fromStdString(name), ways)));
        }
    }

    /// An old name is in no help and no completion, and names nothing else where it is read.
    void oldNamesAreHidden()
    {
        std::set<std::string> names, old, still;
        for (const OtherwiseSaid& one : stillNames)
            still.insert(one.name);
        for (const Command& command : allCommands()) {
            std::set<std::string> own;
            for (const Option& option : allOptions(command)) {
                QVERIFY2(own.insert(option.name).second, option.name.c_str());
                names.insert(option.name);
            }
            std::set<std::string_view> before;
            for (const Option& option : allOptions(command))
                for (const OldSpelling& one : option.formerly) {
                    QVERIFY2(own.count(std::string(one.name)) == 0, option.name.c_str());
                    QVERIFY2(before.insert(one.name).second, option.name.c_str());
                    old.insert(std::string(one.name));
                }
            const Screen screen;
            const QString help = QString::fromStdString(helpOf(command, screen));
            for (const std::string_view one : before)
                QVERIFY2(!help.contains(QRegularExpression(
                             QStringLiteral("(^|\\n) *--%1\\b(?!-)")
                                 .arg(QString::fromUtf8(one.data(), qsizetype(one.size()))))),
                         qPrintable(help));
        }
        QVERIFY(!old.empty());
        for (const std::string& one : old)
            QVERIFY2((names.count(one) == 1) == (still.count(one) == 1), one.c_str());
    }

    void oldNamesAreReadAndToldOnce_data()
    {
        QTest::addColumn<QString>("old");
        QTest::addColumn<QString>("now");
        QTest::addColumn<QString>("told");
        const auto row = [](const char* old, const char* now, const char* told) {
            QTest::newRow(old) << QString::fromLatin1(old) << QString::fromLatin1(now)
                               << QString::fromLatin1(told);
        };
        row("plan --model tiny --global-batch 8 --gpus 2 --recompute full --json",
            "plan --model tiny --global-batch 8 --gpus 2 --recompute-policy full --json",
            "'--recompute' is an old name, and goes with the next version: "
            "--recompute-policy=full");
        row("plan --model tiny --global-batch 8 --gpus 2 --memory 40 --json",
            "plan --model tiny --global-batch 8 --gpus 2 --memory-limit 40GiB --json",
            "'--memory' is an old name, and goes with the next version: --memory-limit=40");
        row("query --seconds 0 x", "query --time-limit 0 x", "");
        row("noise kfkb --adapt --devices 2 --batch 8 --hold 4 --iterations 3 --json",
            "noise kfkb --adapt --devices 2 --global-batch 8 --memory-limit 4 --iterations 3 "
            "--json",
            "'--hold' is an old name, and goes with the next version: --memory-limit=4");
        row("plan --model tiny --global-batch 8 --gpus 2 --memory 80GB --json",
            "plan --model tiny --global-batch 8 --gpus 2 --memory-limit 80GB --json",
            "'--memory' is an old name, and goes with the next version: --memory-limit=80GB");
        row("run 1f1c --samples=2", "run 1f1c --micro-batch-size 2",
            "'--samples' is an old name, and goes with the next version: --micro-batch-size=2");
    }
    void oldNamesAreReadAndToldOnce()
    {
        QFETCH(QString, old);
        QFETCH(QString, now);
        QFETCH(QString, told);
        const auto said = [](const QString& line) {
            std::vector<std::string> words;
            for (const QString& word : line.split(' '))
                words.push_back(word.toStdString());
            std::ostringstream out, err;
            const ExitCode code = runProgram(words, out, err);
            return std::tuple{code, QString::fromStdString(out.str()),
                              QString::fromStdString(err.str())};
        };
        const auto [code, out, err] = said(old);
        const auto [codeNow, outNow, errNow] = said(now);
        QCOMPARE(code, codeNow);
        QCOMPARE(out, outNow);
        QCOMPARE(err.count(told), told.isEmpty() ? err.size() + 1 : 1);
        QVERIFY(!errNow.contains(QStringLiteral("old name")));
    }

    /// A number of `--cap` was of activations of one chunk, of which a device has two here.
    void capsKeepTheirMeaning()
    {
        const std::vector<Option>& options = allOptions(*findCommand("optimise"));
        const auto limit = [&options](const char* word) {
            const std::vector<std::string> words = {word};
            return parse(options, words)->text("memory-limit");
        };
        QCOMPARE(limit("--cap=12"), std::string("12chunks"));
        QCOMPARE(limit("--cap=6mb"), std::string("6mb"));
        QCOMPARE(limit("--cap=none"), std::string("none"));
        QCOMPARE(limit("--memory-limit=12"), std::string("12"));
    }
};

PW_TEST(TestOptionNames)
#include "tst_option_names.moc"
