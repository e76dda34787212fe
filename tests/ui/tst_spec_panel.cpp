// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/io/costs_file.h"
#include "tests/support/test_program.h"
#include "ui/panels/links_dialog.h"
#include "ui/panels/spec_panel.h"
#include "ui/presentation.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

using namespace pw;
using namespace pw::ui;

namespace {

/// A panel over an open schedule.
struct Bench
{
    ScheduleDocument document;
    SpecPanel panel;

    explicit Bench(const char* family = "1f1b", FamilyOptions options = {})
    {
        open(projectOf(family, options, UniformCosts{}));
    }

    void open(Project project)
    {
        document.reset(std::move(project));
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        panel.setDocument(&document);
    }

    template<typename T>
    T* field(const char* name) const
    {
        return panel.findChild<T*>(QString::fromLatin1(name));
    }

    /// Types into a field as a person does, and leaves it with Enter.
    void type(const char* name, const QString& keys) const
    {
        auto* widget = field<QWidget>(name);
        QVERIFY2(widget != nullptr, name);
        widget->setFocus();
        if (auto* box = qobject_cast<QAbstractSpinBox*>(widget); box != nullptr)
            box->selectAll();
        if (auto* line = qobject_cast<QLineEdit*>(widget); line != nullptr)
            line->selectAll();
        QTest::keyClick(widget, Qt::Key_Delete);
        QTest::keyClicks(widget, keys);
        QTest::keyClick(widget, Qt::Key_Return);
    }

    /// Reasons that can be read now.
    QString refusals() const
    {
        QString all;
        for (const QLabel* label : panel.findChildren<QLabel*>(QStringLiteral("refusal")))
            if (!label->isHidden())
                all += label->text();
        return all;
    }

    const UniformCosts& uniform() const { return std::get<UniformCosts>(document.project().costs); }
    const Costs& tables() const { return std::get<Costs>(document.project().costs); }
};

Project ownOrder(const char* family = "1f1b")
{
    const Project made = projectOf(family, {}, UniformCosts{});
    Project own;
    own.draft = draftOf(*scheduleOf(made));
    own.costs = UniformCosts{};
    return own;
}

} // namespace

