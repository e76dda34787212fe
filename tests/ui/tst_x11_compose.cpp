// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/run_settings.h"
#include "tests/support/studio_walk.h"
#include "tests/support/test_program.h"
#include "ui/models/palette_item.h"
#include "ui/panels/palette_panel.h"
#include "ui/presentation.h"
#include "ui/timeline/drag_controller.h"
#include "ui/timeline/drop_controller.h"
#include "ui/window/command_palette.h"
#include "ui/window/key_sheet.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLineEdit>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr const char* gpipe = "devices: 2\nmicro-batches: 4\n"
                              "d0: F0 F1 F2 F3 BW0 BW1 BW2 BW3\n"
                              "d1: F0 F1 F2 F3 BW0 BW1 BW2 BW3\n";

constexpr int family = static_cast<int>(PaletteKind::Family);
constexpr int block = static_cast<int>(PaletteKind::Block);

} // namespace

/// What a person does to compose a schedule, with a real pointer and real keys.
class TestX11Compose : public QObject
{
    Q_OBJECT

private:
    DropController& drops() { return *m_walk->page()->findChild<DropController*>(); }
    XHand& hand() { return m_walk->hand(); }
    /// The tile of a pass kind below the palette.
    XHand::Place tile(const QString& letters)
    {
        const QList<QAbstractButton*> buttons = m_walk->window().findChildren<QAbstractButton*>();
        for (const QAbstractButton* button : buttons)
            if (button->isVisible() && button->text() == letters)
                return XHand::on(button);
        qFatal("there is no tile %s", qPrintable(letters));
    }
    std::function<bool()> titleIs(const QString& title)
    {
        return
            [this, title] { return m_walk->page() != nullptr && m_walk->page()->title() == title; };
    }
    /// A search of the palette, by hand.
    XHand& search(const QString& words)
    {
        const auto* field = m_walk->window().findChild<PalettePanel*>()->findChild<QLineEdit*>();
        return hand()
            .click(m_walk->paletteSearch())
            .key(QStringLiteral("ctrl+a"))
            .type(words)
            .until(QStringLiteral("the words are in the field"),
                   [field, words] { return field->text() == words; });
    }

