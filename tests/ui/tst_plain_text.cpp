// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/places.h"
#include "tests/support/recorded_run.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/panels/palette_model.h"
#include "ui/plain_text.h"
#include "ui/run/byte_lines.h"
#include "ui/run/command_output.h"
#include "ui/runs/runs_panel.h"
#include "ui/window/commands.h"
#include "ui/window/importing.h"
#include "ui/window/schedule_page.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QProcess>
#include <QTest>
#include <QTextDocument>
#include <QTextEdit>
#include <QTimer>
#include <QToolTip>

using namespace pw;
using namespace pw::ui;

namespace {

/// Text that Qt takes for markup; what it names would be loaded by showing it.
const char* const markup = "<img src=\"pw-marker.png\"><b>bold</b>";

/// Every label and text field of the program that shows the marker as markup.
QStringList renderedMarkers()
{
    QStringList found;
    const QWidgetList widgets = QApplication::allWidgets();
    for (QWidget* widget : widgets) {
        widget->ensurePolished();
        if (const auto* label = qobject_cast<QLabel*>(widget)) {
            const bool rich =
                label->textFormat() != Qt::PlainText &&
                (label->textFormat() == Qt::RichText || Qt::mightBeRichText(label->text()));
            if (rich && label->text().contains(QLatin1String("<img")))
                found << QStringLiteral("%1 of %2: %3")
                             .arg(label->objectName(),
                                  label->parent() != nullptr
                                      ? label->parent()->metaObject()->className()
                                      : "none",
                                  label->text());
        }
        if (const auto* text = qobject_cast<QTextEdit*>(widget))
            if (text->toHtml().contains(QLatin1String("<img")))
                found << text->objectName();
    }
    return found;
}

QStringList labelsThatGuess()
{
    QStringList found;
    const QWidgetList widgets = QApplication::allWidgets();
    for (QWidget* widget : widgets) {
        widget->ensurePolished();
        if (const auto* label = qobject_cast<QLabel*>(widget);
            label != nullptr && label->textFormat() == Qt::AutoText)
            found << label->objectName() + QLatin1Char(' ') + label->text();
    }
    return found;
}

} // namespace