class TestSpecPanel : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void everyFieldHasANameForThoseWhoCannotSeeIt()
    {
        const Bench bench("interleaved-1f1b");
        for (const QWidget* field : bench.panel.findChildren<QWidget*>()) {
            const bool editor =
                qobject_cast<const QAbstractSpinBox*>(field) != nullptr ||
                (qobject_cast<const QLineEdit*>(field) != nullptr &&
                 qobject_cast<const QAbstractSpinBox*>(field->parent()) == nullptr) ||
                qobject_cast<const QCheckBox*>(field) != nullptr;
            if (editor)
                QVERIFY2(!field->accessibleName().isEmpty(), qPrintable(field->objectName()));
            if (editor && field->isVisible())
                QVERIFY2(field->height() >= 24, qPrintable(field->objectName()));
        }
    }

    void whatIsTypedChangesTheScheduleInOneStep_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("keys");
        QTest::newRow("devices") << QByteArray("devices") << QStringLiteral("6");
        QTest::newRow("micro-batches") << QByteArray("micro-batches") << QStringLiteral("12");
        QTest::newRow("steps") << QByteArray("steps") << QStringLiteral("3");
        QTest::newRow("F") << QByteArray("forward") << QStringLiteral("2.5");
        QTest::newRow("B") << QByteArray("backward") << QStringLiteral("2.5");
        QTest::newRow("W") << QByteArray("weight") << QStringLiteral("0.25");
        QTest::newRow("link") << QByteArray("hop") << QStringLiteral("0.1");
        QTest::newRow("activation") << QByteArray("activation") << QStringLiteral("128");
        QTest::newRow("cap") << QByteArray("memory-cap") << QStringLiteral("10");
        QTest::newRow("caps") << QByteArray("memory-cap") << QStringLiteral("10, 10, 8, 8");
    }

    void whatIsTypedChangesTheScheduleInOneStep()
    {
        QFETCH(QByteArray, name);
        QFETCH(QString, keys);
        // A cap for each device is one in bytes.
        UniformCosts costs;
        costs.activation = Bytes{1} << 28;
        Bench bench;
        bench.open(projectOf("1f1b", {}, costs));
        const Project before = bench.document.project();
        bench.type(name.constData(), keys);
        QCOMPARE(bench.refusals(), QString());
        QVERIFY(bench.document.project() != before);
        QCOMPARE(bench.document.undoStack().count(), 1);
        QVERIFY(bench.document.schedule() != nullptr);
        bench.document.undoStack().undo();
        QVERIFY(bench.document.project() == before);
        bench.document.undoStack().redo();
        QVERIFY(bench.document.project() != before);
    }

    void stepsOfOneVisitToAFieldAreOneStepOfTheHistory()
    {
        Bench bench;
        auto* devices = bench.field<QSpinBox>("devices");
        devices->setFocus();
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(devices, Qt::Key_Up);
        QCOMPARE(bench.document.schedule()->devices(), 8);
        QCOMPARE(bench.document.undoStack().count(), 1);
        bench.field<QSpinBox>("micro-batches")->setFocus();
        devices->setFocus();
        QTest::keyClick(devices, Qt::Key_Up);
        QCOMPARE(bench.document.undoStack().count(), 2);
        bench.document.undoStack().undo();
        QCOMPARE(devices->value(), 8);
        bench.document.undoStack().undo();
        QCOMPARE(devices->value(), 4);
    }

    void aFieldThatCannotBeSaysWhyAndGoesBack()
    {
        Bench bench("dualpipe");
        auto* devices = bench.field<QSpinBox>("devices");
        bench.type("devices", QStringLiteral("5"));
        QCOMPARE(devices->value(), 4);
        const QString said = bench.refusals();
        QVERIFY2(said.startsWith(QStringLiteral("Devices is 5; ")) &&
                     said.endsWith(QLatin1Char('.')),
                 qPrintable(said));
        QCOMPARE(devices->accessibleDescription(), said);
        QCOMPARE(bench.document.undoStack().count(), 0);
        // The reason stands under its field and goes with the next change.
        for (const QLabel* label : bench.panel.findChildren<QLabel*>(QStringLiteral("refusal")))
            if (!label->isHidden())
                QVERIFY(label->geometry().top() >= devices->geometry().bottom());
        bench.type("devices", QStringLiteral("2"));
        QCOMPARE(bench.refusals(), QString());
        QCOMPARE(devices->value(), 2);
    }

    void parametersFollowTheFamily()
    {
        Bench bench("interleaved-1f1b");
        auto* chunks = bench.field<QDoubleSpinBox>("chunks");
        QVERIFY(chunks != nullptr);
        QVERIFY(chunks->toolTip().contains(QStringLiteral("from 1")));
        bench.type("chunks", QStringLiteral("3"));
        QCOMPARE(bench.document.project().draft.spec.stages(), 12);
        QCOMPARE(bench.field<QLineEdit>("placement")->text(), QStringLiteral("looped 3"));
        bench.open(projectOf("1f1b", {}, UniformCosts{}));
        QTRY_VERIFY(bench.field<QDoubleSpinBox>("chunks") == nullptr);
    }

    void aFlagIsACheckAndAChoiceAList()
    {
        Bench bench("interleaved-1f1b");
        auto* overlap = bench.field<QCheckBox>("overlap");
        QVERIFY(overlap != nullptr);
        QVERIFY(!overlap->isChecked());
        overlap->click();
        QVERIFY((bench.document.project().family->options.parameters ==
                 std::vector<std::pair<std::string, double>>{{"overlap", 1}}));
        QVERIFY(bench.document.undoStack().undoText().contains(QStringLiteral("overlap")));
        bench.document.undoStack().undo();
        QVERIFY(!overlap->isChecked());

        bench.open(projectOf("zb-v", {}, UniformCosts{}));
        QTRY_VERIFY(bench.field<QComboBox>("order") != nullptr);
        auto* order = bench.field<QComboBox>("order");
        QCOMPARE(order->count(), 3);
        QCOMPARE(order->currentText(), QStringLiteral("best"));
        order->setCurrentIndex(1);
        Q_EMIT order->activated(1);
        QVERIFY((bench.document.project().family->options.parameters ==
                 std::vector<std::pair<std::string, double>>{{"order", 1}}));
        bench.document.undoStack().undo();
        QCOMPARE(order->currentText(), QStringLiteral("best"));
    }

    void segmentLengthsBringTheirNumber()
    {
        Bench bench("seq1f1b");
        bench.type("segment-lengths", QStringLiteral("3, 2, 1"));
        QCOMPARE(bench.refusals(), QString());
        QVERIFY((bench.document.project().draft.spec.segmentLengths == std::vector<int>{3, 2, 1}));
        QCOMPARE(bench.field<QDoubleSpinBox>("segments")->value(), 3.0);
        bench.type("segments", QStringLiteral("2"));
        QVERIFY((bench.document.project().draft.spec.segmentLengths == std::vector<int>{1, 1}));
        bench.type("segment-lengths", QStringLiteral("1, half"));
        QVERIFY(bench.refusals().contains(QStringLiteral("not “half”")));
        QCOMPARE(bench.field<QLineEdit>("segment-lengths")->text(), QString());
    }

    void anOrderOfItsOwnTakesMoreAndLosesNothing()
    {
        Bench bench;
        bench.open(ownOrder());
        const DeviceOrders orders = bench.document.project().draft.orders;
        bench.type("micro-batches", QStringLiteral("10"));
        QCOMPARE(bench.refusals(), QString());
        QVERIFY(bench.document.project().draft.orders == orders);
        QCOMPARE(bench.document.problems().count, 2 * 4 * 2);
        QVERIFY(bench.document.schedule() == nullptr);
        bench.type("devices", QStringLiteral("5"));
        QCOMPARE(bench.document.project().draft.orders.size(), std::size_t{5});
        bench.document.undoStack().undo();
        bench.document.undoStack().undo();
        QVERIFY(bench.document.schedule() != nullptr);
        bench.type("micro-batches", QStringLiteral("7"));
        QVERIFY2(bench.refusals().contains(
                     QStringLiteral("8 passes, the first F of micro-batch 7 on stage 0")),
                 qPrintable(bench.refusals()));
        QCOMPARE(bench.field<QSpinBox>("micro-batches")->value(), 8);
    }

    void thePlacementOfAnOwnOrderIsTyped()
    {
        Bench bench;
        Project empty = ownOrder();
        for (auto& order : empty.draft.orders)
            order.clear();
        bench.open(empty);
        bench.type("placement", QStringLiteral("v"));
        QCOMPARE(bench.refusals(), QString());
        QCOMPARE(bench.document.project().draft.spec.stages(), 8);
        bench.type("placement", QStringLiteral("0 1 9"));
        QVERIFY2(bench.refusals().contains(QStringLiteral("placed on device 9")),
                 qPrintable(bench.refusals()));
        QCOMPARE(bench.field<QLineEdit>("placement")->text(), QStringLiteral("V"));
        bench.open(projectOf("zb-v", {}, UniformCosts{}));
        QVERIFY(bench.field<QLineEdit>("placement")->isReadOnly());
    }

    void aCapIsShownInFewDigitsAndKept()
    {
        Bench bench;
        UniformCosts costs;
        costs.activation = Bytes{1} << 30;
        costs.memoryCap = 80'000'000'000;
        bench.open(projectOf("zb-v", {}, costs));
        auto* cap = bench.field<QLineEdit>("memory-cap");
        QCOMPARE(cap->text(), QStringLiteral("74.51"));
        // Going through the field changes nothing.
        bench.type("memory-cap", QStringLiteral("74.51"));
        QCOMPARE(bench.uniform().memoryCap, Bytes{80'000'000'000});
        bench.type("memory-cap", QStringLiteral("74.5"));
        QCOMPARE(bench.uniform().memoryCap, static_cast<Bytes>(74.5 * (Bytes{1} << 30)));
    }

    void capsOfTheirOwnMakeATable()
    {
        UniformCosts sized;
        sized.activation = Bytes{1} << 30;
        Bench bench;
        bench.open(projectOf("1f1b", {}, sized));
        bench.type("memory-cap", QStringLiteral("80"));
        QCOMPARE(bench.uniform().memoryCap, Bytes{80} << 30);
        bench.type("memory-cap", QStringLiteral("80, 80, 40, 40"));
        QVERIFY((bench.tables().memoryCap == std::vector<Bytes>{Bytes{80} << 30, Bytes{80} << 30,
                                                                Bytes{40} << 30, Bytes{40} << 30}));
        QCOMPARE(bench.field<QLineEdit>("memory-cap")->text(), QStringLiteral("80, 80, 40, 40"));
        bench.type("memory-cap", QStringLiteral("80, 80"));
        QVERIFY(
            bench.refusals().contains(QStringLiteral("2 memory limits are given for 4 devices")));
        bench.type("memory-cap", {});
        QVERIFY(bench.tables().memoryCap.empty());
        // What is a table now goes back to equal stages.
        for (auto* button : bench.panel.findChildren<QToolButton*>())
            if (button->text() == QStringLiteral("Back to equal stages"))
                QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(bench.uniform() == sized);
    }

    void aTableForOtherDevicesIsAskedForInWords()
    {
        Bench bench;
        Project project = bench.document.project();
        Costs costs = expand({}, project.draft.spec);
        costs.forward[2] = 5 * ticksPerMs;
        project.costs = costs;
        bench.open(project);
        QVERIFY(!bench.field<QDoubleSpinBox>("forward")->isVisible());
        bench.type("devices", QStringLiteral("6"));
        QVERIFY2(bench.refusals().contains(QStringLiteral("times of F differ between the stages")),
                 qPrintable(bench.refusals()));
        QCOMPARE(bench.field<QSpinBox>("devices")->value(), 4);
    }

    void theWheelScrollsPastAFieldThatIsNotChosen()
    {
        Bench bench;
        auto* devices = bench.field<QSpinBox>("devices");
        bench.field<QSpinBox>("steps")->setFocus();
        const QPointF middle = QRectF(devices->rect()).center();
        QWheelEvent wheel(middle, devices->mapToGlobal(middle), {}, {0, 120}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(devices, &wheel);
        QCOMPARE(devices->value(), 4);
        QVERIFY(!wheel.isAccepted());
    }

    void linksAreSetForAllOrOneByOne()
    {
        Bench bench;
        bench.panel.openLinks();
        auto* dialog = bench.panel.findChild<LinksDialog*>();
        QVERIFY(dialog != nullptr);
        const auto apply = [](QDialog* of) {
            QTest::mouseClick(of->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Apply),
                              Qt::LeftButton);
        };
        QLineEdit* latency = nullptr;
        for (auto* label : dialog->findChildren<QLabel*>())
            if (label->text() == QStringLiteral("&Latency"))
                latency = qobject_cast<QLineEdit*>(label->buddy());
        QVERIFY(latency != nullptr);
        latency->setFocus();
        latency->selectAll();
        QTest::keyClicks(latency, QStringLiteral("soon"));
        QVERIFY(
            !dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Apply)->isEnabled());
        QVERIFY(dialog->findChild<QLabel*>(QStringLiteral("reason"))
                    ->text()
                    .contains(QStringLiteral("not “soon”")));
        latency->selectAll();
        QTest::keyClicks(latency, QStringLiteral("0.25"));
        apply(dialog);
        QCOMPARE(bench.uniform().hop, ticksPerMs / 4);
        QCOMPARE(bench.document.undoStack().count(), 1);
        QTRY_VERIFY(bench.panel.findChild<LinksDialog*>() == nullptr);

        bench.panel.openLinks();
        dialog = bench.panel.findChild<LinksDialog*>();
        dialog->findChildren<QRadioButton*>().constLast()->click();
        apply(dialog);
        QCOMPARE(bench.tables().links.size(), std::size_t{16});
        QCOMPARE(bench.tables().links[1].latency, ticksPerMs / 4);
        QCOMPARE(bench.tables().links[0].latency, Ticks{0});
    }

    void aLinkTraceIsReadAsItIsWritten_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("written");
        QTest::newRow("nothing") << QString() << QString();
        QTest::newRow("two") << QStringLiteral("0:1,20.5:5") << QStringLiteral("0:1, 20.5:5");
        QTest::newRow("no factor") << QStringLiteral("20") << QStringLiteral("refused");
        QTest::newRow("falling") << QStringLiteral("20:2, 10:1") << QStringLiteral("refused");
        QTest::newRow("no slowdown") << QStringLiteral("0:0") << QStringLiteral("refused");
        QTest::newRow("words") << QStringLiteral("soon:2") << QStringLiteral("refused");
    }

    void aLinkTraceIsReadAsItIsWritten()
    {
        QFETCH(QString, typed);
        QFETCH(QString, written);
        const auto trace = parseLinkTrace(typed);
        QCOMPARE(trace ? linkTraceText(*trace) : QStringLiteral("refused"), written);
    }

    void measuredCostsAreReadFromAFile()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("costs.json"));
        CostsFile file;
        file.backend = "cpu";
        file.devices = 4;
        file.stages = 4;
        for (const PassKind kind : {PassKind::F, PassKind::BW})
            for (const StageId stage : Ids<StageId>(4))
                file.passes.push_back(
                    {kind, false, stage, 0, spreadOf({(stage + 1) * ticksPerMs})});
        QVERIFY(saveCosts(file, path.toStdString()));
        Bench bench;
        bench.panel.readCostsFile(path);
        QTRY_VERIFY(std::holds_alternative<Costs>(bench.document.project().costs));
        QCOMPARE(bench.tables().forward[3], 4 * ticksPerMs);
        QCOMPARE(bench.document.undoStack().count(), 1);
        bench.document.undoStack().undo();
        // One that is for other stages, and one that is none, change nothing.
        bench.type("devices", QStringLiteral("6"));
        bench.panel.readCostsFile(path);
        QTRY_VERIFY(bench.refusals().contains(QStringLiteral("stages")));
        bench.panel.readCostsFile(folder.filePath(QStringLiteral("none.json")));
        QTRY_VERIFY(bench.refusals().contains(QStringLiteral("none.json")));
        QVERIFY(bench.uniform() == UniformCosts{});
    }
};

PW_WINDOW_TEST(TestSpecPanel)
#include "tst_spec_panel.moc"
