// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/origin_costs.h"
#include "tests/support/test_program.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/model_dialog.h"
#include "ui/panels/spec_panel.h"
#include "ui/presentation.h"

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

/// The dialog over a document, opened from the panel as a person does.
struct Bench
{
    ScheduleDocument document;
    SpecPanel panel;
    ModelDialog* dialog = nullptr;

    explicit Bench(const char* family = "1f1b")
    {
        document.reset(projectOf(family, {}, UniformCosts{}));
        panel.show();
        panel.setDocument(&document);
        open();
    }

    void open()
    {
        panel.openModel();
        dialog = panel.findChild<ModelDialog*>();
        dialog->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(dialog));
    }

    template<typename T>
    T* field(const QString& label) const
    {
        for (const QLabel* one : dialog->findChildren<QLabel*>())
            if (one->text().remove(QLatin1Char('&')) == label)
                return qobject_cast<T*>(one->buddy());
        return nullptr;
    }

    void type(const QString& label, const QString& keys) const
    {
        auto* box = field<QSpinBox>(label);
        QVERIFY2(box != nullptr, qPrintable(label));
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, keys);
        QTest::keyClick(box, Qt::Key_Tab);
    }

    /// Chooses from a list by its first letters.
    void choose(const QString& label, const QString& item) const
    {
        auto* box = field<QComboBox>(label);
        QVERIFY2(box != nullptr, qPrintable(label));
        box->setFocus();
        const int wanted = box->findText(item, Qt::MatchStartsWith);
        QVERIFY2(wanted >= 0, qPrintable(item));
        while (box->currentIndex() != wanted)
            QTest::keyClick(box, box->currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
    }

    QPushButton* apply() const
    {
        return dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Apply);
    }

    QString reason() const { return dialog->findChild<QLabel*>(QStringLiteral("reason"))->text(); }
};

} // namespace

class TestModelDialog : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void whatIsAppliedIsWhatTheModelCosts()
    {
        Bench bench;
        bench.choose(QStringLiteral("Model"), QStringLiteral("gpt-22b"));
        bench.choose(QStringLiteral("Machine"), QStringLiteral("NVIDIA H100"));
        CostOrigin wanted;
        wanted.model = *findModel("gpt-22b");
        wanted.hardware = "h100";
        QVERIFY(bench.dialog->origin() == wanted);
        QTest::mouseClick(bench.apply(), Qt::LeftButton);
        const Project& project = bench.document.project();
        QVERIFY(project.origin == wanted);
        QVERIFY(std::get<Costs>(project.costs) == *costsOf(wanted, project.draft.spec));
        QCOMPARE(bench.document.undoStack().count(), 1);
        QVERIFY(bench.document.schedule() != nullptr);
        bench.document.undoStack().undo();
        QVERIFY(!bench.document.project().origin);
        QVERIFY(std::holds_alternative<UniformCosts>(bench.document.project().costs));
        bench.document.undoStack().redo();
        QVERIFY(bench.document.project().origin == wanted);
    }

    void anotherNumberOfDevicesAsksTheModelAgain()
    {
        Bench bench;
        bench.choose(QStringLiteral("Model"), QStringLiteral("gpt-1.7b"));
        QTest::mouseClick(bench.apply(), Qt::LeftButton);
        auto* devices = bench.panel.findChild<QSpinBox*>(QStringLiteral("devices"));
        devices->setFocus();
        QTest::keyClick(devices, Qt::Key_Up);
        QTest::keyClick(devices, Qt::Key_Up);
        const Project& project = bench.document.project();
        QCOMPARE(project.draft.spec.devices, 6);
        QVERIFY(project.origin.has_value());
        QVERIFY(std::get<Costs>(project.costs) == *costsOf(*project.origin, project.draft.spec));
        // 24 layers do not fill 25 stages: refused, and the field goes back.
        devices->selectAll();
        QTest::keyClicks(devices, QStringLiteral("25"));
        QTest::keyClick(devices, Qt::Key_Return);
        QCOMPARE(devices->value(), 6);
    }

    void thePreviewHasEveryStage()
    {
        Bench bench("zb-v");
        bench.choose(QStringLiteral("Model"), QStringLiteral("gpt-1.7b"));
        auto* stages = bench.dialog->findChild<QTableWidget*>();
        QCOMPARE(stages->rowCount(), 8);
        QCOMPARE(stages->item(0, 0)->text(), QStringLiteral("0"));
        QCOMPARE(stages->item(7, 0)->text(), QStringLiteral("0"));
        QCOMPARE(stages->item(0, 1)->text(), QStringLiteral("3 + embedding"));
        QCOMPARE(stages->item(7, 1)->text(), QStringLiteral("3 + output"));
        QVERIFY(bench.dialog->findChild<QLabel*>(QStringLiteral("summary"))
                    ->text()
                    .contains(QStringLiteral("2048 tokens")));
    }

    void aModelThatCannotBeSaysWhy_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("keys");
        QTest::addColumn<QString>("expected");
        QTest::newRow("heads") << QStringLiteral("Heads") << QStringLiteral("7")
                               << QStringLiteral("heads");
        QTest::newRow("fewer layers than stages")
            << QStringLiteral("Layers") << QStringLiteral("2") << QStringLiteral("layers");
    }

    void aModelThatCannotBeSaysWhy()
    {
        QFETCH(QString, field);
        QFETCH(QString, keys);
        QFETCH(QString, expected);
        Bench bench;
        QVERIFY(bench.apply()->isEnabled());
        bench.type(field, keys);
        QVERIFY2(bench.reason().contains(expected), qPrintable(bench.reason()));
        QVERIFY(!bench.apply()->isEnabled());
        QCOMPARE(bench.dialog->findChild<QTableWidget*>()->rowCount(), 0);
    }

    void aSplitIsTyped()
    {
        Bench bench;
        bench.choose(QStringLiteral("Model"), QStringLiteral("gpt-1.7b"));
        auto* split = bench.field<QComboBox>(QStringLiteral("Layer split"));
        split->lineEdit()->setFocus();
        split->lineEdit()->selectAll();
        QTest::keyClicks(split->lineEdit(), QStringLiteral("5,7,7"));
        QVERIFY2(bench.reason().contains(QStringLiteral("3 stages")), qPrintable(bench.reason()));
        QTest::keyClicks(split->lineEdit(), QStringLiteral(",5"));
        QCOMPARE(bench.reason(), QString());
        QCOMPARE(bench.dialog->findChild<QTableWidget*>()->item(1, 1)->text(), QStringLiteral("7"));
    }

    void ownNumbersKeepThePresetsName()
    {
        Bench bench;
        bench.choose(QStringLiteral("Model"), QStringLiteral("gpt-1.7b"));
        bench.type(QStringLiteral("Micro-batch"), QStringLiteral("4"));
        QCOMPARE(bench.dialog->origin().model.dense.microBatch, 4);
        QCOMPARE(QString::fromStdString(bench.dialog->origin().model.dense.name),
                 QStringLiteral("gpt-1.7b, changed"));
        QTest::mouseClick(bench.apply(), Qt::LeftButton);
        // It opens with them again.
        QTRY_VERIFY(bench.panel.findChild<ModelDialog*>() == nullptr);
        bench.open();
        QCOMPARE(bench.dialog->origin().model.dense.microBatch, 4);
    }
};

PW_WINDOW_TEST(TestModelDialog)
#include "tst_model_dialog.moc"
