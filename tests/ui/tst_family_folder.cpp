// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"
#include "ui/keep/own_families.h"
#include "ui/keep/preferences_dialog.h"
#include "ui/panels/palette_model.h"

#include <QFile>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

class TestFamilyFolder : public QObject
{
    Q_OBJECT

private slots:
    void cleanup() { setFamilyFolder(QString()); }

    void theFolderOfTheSettingsIsReadAndHandedOn()
    {
        const QString samples = QStringLiteral(PW_SOURCE_DIR "/samples/families");
        const QString usual = familyFolder();
        setFamilyFolder(samples);
        QCOMPARE(familyFolder(), samples);
        QVERIFY(useOwnFamilies().isEmpty());
        QVERIFY(findFamily("v-rally"));
        QCOMPARE(qgetenv("PIPEWRIGHT_FAMILIES"), samples.toLocal8Bit());
        const PreferencesDialog dialog;
        QCOMPARE(dialog.findChild<QLineEdit*>(QStringLiteral("families"))->text(), samples);
        setFamilyFolder(QString());
        QCOMPARE(familyFolder(), usual);
    }

    void thePaletteHasThem()
    {
        const PaletteModel palette;
        bool found = false;
        for (int row = 0; row < palette.rowCount(); ++row)
            found = found ||
                    palette.index(row, 0).data().toString().contains(QStringLiteral("V-Rally"));
        QVERIFY(found);
    }

    void whatIsWrongIsToldWithFileAndLine()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("bad.family")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("family bad\nsummary Bad.\norder\n  F q\nend\n");
        file.close();
        setFamilyFolder(folder.path());
        const QStringList problems = useOwnFamilies();
        QCOMPARE(problems.size(), 1);
        QVERIFY2(problems.front().contains(QStringLiteral("bad.family, line 4, column 5: ")),
                 qPrintable(problems.front()));
    }
};

PW_WINDOW_TEST(TestFamilyFolder)
#include "tst_family_folder.moc"
