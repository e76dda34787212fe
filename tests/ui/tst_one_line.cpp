// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/one_line.h"

#include <QHBoxLayout>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

/// Counts how often the layout of a widget is asked for anew.
class LayoutRequests : public QObject
{
public:
    using QObject::QObject;
    int count = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::LayoutRequest ? 1 : 0;
        return false;
    }
};

} // namespace

class TestOneLine : public QObject
{
    Q_OBJECT

private slots:
    /// A text that changes often takes the room that it needs once, then keeps it as long as it is
    /// enough, and gives it back with the next text of its own.
    void aTextInPlaceLaysNothingOut()
    {
        QWidget box;
        auto* layout = new QHBoxLayout(&box);
        auto* line = new OneLine(&box);
        auto* beside = new OneLine(&box);
        beside->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        layout->addWidget(line);
        layout->addWidget(beside, 1);
        box.resize(800, 60);
        box.show();
        line->setText(QStringLiteral("a makespan and everything else"));
        QCoreApplication::processEvents();
        const int whole = line->width();

        line->setTextInPlace(QStringLiteral("a makespan"));
        QCoreApplication::processEvents();
        const int once = line->width();
        QVERIFY(once < whole);

        // Its size is fixed with the second one.
        line->setTextInPlace(QStringLiteral("a makespa"));
        QCoreApplication::processEvents();
        LayoutRequests requests;
        box.installEventFilter(&requests);
        for (const char* text : {"makespan", "a makespan", "span"}) {
            line->setTextInPlace(QString::fromLatin1(text));
            QCoreApplication::processEvents();
            QCOMPARE(line->text(), QString::fromLatin1(text));
            QCOMPARE(line->width(), once);
        }
        QCOMPARE(requests.count, 0);

        line->setTextInPlace(QStringLiteral("a makespan, longer"));
        QCoreApplication::processEvents();
        QVERIFY(line->width() > once);
        QVERIFY(requests.count > 0);

        line->setText(QStringLiteral("span"));
        QCoreApplication::processEvents();
        QVERIFY(line->width() < once);
        QCOMPARE(line->maximumWidth(), QWIDGETSIZE_MAX);
    }
};

PW_WINDOW_TEST(TestOneLine)
#include "tst_one_line.moc"