    PrivateFolder m_folder;
    std::unique_ptr<StudioWalk> m_walk;

private slots:
    void initTestCase()
    {
        if (const QString why = XHand::whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        applyGround(*qApp, Ground::Light);
    }
    void init()
    {
        QSettings().clear();
        m_walk = std::make_unique<StudioWalk>();
    }
    void cleanup() { m_walk.reset(); }

    void aFamilyIsDraggedIntoTheTimeline();
    void aFamilyDroppedBesideATimelineFillsATab();
    void aBlockIsStamped();
    void aPassThatCannotBeThereIsRefusedInWords();
    void aPassIsDraggedAlongItsLane();
    void aPlaceThatBreaksARuleIsRefusedInWords();
    void theViewMovesOnUnderWhatIsHeldAtItsEdge();
    void escapeInTheMiddleOfADragLeavesEverything();
    void escapeInTheMiddleOfADropLeavesEverything();
    void everythingIsReachedByKeysAlone();
};

void TestX11Compose::aFamilyIsDraggedIntoTheTimeline()
{
    const QString before = QStringLiteral("1F1B · 4 × 8");
    const QString after = QStringLiteral("ZB-V · 4 × 8");
    hand().key(QStringLiteral("ctrl+n")).until(QStringLiteral("a new tab"), titleIs(before));
    QCOMPARE(hand().go(), QString());
    const Project project = m_walk->document().project();
    search(QStringLiteral("zb-v"))
        .moveTo(m_walk->inPalette(family, QStringLiteral("zb-v")))
        .press()
        .moveTo(m_walk->lane(1, 0.4))
        .until(QStringLiteral("the ghosts stand"),
               [this] { return drops().trial() != nullptr && drops().ghosts().size() == 192; })
        .see(QStringLiteral("the hint says what it is"),
             [this] {
                 return drops().hint() == QStringLiteral("ZB-V for 8 micro-batches on 4 devices");
             })
        .see(QStringLiteral("the numbers are those of the trial"),
             [this] { return m_walk->figures().contains(QLatin1Char('(')); })
        .see(QStringLiteral("nothing has changed yet"),
             [this, project] { return m_walk->document().project() == project; })
        .then([this] { m_walk->picture(QStringLiteral("family-held")); })
        .moveTo(m_walk->lane(2, 0.6))
        .release()
        .until(QStringLiteral("the tab is filled"), titleIs(after))
        .until(QStringLiteral("nothing is held"), [this] { return !drops().holds(); })
        .key(QStringLiteral("ctrl+z"))
        .until(QStringLiteral("undone"), titleIs(before))
        .see(QStringLiteral("as before"),
             [this, project] { return m_walk->document().project() == project; })
        .key(QStringLiteral("ctrl+shift+z"))
        .until(QStringLiteral("redone"), titleIs(after));
    QCOMPARE(hand().go(), QString());
    QCOMPARE(m_walk->document().times().begin.back(), 192);
}

void TestX11Compose::aFamilyDroppedBesideATimelineFillsATab()
{
    QVERIFY(m_walk->page() == nullptr); // the welcome is in front
    search(QStringLiteral("dualpipe"))
        .moveTo(m_walk->inPalette(family, QStringLiteral("dualpipe")))
        .press()
        .moveTo([this] {
            QWidget* welcome = m_walk->window().page();
            return welcome->mapToGlobal(welcome->rect().center());
        })
        .see(QStringLiteral("no tab yet"), [this] { return m_walk->page() == nullptr; })
        .release()
        .until(QStringLiteral("a tab with the family"), [this] {
            return m_walk->page() != nullptr &&
                   m_walk->page()->title().startsWith(QStringLiteral("DualPipe"));
        });
    QCOMPARE(hand().go(), QString());
}

void TestX11Compose::aBlockIsStamped()
{
    hand().key(QStringLiteral("ctrl+shift+n")).until(QStringLiteral("an empty tab"), [this] {
        return m_walk->page() != nullptr;
    });
    QCOMPARE(hand().go(), QString());
    std::size_t ghosts = 0;
    search(QStringLiteral("zb-h1"))
        .moveTo(m_walk->inPalette(block, QStringLiteral("zb-h1")))
        .press()
        .moveTo(m_walk->lane(2, 0.3))
        .until(QStringLiteral("the ghosts stand"),
               [this] { return !m_walk->page()->timeline().overlay().ghosts.empty(); })
        .then([this, &ghosts] {
            ghosts = drops().ghosts().size();
            m_walk->picture(QStringLiteral("block-held"));
        })
        .see(QStringLiteral("nothing has changed yet"),
             [this] { return m_walk->document().times().begin.back() == 0; })
        .release()
        .until(QStringLiteral("the passes are there"), [this, &ghosts] {
            return m_walk->document().times().begin.back() == static_cast<int>(ghosts);
        });
    QCOMPARE(hand().go(), QString());
    QVERIFY(ghosts > 0);
    QCOMPARE(m_walk->document().undoStack().count(), 1);
    QVERIFY(m_walk->page()->timeline().overlay().ghosts.empty());
}

void TestX11Compose::aPassThatCannotBeThereIsRefusedInWords()
{
    hand().key(QStringLiteral("ctrl+shift+n")).until(QStringLiteral("an empty tab"), [this] {
        return m_walk->page() != nullptr;
    });
    QCOMPARE(hand().go(), QString());
    const Project project = m_walk->document().project();
    const QString reason = QStringLiteral("no F that still waits");
    hand()
        .moveTo(tile(QStringLiteral("B")))
        .press()
        .moveTo(m_walk->lane(1, 0.5))
        .until(QStringLiteral("the reason is beside the pointer"),
               [this, reason] { return drops().refusal().contains(reason); })
        .then([this] { m_walk->picture(QStringLiteral("pass-refused")); })
        .release()
        .until(QStringLiteral("nothing is held"), [this] { return !drops().holds(); })
        .until(QStringLiteral("the window says why"),
               [this, reason] { return m_walk->told().contains(reason); });
    QCOMPARE(hand().go(), QString());
    QVERIFY(m_walk->toldIsRefusal());
    QVERIFY(m_walk->document().project() == project);
    QCOMPARE(m_walk->document().undoStack().count(), 0);
}

void TestX11Compose::aPassIsDraggedAlongItsLane()
{
    QCOMPARE(m_walk->open(gpipe), QString());
    const QString before = m_walk->order(1);
    QString at1;
    hand()
        .moveTo(m_walk->pass({1, 4}))
        .press()
        .moveTo(m_walk->pass({1, 4}, 0.8))
        .until(QStringLiteral("there is a trial"),
               [this] { return m_walk->page()->drag().trial() != nullptr; })
        .until(QStringLiteral("the numbers are tried"),
               [this] { return m_walk->figures().contains(QLatin1Char('(')); })
        .then([&] { at1 = m_walk->figures(); })
        .moveTo(m_walk->pass({1, 4}, 2))
        .until(QStringLiteral("the numbers move along"), [&] { return m_walk->figures() != at1; })
        .see(QStringLiteral("ghosts stand"),
             [this] { return !m_walk->page()->timeline().overlay().ghosts.empty(); })
        .see(QStringLiteral("nothing has changed yet"), [&] { return m_walk->order(1) == before; })
        .then([this] { m_walk->picture(QStringLiteral("pass-dragged")); })
        .release()
        .until(QStringLiteral("another order"),
               [this] { return m_walk->order(1) == QStringLiteral("F0 F1 F2 F3 BW1 BW0 BW2 BW3"); })
        .key(QStringLiteral("ctrl+z"))
        .until(QStringLiteral("undone"), [&] { return m_walk->order(1) == before; })
        .key(QStringLiteral("ctrl+shift+z"))
        .until(QStringLiteral("redone"), [&] { return m_walk->order(1) != before; });
    QCOMPARE(hand().go(), QString());
    QCOMPARE(m_walk->order(0), before);
    QCOMPARE(m_walk->document().undoStack().count(), 1);
}

void TestX11Compose::aPlaceThatBreaksARuleIsRefusedInWords()
{
    QCOMPARE(m_walk->open(gpipe), QString());
    const Project project = m_walk->document().project();
    hand()
        .moveTo(m_walk->pass({0, 4}))
        .press()
        .moveTo(m_walk->lane(0, 0.01))
        .until(QStringLiteral("it is refused"), [this] { return m_walk->page()->drag().refusal(); })
        .then([this] { m_walk->picture(QStringLiteral("place-refused")); });
    QString why;
    hand()
        .then([&] { why = m_walk->page()->drag().hint(); })
        .release()
        .until(QStringLiteral("the window says why"), [&] { return m_walk->told() == why; });
    QCOMPARE(hand().go(), QString());
    QVERIFY2(!why.isEmpty() && m_walk->toldIsRefusal(), qPrintable(why));
    QVERIFY(m_walk->document().project() == project);
    QCOMPARE(m_walk->document().undoStack().count(), 0);
}

void TestX11Compose::theViewMovesOnUnderWhatIsHeldAtItsEdge()
{
    QCOMPARE(m_walk->open(gpipe), QString());
    const auto end = static_cast<double>(m_walk->document().result().makespan);
    m_walk->page()->range().show(0, 0.7 * end);
    hand()
        .moveTo(tile(QStringLiteral("U")))
        .press()
        .moveTo(m_walk->lane(1, 0.995))
        .until(QStringLiteral("the end has come into sight"),
               [this, end] { return m_walk->page()->range().end() >= end; })
        .key(QStringLiteral("Escape"))
        .until(QStringLiteral("nothing is held"), [this] { return !drops().holds(); })
        .release();
    QCOMPARE(hand().go(), QString());
    QCOMPARE(m_walk->document().undoStack().count(), 0);
}

void TestX11Compose::escapeInTheMiddleOfADragLeavesEverything()
{
    QCOMPARE(m_walk->open(gpipe), QString());
    const Project project = m_walk->document().project();
    const QString figures = m_walk->figures();
    hand()
        .moveTo(m_walk->pass({1, 0}))
        .press()
        .moveTo(m_walk->pass({1, 0}, 2))
        .until(QStringLiteral("there is a trial"),
               [this] { return m_walk->page()->drag().trial() != nullptr; })
        .key(QStringLiteral("Escape"))
        .until(QStringLiteral("there is no trial"),
               [this] { return m_walk->page()->drag().trial() == nullptr; })
        .moveTo(m_walk->pass({1, 0}, 1))
        .release()
        .key(QStringLiteral("shift"));
    QCOMPARE(hand().go(), QString());
    QVERIFY(m_walk->document().project() == project);
    QCOMPARE(m_walk->document().undoStack().count(), 0);
    QCOMPARE(m_walk->figures(), figures);
    QVERIFY(m_walk->page()->timeline().overlay().ghosts.empty());
}

void TestX11Compose::escapeInTheMiddleOfADropLeavesEverything()
{
    QCOMPARE(m_walk->open(gpipe), QString());
    const Project project = m_walk->document().project();
    const QString figures = m_walk->figures();
    search(QStringLiteral("zb-v"))
        .moveTo(m_walk->inPalette(family, QStringLiteral("zb-v")))
        .press()
        .moveTo(m_walk->lane(1, 0.4))
        .until(QStringLiteral("the ghosts stand"), [this] { return drops().trial() != nullptr; })
        .key(QStringLiteral("Escape"))
        .until(QStringLiteral("nothing is held"), [this] { return !drops().holds(); })
        .release()
        // The next drag is as the first.
        .moveTo(m_walk->inPalette(family, QStringLiteral("zb-v")))
        .press()
        .moveTo(m_walk->lane(1, 0.4))
        .until(QStringLiteral("the ghosts stand again"),
               [this] { return drops().trial() != nullptr; })
        .key(QStringLiteral("Escape"))
        .until(QStringLiteral("nothing is held again"), [this] { return !drops().holds(); })
        .release();
    QCOMPARE(hand().go(), QString());
    QVERIFY(m_walk->document().project() == project);
    QCOMPARE(m_walk->document().undoStack().count(), 0);
    QCOMPARE(m_walk->figures(), figures);
}

void TestX11Compose::everythingIsReachedByKeysAlone()
{
    const auto* palette = m_walk->window().findChild<CommandPalette*>();
    const auto sheet = [this] { return m_walk->window().findChild<KeySheet*>(); };
    const auto hasFocus = [](const char* name) {
        return [name] {
            const auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
            return field != nullptr && field->accessibleName() == QString::fromLatin1(name);
        };
    };
    // The palette of families: a search and Enter fill a tab.
    hand()
        .key(QStringLiteral("ctrl+k"))
        .until(QStringLiteral("its field has the keys"), hasFocus("Search the palette"))
        .type(QStringLiteral("zb-h2"))
        .key(QStringLiteral("Return"))
        .until(QStringLiteral("a tab"), titleIs(QStringLiteral("ZB-H2 · 4 × 8")));
    QCOMPARE(hand().go(), QString());
    const std::size_t tabs = m_walk->window().pages().size();
    // The palette of commands finds one and runs it.
    hand()
        .key(QStringLiteral("ctrl+shift+p"))
        .until(QStringLiteral("all commands"), hasFocus("Search commands"))
        .type(QStringLiteral("duplicate"))
        .then([this] { m_walk->picture(QStringLiteral("commands")); })
        .key(QStringLiteral("Return"))
        .until(QStringLiteral("the tab twice"),
               [this, tabs] { return m_walk->window().pages().size() == tabs + 1; })
        .see(QStringLiteral("it is closed"), [palette] { return !palette->isVisible(); });
    hand()
        .key(QStringLiteral("question"))
        .until(QStringLiteral("the sheet of keys"),
               [sheet] { return sheet() != nullptr && sheet()->isVisible(); })
        .then([this] { m_walk->picture(QStringLiteral("keys")); })
        .key(QStringLiteral("Escape"))
        .until(QStringLiteral("it is gone"), [sheet] { return sheet() == nullptr; });
    QCOMPARE(hand().go(), QString());
}

PW_WINDOW_TEST(TestX11Compose)
#include "tst_x11_compose.moc"