/// Names from projects, stores and traces are text in every widget, never markup.
class TestPlainText : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "plain-text"); }

    void noLabelGuessesWhetherItsTextIsMarkup()
    {
        MainWindow window;
        window.openFamily(QStringLiteral("zb-v"));
        window.show();
        for (QAction* action : window.findChildren<QAction*>()) {
            if (!action->text().endsWith(QStringLiteral("…")) || !action->isEnabled())
                continue;
            // Every dialog that a command opens, as it opens.
            QTimer::singleShot(0, qApp, [] { closeDialogs(); });
            action->trigger();
            QCoreApplication::processEvents();
            const QStringList guessing = labelsThatGuess();
            QVERIFY2(guessing.isEmpty(),
                     qPrintable(action->text() + ": " + guessing.join(QLatin1Char('\n'))));
            closeDialogs();
        }
        QVERIFY(labelsThatGuess().isEmpty());
        test::closeQuietly(window);
    }

    void aHostileProjectIsText()
    {
        MainWindow window;
        Project project = projectOf("1f1b", {}, UniformCosts{});
        project.title = markup;
        project.notes = markup;
        SchedulePage& page = window.openProject(project, QString::fromLatin1(markup));
        window.show();
        window.refuse(QString::fromLatin1(markup));
        QCoreApplication::processEvents();
        const QStringList rendered = renderedMarkers();
        QVERIFY2(rendered.isEmpty(), qPrintable(rendered.join(QLatin1Char('\n'))));
        // The question whether to save it.
        QVERIFY(page.document().change(page.document().project(), QStringLiteral("x")));
        project.title += "!";
        QVERIFY(page.document().change(project, QStringLiteral("another title")));
        bool asked = false;
        QTimer::singleShot(0, qApp, [&asked] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            asked =
                box != nullptr && box->textFormat() == Qt::PlainText && renderedMarkers().isEmpty();
            if (box != nullptr)
                box->button(QMessageBox::Discard)->click();
        });
        window.close();
        QVERIFY(asked);
    }

    void aHostileRunIsText()
    {
        keepHostileRun();
        MainWindow window;
        window.show();
        auto* panel = window.findChild<RunsPanel*>();
        QVERIFY(panel != nullptr);
        Q_EMIT panel->openAsked(1);
        QTRY_VERIFY_WITH_TIMEOUT(window.page() != nullptr, 20'000);
        QTest::qWait(500);
        QTRY_VERIFY_WITH_TIMEOUT(showsMarker(window), 20'000);
        const QStringList rendered = renderedMarkers();
        QVERIFY2(rendered.isEmpty(), qPrintable(rendered.join(QLatin1Char('\n'))));
        QVERIFY(labelsThatGuess().isEmpty());
        test::closeQuietly(window);
    }

    void aHostileTraceIsText()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(2, 4), UniformCosts{});
        QStringList paths;
        for (const test::TraceText& file :
             test::chromeTraces(run.schedule, run.result, test::TraceForm::Kineto, 2)) {
            QString text = QString::fromStdString(file.text);
            text.replace(
                QStringLiteral("\"traceEvents\": ["),
                QStringLiteral("\"traceEvents\": [{\"ph\":\"X\",\"name\":\"<img src='x'>\","
                               "\"pid\":0,\"tid\":3,\"ts\":1,\"dur\":2},"));
            paths << m_home.filePath(QStringLiteral("<img src='y'>") +
                                     QString::fromStdString(file.name));
            test::writeTrace(paths.last().toStdString(), text.toStdString());
        }
        MainWindow window;
        window.show();
        importTraces(window, paths);
        QTest::qWait(1500);
        const QStringList rendered = renderedMarkers();
        QVERIFY2(rendered.isEmpty(), qPrintable(rendered.join(QLatin1Char('\n'))));
        closeDialogs();
        test::closeQuietly(window);
    }

    void aToolTipIsText()
    {
        QWidget widget;
        widget.resize(200, 100);
        widget.show();
        QToolTip::showText(widget.mapToGlobal(QPoint(5, 5)), QString::fromLatin1(markup), &widget);
        QLabel* tip = nullptr;
        const QWidgetList all = QApplication::allWidgets();
        for (QWidget* one : all)
            if (one->inherits("QTipLabel"))
                tip = qobject_cast<QLabel*>(one);
        QVERIFY(tip != nullptr);
        QCOMPARE(tip->text(), QString::fromLatin1(markup));
        QCOMPARE(tip->textFormat(), Qt::PlainText);
        // Its size is that of the letters, not of what they name.
        QVERIFY(tip->sizeHint().width() > tip->fontMetrics().horizontalAdvance(tip->text()) / 2);
        QToolTip::hideText();
    }

    void theStudioSteersNoTerminal()
    {
        QProcess studio;
        studio.start(QStringLiteral(PW_STUDIO),
                     {QStringLiteral("--render"), QStringLiteral("\x1b[2J/nowhere"),
                      m_home.filePath(QStringLiteral("out.svg"))});
        QVERIFY(studio.waitForFinished(30'000));
        QCOMPARE(studio.exitCode(), 1);
        const QByteArray said = studio.readAllStandardError();
        QVERIFY2(said.contains("\\u001b[2J/nowhere") && !said.contains('\x1b'), said.constData());
    }

    void aLongTipIsBrokenIntoLines()
    {
        const QString words = QStringLiteral("word ").repeated(1000);
        const QStringList lines = tipLines(words).split(QLatin1Char('\n'));
        QVERIFY(lines.size() > 5 && lines.size() < 60);
        for (const QString& line : lines)
            QVERIFY(line.size() <= 80);
        const PaletteModel model;
        for (int row = 0; row < model.rowCount(); ++row)
            QVERIFY(!Qt::mightBeRichText(model.index(row, 0).data(Qt::ToolTipRole).toString()));
    }

    void bytesBecomeLinesInAnyPieces_data()
    {
        QTest::addColumn<int>("piece");
        for (const int piece : {1, 2, 3, 7, 100})
            QTest::addRow("%d", piece) << piece;
    }
    void bytesBecomeLinesInAnyPieces()
    {
        QFETCH(int, piece);
        const QByteArray bytes("Gerät 3 fiel aus\r\n\n日本語 🚀\nlast", -1);
        ByteLines reader;
        QStringList lines;
        for (qsizetype at = 0; at < bytes.size(); at += piece)
            lines += reader.add(bytes.mid(at, piece));
        lines += reader.end();
        QCOMPARE(lines, QStringList({"Gerät 3 fiel aus", "日本語 🚀", "last"}));
    }

    void aLineWithoutEndIsGivenInParts()
    {
        ByteLines reader;
        qsizetype most = 0, all = 0;
        for (int i = 0; i < 1000; ++i) {
            const QStringList lines = reader.add(QByteArray("日本").repeated(100));
            for (const QString& line : lines) {
                most = std::max(most, line.toUtf8().size());
                QVERIFY(!line.contains(QChar::ReplacementCharacter));
                all += line.size();
            }
        }
        const QStringList rest = reader.end();
        QCOMPARE(all + rest.join(QString()).size(), 200'000);
        QVERIFY(most <= ByteLines::longest);
    }

    void theLastWordsOfACommandAreWhole()
    {
        CommandOutput command;
        ProcessEnd end;
        bool ended = false;
        connect(&command, &CommandOutput::ended, this, [&](const ProcessEnd& told) {
            end = told;
            ended = true;
        });
        // Half of a letter, a moment, the other half.
        command.start({"sh", "-c", "printf 'Ger\\303' >&2; sleep 0.2; printf '\\244t\\n' >&2"}, {},
                      {10'000, 1000});
        QTRY_VERIFY_WITH_TIMEOUT(ended, 10'000);
        QCOMPARE(end.errors.trimmed(), QStringLiteral("Gerät"));
    }

private:
    static void closeDialogs()
    {
        const QWidgetList open = QApplication::topLevelWidgets();
        for (QWidget* one : open) {
            if (auto* dialog = qobject_cast<QDialog*>(one);
                dialog != nullptr && dialog->isVisible())
                dialog->reject();
            else if (auto* menu = qobject_cast<QMenu*>(one); menu != nullptr && menu->isVisible())
                menu->close();
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    static bool showsMarker(const QWidget& window)
    {
        const QList<QLabel*> labels = window.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text().contains(QLatin1String("pw-marker"));
        });
    }

    void keepHostileRun()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(2, 4), UniformCosts{});
        NewRun begun = test::newRun(run.schedule, run.costs, markup, markup);
        begun.origin = markup;
        begun.environment.host = begun.environment.backend = begun.environment.driver =
            begun.environment.transport = begun.environment.build = markup;
        RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 2);
        batch.logs.push_back({0, RankId::none(), LogLevel::Warning, markup});
        batch.faults.push_back({RankId(0), RankId(1), markup, markup});
        RunStore store = *RunStore::open(m_home.filePath("runs.sqlite").toStdString());
        RunWriter writer = *store.begin(begun);
        QVERIFY(writer.append(batch));
        QVERIFY(writer.finish(RunStatus::Failed, test::figuresOf(run.schedule, run.costs, batch)));
        QVERIFY(store.annotate(writer.number(), markup));
    }

    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestPlainText)
#include "tst_plain_text.moc"
