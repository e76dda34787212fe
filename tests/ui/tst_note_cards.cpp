// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/document/schedule_document.h"
#include "ui/models/note_cards.h"

#include <QStringList>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr Ticks ms = 1'000'000;

QString shortForm(const NoteCard& card)
{
    QString words;
    if (card.time)
        words += QStringLiteral("<%1 ns>").arg(*card.time);
    if (card.step)
        words += QStringLiteral("<%1>").arg(*card.step);
    if (!card.heading.isEmpty())
        words += card.heading + QStringLiteral(" / ");
    return words + card.body;
}

} // namespace

/// What a lecturer writes into the notes, and when it comes.
class TestNoteCards : public QObject
{
    Q_OBJECT

private slots:
    void paragraphsAreCards_data()
    {
        QTest::addColumn<QString>("notes");
        QTest::addColumn<QStringList>("cards");
        const auto row = [](const char* name, const char* notes, const QStringList& cards) {
            QTest::newRow(name) << QString::fromUtf8(notes) << cards;
        };
        row("nothing", " \n\n \t\n", {});
        row("one", "a\nb\n", {QStringLiteral("a\nb")});
        row("lines of other systems", "a\r\n\r\nb", {QStringLiteral("a"), QStringLiteral("b")});
        row("several lines between", "a\n\n \n\nb", {QStringLiteral("a"), QStringLiteral("b")});
        row("a heading", "# Fill\nfirst\n\nsecond",
            {QStringLiteral("Fill / first"), QStringLiteral("second")});
        row("a heading alone", "## Fill\n\nfirst\n\nsecond",
            {QStringLiteral("Fill / first"), QStringLiteral("second")});
        row("headings alone", "# One\n\n# Two",
            {QStringLiteral("One / "), QStringLiteral("Two / ")});
        row("no heading", "#hash", {QStringLiteral("#hash")});
        row("a step", "@12 here", {QStringLiteral("<12>here")});
        row("a step with a colon", "@ 12: here", {QStringLiteral("<12>here")});
        row("a time", "@3.5 ms here", {QStringLiteral("<3500000 ns>here")});
        row("a time with a comma", "@3,5ms\nhere", {QStringLiteral("<3500000 ns>here")});
        row("units", "@2 s a\n\n@2 us b\n\n@2 \u00b5s c",
            {QStringLiteral("<2000000000 ns>a"), QStringLiteral("<2000 ns>b"),
             QStringLiteral("<2000 ns>c")});
        row("a mark before a heading", "@4 # Turn\nhere", {QStringLiteral("<4>Turn / here")});
        row("a mark in a heading", "# @4 Turn\nhere", {QStringLiteral("<4>Turn / here")});
        row("a mark behind a heading", "# Turn\n@4 here", {QStringLiteral("<4>Turn / here")});
        row("a mark of a heading alone", "@4 # Turn\n\nhere", {QStringLiteral("<4>Turn / here")});
        row("a part of a step", "@3.5 here", {QStringLiteral("@3.5 here")});
        row("a name", "@all here", {QStringLiteral("@all here")});
        row("stages", "@3 stages", {QStringLiteral("<3>stages")});
        row("in the middle", "see @12", {QStringLiteral("see @12")});
        row("markup is text", "<b>x</b> &amp;", {QStringLiteral("<b>x</b> &amp;")});
    }

    void paragraphsAreCards()
    {
        QFETCH(QString, notes);
        QFETCH(QStringList, cards);
        QStringList made;
        for (const NoteCard& card : noteCards(notes))
            made << shortForm(card);
        QCOMPARE(made, cards);
    }

    /// Nothing is lost, no card is longer than a room reads, and none is cut within a word.
    void longParagraphsGoOn()
    {
        QString sentence = QStringLiteral("Device 0 sends the gradient of micro-batch 3 back. ");
        const QString notes = QStringLiteral("# Long\n@7 ") + sentence.repeated(40);
        const std::vector<NoteCard> cards = noteCards(notes);
        QVERIFY(cards.size() > 3);
        QString all;
        for (const NoteCard& card : cards) {
            QVERIFY(card.body.size() <= 420);
            QVERIFY2(card.body.endsWith(QLatin1Char('.')), qPrintable(card.body));
            QCOMPARE(card.heading, QStringLiteral("Long"));
            all += card.body + QLatin1Char(' ');
        }
        QCOMPARE(all, sentence.repeated(40));
        QCOMPARE(cards[0].step, std::optional<int>(7));
        QVERIFY(!cards[1].step); // asked for
        // One word, and many lines.
        const QString word(2'000, QLatin1Char('x'));
        qsizetype letters = 0;
        for (const NoteCard& card : noteCards(word))
            letters += card.body.size();
        QCOMPARE(letters, 2'000);
        const QString lines = QStringLiteral("line\n").repeated(30);
        int found = 0;
        for (const NoteCard& card : noteCards(lines)) {
            QVERIFY(card.body.count(QLatin1Char('\n')) < 7);
            found += static_cast<int>(card.body.count(QStringLiteral("line")));
        }
        QCOMPARE(found, 30);
    }

    void stepsAreThoseOfThePlay()
    {
        ScheduleDocument document;
        document.reset(projectOf("1f1b", FamilyOptions{}, UniformCosts{}));
        const std::vector<Ticks> events = eventTimes(*document.lanes());
        QVERIFY(std::is_sorted(events.begin(), events.end()));
        QVERIFY(events.front() > document.lanes()->begin());
        QCOMPARE(events.back(), document.lanes()->end());
        const NoteDeck deck(noteCards(QStringLiteral("@0 a\n\n@1 b\n\n@9999 c\n\nd")), events, 0);
        QCOMPARE(deck.due(0), std::optional<Ticks>(0));
        QCOMPARE(deck.due(1), std::optional<Ticks>(events.front()));
        QCOMPARE(deck.due(2), std::optional<Ticks>(events.back()));
        QVERIFY(!deck.due(3));
    }

    void cardsComeWithThePlay()
    {
        // 0 1: asked for, 2: at 5 ms, 3: asked for, 4: at 9 ms.
        NoteDeck deck(noteCards(QStringLiteral("a\n\nb\n\n@5 ms c\n\nd\n\n@9 ms e")), {}, 0);
        QVERIFY(!deck.follow(0));
        QCOMPARE(deck.shown(), 0);
        QVERIFY(deck.walk(1));
        QVERIFY(!deck.follow(4 * ms));
        QCOMPARE(deck.shown(), 1); // stays where it was asked for
        QVERIFY(deck.follow(5 * ms));
        QCOMPARE(deck.shown(), 2);
        QVERIFY(deck.walk(1));
        QVERIFY(!deck.follow(7 * ms));
        QCOMPARE(deck.shown(), 3);
        QVERIFY(deck.follow(20 * ms));
        QCOMPARE(deck.shown(), 4);
        QVERIFY(!deck.walk(1));
        // And on the way back.
        QVERIFY(deck.follow(8 * ms));
        QCOMPARE(deck.shown(), 3);
        QVERIFY(deck.follow(4 * ms));
        QCOMPARE(deck.shown(), 1);
        // Where a card names a time, the play is on its way there.
        QVERIFY(deck.walk(1));
        QVERIFY(!deck.follow(5 * ms));
        QCOMPARE(deck.shown(), 2);
        deck.restart();
        QCOMPARE(deck.shown(), 0);
        QVERIFY(!deck.follow(0));
        QVERIFY(!deck.walk(-1));
    }
};

PW_TEST(TestNoteCards)
#include "tst_note_cards.moc"
