// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "ui/models/palette_model.h"
#include "ui/panels/palette_panel.h"
#include "ui/panels/spec_panel.h"
#include "ui/presentation.h"

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
        QCOMPARE(QString::fromUtf8(data->data(QString::fromLatin1(PaletteModel::paletteMimeType))),
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
        QCOMPARE(spy.last().at(1).toString(), QStringLiteral("kfkb"));
        search->setText(QStringLiteral("no such thing"));
        QCOMPARE(panel.list()->model()->rowCount(), 0);
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

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"
