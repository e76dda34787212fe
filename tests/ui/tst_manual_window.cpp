// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/help/manual_view.h"
#include "ui/help/manual_window.h"
#include "ui/window/commands.h"

#include <QAction>
#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>

using namespace pw;
using namespace pw::ui;

/// The manual of the window: its pages, links, search, and what it does not load.
class TestManualWindow : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_manual_window"); }

    void everyFileIsAPage()
    {
        const QStringList files = QDir(QStringLiteral(PW_SOURCE_DIR "/resources/manual"))
                                      .entryList({"*.md"}, QDir::Files);
        const std::vector<HelpPage> pages = helpPages();
        QCOMPARE(qsizetype(pages.size()), files.size());
        QCOMPARE(pages.front().name, QStringLiteral("index"));
        for (const HelpPage& page : pages) {
            QVERIFY(files.contains(page.name + ".md"));
            QVERIFY2(!page.title.isEmpty() && page.text.size() > 200, qPrintable(page.name));
        }
        // As the first page names them.
        QCOMPARE(pages[1].name, QStringLiteral("start"));
    }

    void f1OpensItOnce()
    {
        MainWindow window;
        window.show();
        QAction* action = window.commands().action(QStringLiteral("help.manual"));
        QVERIFY(action != nullptr);
        QCOMPARE(action->shortcut(), QKeySequence(Qt::Key_F1));
        action->trigger();
        action->trigger();
        const auto manuals = window.findChildren<ManualWindow*>();
        QCOMPARE(manuals.size(), 1);
        QVERIFY(manuals[0]->isVisible());
        QVERIFY(!manuals[0]->isModal());
        QCOMPARE(manuals[0]->page(), QStringLiteral("index"));
        manuals[0]->close();
        action->trigger();
        QCOMPARE(window.findChildren<ManualWindow*>().size(), 1);
        QVERIFY(manuals[0]->isVisible());
        QVERIFY(test::closeQuietly(window));
    }

    void everyPageIsShown_data()
    {
        QTest::addColumn<QString>("name");
        for (const HelpPage& page : helpPages())
            QTest::newRow(qPrintable(page.name)) << page.name;
    }

    /// Its headings and code are there as such, and no mark of Markdown is left in its words.
    void everyPageIsShown()
    {
        QFETCH(QString, name);
        ManualWindow manual;
        manual.showPage(name);
        QCOMPARE(manual.page(), name);
        const auto* view = manual.findChild<ManualView*>();
        int headings = 0;
        for (QTextBlock block = view->document()->begin(); block.isValid(); block = block.next()) {
            headings += block.blockFormat().headingLevel() > 0 ? 1 : 0;
            const bool code = block.blockFormat().nonBreakableLines() ||
                              block.blockFormat().hasProperty(QTextFormat::BlockCodeFence);
            if (!code)
                QVERIFY2(!block.text().startsWith(QLatin1String("```")) &&
                             !block.text().startsWith(QLatin1String("# ")) &&
                             !block.text().startsWith(QLatin1String("|--")),
                         qPrintable(block.text()));
        }
        QVERIFY(headings >= 1);
    }

    void linksGoToPagesAndHeadings()
    {
        ManualWindow manual;
        manual.resize(800, 400);
        manual.show();
        auto* view = manual.findChild<ManualView*>();
        Q_EMIT view->anchorClicked(QUrl(QStringLiteral("files.md#text-notation")));
        QCOMPARE(manual.page(), QStringLiteral("files"));
        QCOMPARE(view->textCursor().block().text(), QStringLiteral("Text notation"));
        QVERIFY(view->verticalScrollBar()->value() > 0);
        Q_EMIT view->anchorClicked(QUrl(QStringLiteral("#project-files")));
        QCOMPARE(manual.page(), QStringLiteral("files"));
        QCOMPARE(view->textCursor().block().text(), QStringLiteral("Project files"));
        // A page that there is not changes nothing.
        Q_EMIT view->anchorClicked(QUrl(QStringLiteral("no-such-page.md")));
        QCOMPARE(manual.page(), QStringLiteral("files"));
    }

    void oneGoesBackAndForward()
    {
        ManualWindow manual;
        manual.show();
        const auto buttons = manual.findChildren<QToolButton*>();
        const auto named = [&buttons](const char* name) {
            return *std::find_if(buttons.begin(), buttons.end(), [name](const QToolButton* one) {
                return one->accessibleName() == QLatin1String(name);
            });
        };
        QToolButton* back = named("Back");
        QToolButton* forward = named("Forward");
        QVERIFY(!back->isEnabled() && !forward->isEnabled());
        manual.showPage(QStringLiteral("files"));
        manual.showPage(QStringLiteral("wire"));
        back->click();
        QCOMPARE(manual.page(), QStringLiteral("files"));
        back->click();
        QCOMPARE(manual.page(), QStringLiteral("index"));
        QVERIFY(!back->isEnabled());
        forward->click();
        QCOMPARE(manual.page(), QStringLiteral("files"));
        manual.showPage(QStringLiteral("store"));
        QVERIFY(!forward->isEnabled());
    }

    void aSearchListsPagesAndWalksThroughPlaces()
    {
        ManualWindow manual;
        manual.show();
        auto* words = manual.findChild<QLineEdit*>(QStringLiteral("manual-words"));
        auto* list = manual.findChild<QListWidget*>();
        auto* view = manual.findChild<ManualView*>();
        const int all = list->count();
        QTest::keyClicks(words, QStringLiteral("lifespan"));
        QVERIFY(list->count() > 0 && list->count() < all);
        QVERIFY(list->item(0)->text().contains(QLatin1Char('(')));
        QTest::keyClick(words, Qt::Key_Return);
        QVERIFY(view->textCursor().hasSelection());
        QCOMPARE(view->textCursor().selectedText().toLower(), QStringLiteral("lifespan"));
        const int first = view->textCursor().position();
        QTest::keyClick(words, Qt::Key_Return);
        QVERIFY(view->textCursor().position() != first || view->extraSelections().size() == 1);
        QTest::keyClick(words, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(view->textCursor().position(), first);
        // Escape first lets the search go, then the window.
        QTest::keyClick(words, Qt::Key_Escape);
        QVERIFY(words->text().isEmpty());
        QCOMPARE(list->count(), all);
        QVERIFY(view->extraSelections().isEmpty());
        words->setText(QStringLiteral("no such words anywhere"));
        QCOMPARE(list->count(), 0);
        QTest::keyClick(words, Qt::Key_Return);
    }

    /// Nothing is fetched: neither from the net nor from a disk.
    void nothingIsLoaded()
    {
        ManualView view;
        HelpPage page;
        page.text = QStringLiteral("# A\n\n![b](file:///etc/hostname) ![c](http://127.0.0.1/d.png)"
                                   "\n\n<img src=\"file:///etc/hostname\">\n");
        view.showPage(page);
        for (const char* name :
             {"file:///etc/hostname", "http://127.0.0.1/d.png", ":/manual/index.md"})
            for (const int type : {QTextDocument::ImageResource, QTextDocument::StyleSheetResource})
                QCOMPARE(view.document()->resource(type, QUrl(QLatin1String(name))).toByteArray(),
                         QByteArray());
    }

    void coloursFollowTheGround()
    {
        ManualWindow manual;
        manual.showPage(QStringLiteral("files"));
        manual.show();
        auto* view = manual.findChild<ManualView*>();
        const auto ground = [view] {
            for (QTextBlock block = view->document()->begin(); block.isValid();
                 block = block.next())
                if (block.blockFormat().background().style() != Qt::NoBrush)
                    return block.blockFormat().background().color();
            return QColor();
        };
        const QColor light = ground();
        QVERIFY(light.isValid());
        applyGround(*qApp, Ground::Dark);
        QCoreApplication::processEvents();
        QVERIFY(ground().lightness() < light.lightness());
        applyGround(*qApp, Ground::Light);
    }

    void aboutSaysWhatThisIs()
    {
        MainWindow window;
        window.show();
        window.commands().action(QStringLiteral("help.about"))->trigger();
        auto* box = window.findChild<QMessageBox*>(QStringLiteral("about"));
        QVERIFY(box != nullptr);
        QCOMPARE(box->textFormat(), Qt::PlainText);
        QVERIFY(box->text().contains(QLatin1String("GNU General Public License")));
        QVERIFY(box->text().contains(QString::fromLatin1(qVersion())));
        box->close();
        QVERIFY(test::closeQuietly(window));
    }

private:
    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestManualWindow)
#include "tst_manual_window.moc"
