// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "tests/support/test_program.h"
#include "ui/panels/palette_model.h"
#include "ui/panels/palette_panel.h"
#include "ui/panels/spec_panel.h"
#include "ui/presentation.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

using namespace pw;
using namespace pw::ui;

class TestPanels : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void thePaletteHasEveryFamilyWithAPicture()
    {
        PaletteModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        int families = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex index = model.index(row);
            const auto kind = static_cast<PaletteKind>(index.data(PaletteModel::KindRole).toInt());
            families += kind == PaletteKind::Family ? 1 : 0;
            if (kind == PaletteKind::Section)
                continue;
            QVERIFY2(index.data(PaletteModel::PictureRole).value<QPixmap>().width() > 1,
                     qPrintable(index.data().toString()));
        }
        QCOMPARE(families, static_cast<int>(allFamilies().size()));
    }

    void aRowIsDraggedUnderItsName()
    {
        PaletteModel model;
        const std::unique_ptr<QMimeData> data(model.mimeData({model.index(1)}));
        QCOMPARE(QString::fromUtf8(data->data(QString::fromLatin1(paletteMimeType))),
                 QStringLiteral("family ") + text(allFamilies().front().id));
        QVERIFY((model.flags(model.index(0)) & Qt::ItemIsDragEnabled) == 0);
    }

    void searchFindsAPaperAndEnterTakesIt()
    {
        PalettePanel panel;
        panel.resize(260, 600);
        panel.show();
        QSignalSpy spy(&panel, &PalettePanel::chosen);
        auto* search = panel.findChild<QLineEdit*>();
        search->setText(QStringLiteral("2303.01675"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.last().first().value<PaletteItem>().id, QStringLiteral("kfkb"));
        search->setText(QStringLiteral("no such thing"));
        QCOMPARE(panel.list()->model()->rowCount(), 0);
    }

    void theCurrentRowIsExplained()
    {
        PalettePanel panel;
        panel.show();
        auto* search = panel.findChild<QLineEdit*>();
        const auto* detail = panel.findChild<QLabel*>(QStringLiteral("palette-detail"));
        search->setText(QStringLiteral("kfkb"));
        QTest::keyClick(search, Qt::Key_Down);
        QVERIFY2(detail->text().contains(QStringLiteral("2303.01675")), qPrintable(detail->text()));
        QVERIFY2(detail->text().contains(QStringLiteral("group 2")), qPrintable(detail->text()));
        search->setText(QStringLiteral("no such thing"));
        QVERIFY2(detail->text().contains(QStringLiteral("no such thing")),
                 qPrintable(detail->text()));
    }

    void aTileIsPlacedByMouseAndKey()
    {
        PalettePanel panel;
        panel.show();
        QSignalSpy spy(&panel, &PalettePanel::chosen);
        QAbstractButton* tile = nullptr;
        const QList<QAbstractButton*> buttons = panel.findChildren<QAbstractButton*>();
        for (QAbstractButton* button : buttons)
            if (button->text() == QStringLiteral("BW"))
                tile = button;
        QVERIFY(tile != nullptr);
        QVERIFY(tile->height() >= 24);
        QTest::mouseClick(tile, Qt::LeftButton);
        QTest::keyClick(tile, Qt::Key_Return);
        QCOMPARE(spy.count(), 2);
        for (const QList<QVariant>& chosen : spy)
            QCOMPARE(chosen.first().value<PaletteItem>().text(), QStringLiteral("pass BW"));
    }

    void everyRowIsReadBackFromItsText()
    {
        PaletteModel model;
        model.setOwnBlocks({BuildingBlock{}, BuildingBlock{}});
        model.setMicroBatches(7);
        int own = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const auto item = model.index(row).data(PaletteModel::ItemRole).value<PaletteItem>();
            if (item.kind == PaletteKind::Section)
                continue;
            own += item.kind == PaletteKind::OwnBlock ? 1 : 0;
            std::optional<PaletteItem> read = PaletteItem::parse(item.text());
            QVERIFY2(read, qPrintable(item.text()));
            const bool isBlock =
                item.kind == PaletteKind::Block || item.kind == PaletteKind::OwnBlock;
            QCOMPARE(read->microBatches, isBlock ? 7 : 1);
            QCOMPARE(read->text(), item.text());
        }
        QCOMPARE(own, 2);
    }

    void textsThatMeanNoItemAreRefused()
    {
        for (const char* text : {"", "family", "family a b", "own-block x", "own-block -1",
                                 "block zb-v 0", "block zb-v 1 2", "thing zb-v", "pass"})
            QVERIFY2(!PaletteItem::parse(QString::fromLatin1(text)), text);
    }

    void ownBlocksComeAndGoAndAreRenamed()
    {
        PaletteModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const int before = model.rowCount();
        BuildingBlock block;
        block.title = "Mine";
        block.passes = {{{PassKind::F, 0, StageId(0), 0, 0}, 0, 1}};
        model.setOwnBlocks({block});
        QCOMPARE(model.rowCount(), before + 2);
        int row = 0;
        while (model.index(row).data().toString() != QStringLiteral("Mine"))
            ++row;
        QVERIFY((model.flags(model.index(row)) & Qt::ItemIsEditable) != 0);
        QVERIFY(model.index(row).data(PaletteModel::PictureRole).value<QPixmap>().width() > 1);
        QSignalSpy renamed(&model, &PaletteModel::renameAsked);
        QVERIFY(model.setData(model.index(row), QStringLiteral("Yours"), Qt::EditRole));
        QCOMPARE(renamed.count(), 1);
        QCOMPARE(renamed.first().at(0).toInt(), 0);
        block.title = "Yours";
        model.setOwnBlocks({block});
        QCOMPARE(model.index(row).data().toString(), QStringLiteral("Yours"));
        model.setOwnBlocks({});
        QCOMPARE(model.rowCount(), before);
    }

    void aFieldChangesTheScheduleAndARefusalIsRead()
    {
        FamilyOptions options;
        ScheduleDocument document;
        document.reset(projectOf("interleaved-1f1b", options, UniformCosts{}));
        SpecPanel panel;
        panel.show();
        panel.setDocument(&document);
        auto* devices = panel.findChildren<QSpinBox*>().at(0);
        QCOMPARE(devices->value(), 4);
        devices->setValue(2);
        QCOMPARE(document.schedule()->devices(), 2);
        document.undoStack().undo();
        QCOMPARE(devices->value(), 4);
        // More passes than there may be: refused in words, and the field is as before.
        auto* microBatches = panel.findChildren<QSpinBox*>().at(1);
        microBatches->setValue(1'000'000);
        QCOMPARE(microBatches->value(), 8);
        QString refusals;
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->isVisible())
                refusals += label->text();
        QVERIFY2(refusals.contains(QStringLiteral("passes")), qPrintable(refusals));
    }
};

PW_WINDOW_TEST(TestPanels)
#include "tst_panels.moc"
