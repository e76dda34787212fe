// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/run/connection.h"
#include "ui/run/connection_test.h"
#include "ui/run/connections_dialog.h"

#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTest>

using namespace pw::ui;

class TestTorchConnection : public QObject
{
    Q_OBJECT

private slots:
    void thePackageOfThisTreeIsFound()
    {
        const Connection torch = torchConnection();
        const pw::Result<QStringList> words = commandWords(torch.command);
        QVERIFY(words);
        QCOMPARE(words->front(), "env");
        QVERIFY(words->at(1).startsWith("PYTHONPATH="));
        const QString folder = words->at(1).mid(11);
        QVERIFY2(QFileInfo(folder + "/pipewright_torch/__main__.py").isFile(), qPrintable(folder));
        QCOMPARE(words->mid(2), (QStringList{"python3", "-m", "pipewright_torch"}));
    }

    /// Without PyTorch it says so; with it, what it finds. Either way it answers as an executor.
    void itAnswersAsAnExecutor()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty())
            QSKIP("there is no python3");
        ConnectionTest test;
        ConnectionReport report;
        bool ended = false;
        connect(&test, &ConnectionTest::ended, this, [&](const ConnectionReport& told) {
            report = told;
            ended = true;
        });
        test.start(torchConnection(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(ended, 60'000);
        QVERIFY2(report.good(), qPrintable(report.text() + report.output));
        QVERIFY(report.findings.ordersOnly);
        const FoundBackend* cpu = report.findings.backend(QStringLiteral("cpu"));
        QVERIFY(cpu != nullptr);
        QVERIFY(cpu->available || cpu->missing.contains("PyTorch 2.6"));
    }

    void ourOwnExecutorTakesFamiliesToo()
    {
        const auto findings = readFindings(
            R"([{"name":"cpu","available":true,"program":"0.1.0","wire_protocol":1}])");
        QVERIFY(findings);
        QVERIFY(!findings->ordersOnly);
    }

    void theDialogAddsIt()
    {
        Connections connections(QStringLiteral("pipewright"));
        ConnectionsDialog dialog(connections);
        auto* button = dialog.findChild<QPushButton*>(QStringLiteral("torch"));
        QVERIFY(button != nullptr);
        button->click();
        QCOMPARE(dialog.findChild<QLineEdit*>(QStringLiteral("name"))->text(), "PyTorch");
        QVERIFY(dialog.findChild<QLineEdit*>(QStringLiteral("command"))
                    ->text()
                    .endsWith("python3 -m pipewright_torch"));
    }
};

PW_WINDOW_TEST(TestTorchConnection)
#include "tst_torch_connection.moc"
