// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "tests/support/test_program.h"

#include <QString>
#include <QTest>

#include <sstream>

using namespace pw::app;

namespace {

QString textOf(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

/// A text as the page has it.
QString escaped(QString text)
{
    return text.replace(QLatin1Char('-'), QLatin1String("\\-"))
        .replace(QLatin1Char('\''), QLatin1String("\\(aq"));
}

} // namespace

class TestManual : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        std::ostringstream out, err;
        QCOMPARE(runProgram({"help", "--roff"}, out, err), ExitCode::Good);
        QVERIFY(err.str().empty());
        m_page = QString::fromStdString(out.str());
    }

    void everyCommandIsThereWithItsOptions_data()
    {
        QTest::addColumn<QString>("name");
        for (const Command& command : allCommands())
            QTest::newRow(qPrintable(textOf(command.name))) << textOf(command.name);
    }

    /// Between a command's heading and the next one stands what its --help has.
    void everyCommandIsThereWithItsOptions()
    {
        QFETCH(QString, name);
        const Command* command = findCommand(name.toStdString());
        const QString heading = QStringLiteral(".SS \"") + escaped(name);
        const qsizetype begin = m_page.indexOf(heading);
        QVERIFY(begin >= 0);
        const qsizetype next = m_page.indexOf(QStringLiteral("\n.S"), begin + 1);
        const QString part = m_page.mid(begin, next - begin);
        for (const Option& option : allOptions(*command)) {
            const QString label = escaped(QString::fromStdString(optionLabel(option)));
            QVERIFY2(part.contains(QStringLiteral(".B \"") + label + QLatin1Char('"')),
                     qPrintable(label));
        }
        for (const std::string_view example : command->examples)
            QVERIFY2(part.contains(escaped(textOf(example))), qPrintable(textOf(example)));
    }

    void theExitCodesOfTheHelpAreThere()
    {
        std::ostringstream out, err;
        QCOMPARE(runProgram({"help", "help"}, out, err), ExitCode::Good);
        const QString help = QString::fromStdString(out.str()).simplified();
        QCOMPARE(exitMeanings().size(), std::size_t{4});
        for (const auto& [code, meaning] : exitMeanings()) {
            const QString number = textOf(code);
            QVERIFY(help.contains(number + QLatin1Char(' ') + textOf(meaning)));
            QVERIFY(m_page.contains(QStringLiteral(".B \"") + number + QStringLiteral("\"\n") +
                                    escaped(textOf(meaning))));
        }
    }

    /// The overview has each command once, under what it is for, on a screen of 60 lines.
    void theOverviewHasEveryCommandInAGroup()
    {
        std::ostringstream out, err;
        QCOMPARE(runProgram({"help"}, out, err), ExitCode::Good);
        const QStringList lines =
            QString::fromStdString(out.str()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QVERIFY(lines.size() < 60);
        for (const Command& command : allCommands()) {
            QVERIFY2(command.group.has_value(), command.name.data());
            const QString begin = QStringLiteral("  ") + textOf(command.name) + QLatin1Char(' ');
            QCOMPARE(std::count_if(lines.begin(), lines.end(),
                                   [&](const QString& line) {
                                       return line.startsWith(begin) &&
                                              line.endsWith(textOf(command.summary));
                                   }),
                     1);
        }
    }

    void theShortHelpNamesEveryOption_data() { everyCommandIsThereWithItsOptions_data(); }

    /// What several commands share is named only, and explained by `help options`.
    void theShortHelpNamesEveryOption()
    {
        QFETCH(QString, name);
        std::ostringstream out, whole, shared, err;
        QCOMPARE(runProgram({name.toStdString(), "-h"}, out, err), ExitCode::Good);
        QCOMPARE(runProgram({name.toStdString(), "--help"}, whole, err), ExitCode::Good);
        QCOMPARE(runProgram({"help", "options"}, shared, err), ExitCode::Good);
        const QString brief = QString::fromStdString(out.str());
        QVERIFY(brief.size() <= QString::fromStdString(whole.str()).size() + 200);
        QVERIFY(brief.count(QLatin1Char('\n')) <= 110);
        const Command* command = findCommand(name.toStdString());
        for (const Option& option : allOptions(*command)) {
            const QString dashed = QStringLiteral("--") + QString::fromStdString(option.name);
            QVERIFY2(brief.contains(dashed), qPrintable(dashed));
            const QString label = QString::fromStdString(optionLabel(option));
            if (!brief.contains(QStringLiteral("\n  ") + label))
                QVERIFY2(
                    QString::fromStdString(shared.str()).contains(QStringLiteral("\n  ") + dashed),
                    qPrintable(dashed));
        }
    }

private:
    QString m_page;
};

PW_TEST(TestManual)
#include "tst_manual.moc"
