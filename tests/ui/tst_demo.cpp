// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/run/connection.h"
#include "ui/runs/run_history.h"
#include "ui/window/activity_page.h"
#include "ui/window/commands.h"
#include "ui/window/demo.h"
#include "ui/window/demo_bar.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"
#include "ui/window/session.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr int demoPatience = 60'000;

template<typename Kind>
bool hasPage(const MainWindow& window)
{
    const std::vector<Page*> pages = window.pages();
    return std::any_of(pages.begin(), pages.end(),
                       [](Page* page) { return qobject_cast<Kind*>(page) != nullptr; });
}

} // namespace

/// The demonstration shows each use without a file, and stops whenever it is told to.
class TestDemo : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_home;

    QPushButton* button(const Demo& demo, const char* name)
    {
        return demo.bar().findChild<QPushButton*>(QString::fromLatin1(name));
    }

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_demo"); }
    void init()
    {
        QSettings().clear();
        QSettings().setValue(QStringLiteral("run/backend"), QStringLiteral("emulated"));
        QSettings().setValue(QStringLiteral("run/iterations"), 2);
        QFile::remove(m_home.filePath(QStringLiteral("runs.sqlite")));
        // The program of the tests has no `pipewright` beside it.
        Connections connections;
        QVERIFY(
            connections.setOthers({{QStringLiteral("the program"),
                                    QStringLiteral("\"%1\"").arg(QStringLiteral(PW_PROGRAM))}}));
        connections.setCurrentIndex(1);
    }

    /// A minute for people: what is asked of the whole.
    void eachUseIsShown()
    {
        MainWindow window;
        beginSession(window, {});
        Demo demo(window);
        QSignalSpy shown(&demo, &Demo::shown), ended(&demo, &Demo::ended);
        demo.start();
        QCOMPARE(shown.size(), 1);
        QVERIFY(window.schedulePage() != nullptr && demo.use() == Demo::Use::Design);
        const QString first = demo.bar().sentence();
        QVERIFY(demo.bar().isVisible() && !first.isEmpty());
        // By itself it goes on; by its button to the next use.
        QTRY_VERIFY_WITH_TIMEOUT(demo.bar().sentence() != first, demoPatience);
        const QAction* place = window.commands().action(QStringLiteral("learn.place"));
        QSignalSpy placed(place, &QAction::triggered);
        // On a slow machine it may have gone on by itself meanwhile.
        const auto goOnTo = [&](Demo::Use use) {
            if (demo.running() && demo.use() < use)
                QTest::mouseClick(button(demo, "next"), Qt::LeftButton);
            return demo.use() >= use;
        };
        QVERIFY(goOnTo(Demo::Use::Run));
        QTRY_VERIFY_WITH_TIMEOUT(hasPage<RunPage>(window), demoPatience);
        QVERIFY(goOnTo(Demo::Use::Replay));
        QTRY_VERIFY_WITH_TIMEOUT(hasPage<ActivityPage>(window), demoPatience);
        // Kept as a run it comes to the front.
        const auto runs = [&window] {
            const std::vector<Page*> pages = window.pages();
            return std::count_if(pages.begin(), pages.end(), [](Page* page) {
                return qobject_cast<RunPage*>(page) != nullptr;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(runs() == 2, demoPatience);
        QVERIFY(goOnTo(Demo::Use::Teach));
        QTRY_VERIFY_WITH_TIMEOUT(placed.size() >= 3, demoPatience);
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, demoPatience);
        QCOMPARE(shown.size(), Demo::uses);
        QVERIFY(!demo.running());
        // What leads on stands there; nothing is asked when it is closed.
        QVERIFY(button(demo, "studio")->isVisible() && !button(demo, "stop")->isVisible());
        QTest::mouseClick(button(demo, "close"), Qt::LeftButton);
        QVERIFY(!window.isVisible());
        QVERIFY(window.findChild<QMessageBox*>() == nullptr);
    }

    /// Its parts take about a minute together.
    void aMinuteIsAMinute()
    {
        MainWindow window;
        window.show();
        constexpr double pace = 60;
        Demo demo(window, pace);
        QVERIFY(demo.milliseconds() >= 50'000 && demo.milliseconds() <= 70'000);
        QSignalSpy ended(&demo, &Demo::ended);
        demo.start();
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, demoPatience);
        QVERIFY(window.close());
    }

    void itStopsAtAnyMoment()
    {
        for (int moment = 0; moment < 12; ++moment) {
            MainWindow window;
            window.show();
            Demo demo(window, 8);
            demo.start();
            QTest::qWait(moment * 97);
            if (!demo.running())
                break;
            if (moment % 3 == 0)
                demo.stop();
            else if (moment % 3 == 1)
                QTest::keyClick(&window, Qt::Key_Escape);
            else
                QTest::mouseClick(button(demo, "stop"), Qt::LeftButton);
            QVERIFY(!demo.running());
            const std::size_t pages = window.pages().size();
            QTest::qWait(50);
            QVERIFY(window.pages().size() <= pages + 1); // a run that was on its way
            QVERIFY(window.close());
        }
        // Closed in the middle it asks nothing either.
        MainWindow window;
        window.show();
        Demo demo(window);
        demo.start();
        QVERIFY(window.close());
    }

    /// Nothing of a person's own is touched.
    void itHasAHomeOfItsOwn()
    {
        const QByteArray config = qgetenv("XDG_CONFIG_HOME"), data = qgetenv("XDG_DATA_HOME"),
                         store = qgetenv("PIPEWRIGHT_STORE");
        const QString settings = QSettings().fileName();
        QString inside;
        {
            const DemoHome home;
            QVERIFY(home.good());
            inside = QSettings().fileName();
            QVERIFY(inside != settings && qgetenv("PIPEWRIGHT_STORE") != store);
            QSettings().setValue(QStringLiteral("files/recent"), QStringList{"x"});
            QCOMPARE(home.outside().value(QStringLiteral("PIPEWRIGHT_STORE")).toLocal8Bit(), store);
        }
        QVERIFY(!QFile::exists(inside));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope,
                           QString::fromLocal8Bit(config));
        qputenv("XDG_CONFIG_HOME", config);
        qputenv("XDG_DATA_HOME", data);
        qputenv("PIPEWRIGHT_STORE", store);
        QVERIFY(!QSettings().contains(QStringLiteral("files/recent")));
    }
};

PW_WINDOW_TEST(TestDemo)
#include "tst_demo.moc"
