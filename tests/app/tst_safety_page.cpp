// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

/// The page of promises names the test of each; this one looks whether they are there.
class TestSafetyPage : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_page = textOf(QStringLiteral(PW_SOURCE_DIR "/resources/manual/safety.md"));
        QVERIFY(!m_page.isEmpty());
        QDirIterator files(QStringLiteral(PW_SOURCE_DIR "/tests"), {QStringLiteral("tst_*.cpp")},
                           QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            files.next();
            m_tests.insert(files.fileInfo().completeBaseName(), files.filePath());
        }
        QVERIFY(m_tests.size() > 50);
    }

    void everyTestThatIsNamedIsThere()
    {
        static const QRegularExpression named(QStringLiteral("`(tst_\\w+)::(\\w+)`"));
        QStringList missing;
        int found = 0;
        for (auto one = named.globalMatch(m_page); one.hasNext();) {
            const QRegularExpressionMatch match = one.next();
            const QString source = textOf(m_tests.value(match.captured(1)));
            // Only what stands among the slots is run.
            if (!source.contains(QStringLiteral("void %1()").arg(match.captured(2))) ||
                !source.contains(QStringLiteral("slots:")))
                missing << match.captured();
            ++found;
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
        QVERIFY(found > 25);
    }

    void everyCheckThatIsNamedIsThere()
    {
        static const QRegularExpression named(QStringLiteral("`(tests/\\w+/\\w+\\.(?:sh|py))`"));
        int found = 0;
        for (auto one = named.globalMatch(m_page); one.hasNext(); ++found) {
            const QString path = QStringLiteral(PW_SOURCE_DIR "/") + one.next().captured(1);
            // Python's tests are found by their names, scripts are run.
            QVERIFY2(path.endsWith(QStringLiteral(".py")) ? QFileInfo::exists(path)
                                                          : QFileInfo(path).isExecutable(),
                     qPrintable(path));
        }
        QVERIFY(found >= 3);
    }

    void everyPromiseNamesWhatHoldsIt()
    {
        // A promise is an entry of a list; it goes on up to the next one or an empty line.
        QStringList without;
        const QStringList parts = m_page.split(QStringLiteral("\n- ")).mid(1);
        for (const QString& part : parts) {
            const QString promise = part.section(QStringLiteral("\n\n"), 0, 0);
            if (!promise.contains(QStringLiteral("`tst_")) &&
                !promise.contains(QStringLiteral("`tests/")))
                without << promise.left(60);
        }
        QVERIFY2(without.isEmpty(), qPrintable(without.join(QLatin1Char('\n'))));
    }

private:
    static QString textOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

    QString m_page;
    QMap<QString, QString> m_tests; ///< path by name
};

PW_TEST(TestSafetyPage)
#include "tst_safety_page.moc"
