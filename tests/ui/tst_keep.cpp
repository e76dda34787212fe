// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/costs_file.h"
#include "tests/support/import_hand.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/export/export_dialog.h"
#include "ui/help/manual_view.h"
#include "ui/help/news.h"
#include "ui/keep/autosave.h"
#include "ui/keep/preferences_dialog.h"
#include "ui/keep/recent_files.h"
#include "ui/keep/sample_card.h"
#include "ui/keep/welcome_page.h"
#include "ui/panels/notes_panel.h"
#include "ui/presentation.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/session.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

using namespace pw;
using namespace pw::ui;

namespace {

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

QStringList copiesIn(const QString& root)
{
    QStringList copies;
    const QFileInfoList folders = QDir(root).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QFileInfo& folder : folders)
        copies += QDir(folder.absoluteFilePath()).entryList({QStringLiteral("*.pipewright.json")});
    return copies;
}

/// In which order the window and boxes come to be seen.
class FirstShown : public QObject
{
public:
    QStringList shown;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Show && qobject_cast<MainWindow*>(watched) != nullptr)
            shown << QStringLiteral("window");
        if (event->type() == QEvent::Show && qobject_cast<QMessageBox*>(watched) != nullptr)
            shown << QStringLiteral("box");
        return false;
    }
};

QPushButton* button(const QWidget* in, const QString& text)
{
    const auto all = in->findChildren<QPushButton*>();
    for (QPushButton* one : all)
        if (one->text() == text && one->isVisibleTo(in))
            return one;
    return nullptr;
}

QAction* command(MainWindow& window, const char* id)
{
    return window.commands().action(QString::fromLatin1(id));
}

void changeShape(SchedulePage& page, int devices)
{
    Project next = page.document().project();
    next.family->options.devices = devices;
    QVERIFY(page.document().change(std::move(next), QStringLiteral("Devices")).has_value());
}

} // namespace

class TestKeep : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_keep"); }

    void init() { QSettings().clear(); }

    void everyFormatOpens_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<bool>("keepsItsPath");
        QTest::newRow("project") << "plan.pipewright.json"
                                 << QByteArray::fromStdString(*writeProject(
                                        projectOf("zb-h1", FamilyOptions{}, UniformCosts{})))
                                 << true;
        QTest::newRow("schedule text")
            << "plan.txt" << QByteArray("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n") << false;
        QTest::newRow("PyTorch's CSV")
            << "plan.csv" << QByteArray("0F0,0F1,0B0,0B1\r\n1F0,1B0,1F1,1B1\r\n") << false;
    }

    void everyFormatOpens()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(bool, keepsItsPath);
        const QTemporaryDir folder;
        const QString path = folder.filePath(name);
        write(path, content);
        MainWindow window;
        QVERIFY(window.open(path));
        SchedulePage* page = window.schedulePage();
        QVERIFY(page != nullptr);
        QVERIFY(page->document().schedule() != nullptr);
        // A project is saved where it was; a schedule of another format does not become one there.
        QCOMPARE(page->document().path(), keepsItsPath ? path : QString());
        QCOMPARE(recentFiles(), QStringList{path});
        // Opened once more it comes to the front.
        if (keepsItsPath) {
            QVERIFY(window.open(path));
            QCOMPARE(window.pages().size(), std::size_t{1});
        }
        QVERIFY(test::closeQuietly(window));
    }

    void anUnfinishedScheduleOpensWithItsProblems()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("plan.txt"));
        write(path, "d0: F0 F1 BW0\nd1: F0 BW0 F1 BW1\n");
        MainWindow window;
        QVERIFY(window.open(path));
        QVERIFY(window.schedulePage()->document().schedule() == nullptr);
        QVERIFY(window.schedulePage()->document().problems().count > 0);
        const auto* told = window.findChild<QLabel*>(QStringLiteral("told"));
        QVERIFY2(told->text().contains(QStringLiteral("BW")), qPrintable(told->text()));
        QVERIFY(test::closeQuietly(window));
    }

    void whatCannotBeReadIsToldInAWindowThatStopsNothing()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("broken.json"));
        write(path, "{ \"pipewright\": 1, ");
        MainWindow window;
        window.show();
        QVERIFY(!window.open(path));
        auto* box = window.findChild<QMessageBox*>();
        QVERIFY(box != nullptr);
        QCOMPARE(box->text(), path);
        QVERIFY(box->informativeText().contains(QStringLiteral("broken.json")));
        QVERIFY(window.pages().empty());
        QVERIFY(recentFiles().isEmpty());
        QVERIFY(test::closeQuietly(window));
    }

    void whatIsNoScheduleButKnownIsToldByWhatItIs_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("imported"); // the dialog of imports says it
        const QByteArray bytes("\x01\x00\xff\xfe report \x00\x80", 14);
        QTest::newRow("a report of Nsight Systems")
            << "run.nsys-rep" << bytes << "nsys export" << true;
        QTest::newRow("a report of Nsight Compute")
            << "run.ncu-rep" << bytes << "single kernels" << true;
        QTest::newRow("bytes of nothing known") << "run.bin" << bytes << "text" << false;
    }
    void whatIsNoScheduleButKnownIsToldByWhatItIs()
    {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, content);
        QFETCH(const QString, words);
        QFETCH(const bool, imported);
        const QTemporaryDir folder;
        const QString path = folder.filePath(name);
        write(path, content);
        MainWindow window;
        window.show();
        QCOMPARE(window.open(path), imported);
        if (imported) {
            const ImportDialog* dialog = test::readDialog(window);
            QVERIFY(dialog != nullptr);
            QVERIFY2(test::said(*dialog).contains(words), qPrintable(test::said(*dialog)));
        } else {
            auto* box = window.findChild<QMessageBox*>();
            QVERIFY(box != nullptr);
            QVERIFY2(box->informativeText().contains(words), qPrintable(box->informativeText()));
        }
        QVERIFY(test::closeQuietly(window));
    }

    void aLargeFileIsReadInAThread()
    {
        FamilyOptions options;
        options.devices = 8;
        options.microBatches = 4000;
        ScheduleDocument document;
        document.reset(projectOf("1f1b", options, UniformCosts{}));
        Project large;
        large.draft = document.draft();
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("large.pipewright.json"));
        // Rests in the notes make the file as long as needed.
        large.notes.assign(800'000, 'x');
        QVERIFY(saveProject(large, path.toStdString()).has_value());
        MainWindow window;
        QVERIFY(window.open(path));
        QVERIFY(window.pages().empty()); // not yet
        QTRY_COMPARE(window.pages().size(), std::size_t{1});
        QVERIFY(window.schedulePage()->document().project().draft == large.draft);
        QVERIFY(test::closeQuietly(window));
    }

    void aCostsFileGivesItsTimesToTheScheduleInFront()
    {
        CostsFile costs;
        costs.title = "measured";
        costs.devices = costs.stages = 4;
        for (const StageId stage : Ids<StageId>(4))
            for (const PassKind kind : {PassKind::F, PassKind::BW}) {
                MeasuredPass pass;
                pass.kind = kind;
                pass.stage = stage;
                const Ticks time = kind == PassKind::F ? 3'000'000 : 5'000'000;
                pass.time = {1, time, time, time, time};
                costs.passes.push_back(pass);
            }
        std::stable_sort(costs.passes.begin(), costs.passes.end(),
                         [](const auto& a, const auto& b) { return a.kind < b.kind; });
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("here.json"));
        QVERIFY(saveCosts(costs, path.toStdString()).has_value());
        MainWindow window;
        window.show();
        // Alone it says what to do with it.
        QVERIFY(!window.open(path));
        QVERIFY(window.findChild<QMessageBox*>()->informativeText().contains(
            QStringLiteral("schedule first")));
        SchedulePage& page = window.openFamily(QStringLiteral("1f1b"));
        const Ticks before = page.document().result().makespan;
        QVERIFY(window.open(path));
        QCOMPARE(page.document().result().makespan, Ticks{88'000'000}); // (m + p − 1)(3 + 5) ms
        page.undoStack()->undo();
        QCOMPARE(page.document().result().makespan, before);
        QVERIFY(test::closeQuietly(window));
    }

    void aFileDroppedOnTheWindowOpens()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("plan.txt"));
        write(path, "d0: F0 BW0\n");
        MainWindow window;
        window.show();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &drop);
        QVERIFY(window.schedulePage() != nullptr);
        QVERIFY(test::closeQuietly(window));
    }

    void theMenuListsRecentFilesAndForgetsThoseThatAreGone()
    {
        const QTemporaryDir folder;
        MainWindow window;
        QVERIFY(!command(window, "file.recent.1")->isVisible());
        QStringList paths;
        for (const char* name : {"a.txt", "b.txt"}) {
            paths.prepend(folder.filePath(QString::fromLatin1(name)));
            write(paths.constFirst(), "d0: F0 BW0\n");
            QVERIFY(window.open(paths.constFirst()));
        }
        QCOMPARE(recentFiles(), paths);
        QVERIFY(command(window, "file.recent.1")->text().contains(QStringLiteral("b.txt")));
        QVERIFY(QFile::remove(paths[1]));
        command(window, "file.recent.2")->trigger();
        QCOMPARE(recentFiles(), paths.mid(0, 1));
        QVERIFY(!command(window, "file.recent.2")->isVisible());
        command(window, "file.recent.1")->trigger();
        QCOMPARE(window.pages().size(), std::size_t{3});
        command(window, "file.recent.clear")->trigger();
        QVERIFY(recentFiles().isEmpty());
        QVERIFY(test::closeQuietly(window));
    }

    void aChangeIsKeptUntilItIsSavedTakenBackOrClosed()
    {
        MainWindow window;
        auto* autosave = window.findChild<Autosave*>();
        SchedulePage& page = window.openFamily(QStringLiteral("1f1b"));
        autosave->keepNow();
        autosave->recovery().finish();
        QVERIFY(copiesIn(recoveryFolder()).isEmpty()); // nothing was changed
        changeShape(page, 6);
        autosave->keepNow();
        autosave->recovery().finish();
        QCOMPARE(copiesIn(recoveryFolder()).size(), 1);
        page.undoStack()->undo();
        autosave->recovery().finish();
        QVERIFY(copiesIn(recoveryFolder()).isEmpty());
        page.undoStack()->redo();
        QApplication::processEvents();
        autosave->keepNow();
        autosave->recovery().finish();
        QCOMPARE(copiesIn(recoveryFolder()).size(), 1);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("plan.pipewright.json"));
        QVERIFY(page.document().save(path).has_value());
        autosave->recovery().finish();
        QVERIFY(copiesIn(recoveryFolder()).isEmpty());
        changeShape(page, 3);
        QApplication::processEvents();
        autosave->keepNow();
        QVERIFY(test::closeQuietly(window));
        QVERIFY(QDir(recoveryFolder()).isEmpty());
    }

    void aRecoveredScheduleHasItsFileAndItsUnsavedChanges()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("plan.pipewright.json"));
        {
            MainWindow window; // goes without its closing, as in a crash
            SchedulePage& page = window.openFamily(QStringLiteral("1f1b"));
            QVERIFY(page.document().save(path).has_value());
            changeShape(page, 5);
            window.findChild<Autosave*>()->keepNow();
        }
        QCOMPARE(copiesIn(recoveryFolder()).size(), 1);
        MainWindow window;
        beginWelcome(window);
        window.show();
        auto* welcome = qobject_cast<WelcomePage*>(window.page());
        QVERIFY(welcome != nullptr);
        QPushButton* take = button(welcome, QStringLiteral("Recover"));
        QVERIFY(take != nullptr);
        QTest::mouseClick(take, Qt::LeftButton);
        SchedulePage* page = window.schedulePage();
        QVERIFY(page != nullptr);
        QCOMPARE(page->document().path(), path);
        QCOMPARE(page->document().schedule()->devices(), 5);
        QVERIFY(page->modified());
        // The file is as it was saved; the changes wait for a decision.
        QCOMPARE(loadProject(path.toStdString())->family->options.devices, 4);
        QTRY_COMPARE(window.pages().size(),
                     std::size_t{1}); // the welcome has nothing left to offer
        QVERIFY(test::closeQuietly(window));
        QVERIFY(QDir(recoveryFolder()).isEmpty());
    }

    /// What is wrong with a file of the command line is said in front of the window, not behind it.
    void theWindowIsThereBeforeABoxSpeaksOfAFile()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("plan.pipewright.json"));
        write(path, "{\"a\":");
        MainWindow window;
        FirstShown first;
        qApp->installEventFilter(&first);
        beginSession(window, {path});
        qApp->removeEventFilter(&first);
        QCOMPARE(first.shown, QStringList({QStringLiteral("window"), QStringLiteral("box")}));
        QVERIFY(qobject_cast<WelcomePage*>(window.page()) != nullptr);
        auto* box = window.findChild<QMessageBox*>();
        QVERIFY(box != nullptr);
        QVERIFY(box->text().contains(QFileInfo(path).fileName()));
        box->close();
    }

    /// What can be clicked has the accent of the ground that is there, old lines and new ones.
    void linksOfTheWelcomeFollowTheGround()
    {
        MainWindow window;
        beginWelcome(window);
        window.show();
        const auto inks = [&window] {
            QSet<QRgb> all;
            const auto buttons = window.page()->findChildren<QPushButton*>();
            for (const QPushButton* one : buttons)
                if (one->isFlat())
                    all.insert(one->palette().color(QPalette::ButtonText).rgb());
            return all;
        };
        for (const Ground ground : {Ground::Dark, Ground::Light}) {
            applyGround(*qApp, ground);
            QCoreApplication::processEvents();
            QCOMPARE(inks(), QSet<QRgb>({color(Role::Accent).rgb()}));
        }
    }

    void theWelcomeIsThereWhileNothingIsOpen()
    {
        MainWindow window;
        QVERIFY(window.pages().empty());
        beginWelcome(window);
        window.show();
        auto* welcome = qobject_cast<WelcomePage*>(window.page());
        QVERIFY(welcome != nullptr);
        const auto cards = welcome->findChildren<SampleCard*>();
        QVERIFY(cards.size() >= 8);
        QTRY_VERIFY(!cards.last()->accessibleName().isEmpty());
        for (const SampleCard* card : cards)
            QVERIFY(!card->accessibleDescription().isEmpty());
        cards[4]->setFocus();
        QTest::keyClick(cards[4], Qt::Key_Space);
        QVERIFY(window.schedulePage() != nullptr);
        QVERIFY(window.schedulePage()->title().contains(QStringLiteral("ZB-V")));
        // Its notes are shown, and it has no file that could be overwritten.
        QVERIFY(window.findChild<QDockWidget*>(QStringLiteral("notes"))->isVisibleTo(&window));
        QVERIFY(window.findChild<NotesPanel*>()->toPlainText().contains(QStringLiteral("Try: ")));
        QVERIFY(window.schedulePage()->document().path().isEmpty());
        QTRY_COMPARE(window.pages().size(), std::size_t{1});
        window.closePage(window.page());
        QTRY_VERIFY(qobject_cast<WelcomePage*>(window.page()) != nullptr);
        QVERIFY(test::closeQuietly(window));
    }

    void notesAreOneStepOfTheHistory()
    {
        MainWindow window;
        SchedulePage& page = window.openFamily(QStringLiteral("1f1b"));
        auto* notes = window.findChild<NotesPanel*>();
        QTest::keyClicks(notes, QStringLiteral("remember me"));
        QTRY_COMPARE(QString::fromStdString(page.document().project().notes),
                     QStringLiteral("remember me"));
        QVERIFY(page.modified());
        page.undoStack()->undo();
        QVERIFY(notes->toPlainText().isEmpty());
        QVERIFY(!page.modified());
        // What is typed belongs to the schedule that it was typed for.
        QTest::keyClicks(notes, QStringLiteral("one"));
        SchedulePage& other = window.openFamily(QStringLiteral("zb-v"));
        QCOMPARE(page.document().project().notes, std::string("one"));
        QVERIFY(other.document().project().notes.empty());
        QVERIFY(test::closeQuietly(window));
    }

    void theFigureIsWrittenAsTheDialogShowsIt()
    {
        MainWindow window;
        window.openFamily(QStringLiteral("zb-v"));
        window.show();
        command(window, "file.export-figure")->trigger();
        auto* dialog = window.findChild<ExportDialog*>();
        QVERIFY(dialog != nullptr);
        const auto boxes = dialog->findChildren<QComboBox*>();
        boxes[1]->setCurrentIndex(2); // dark
        boxes[2]->setCurrentIndex(0); // one column
        QCOMPARE(dialog->look().ground, FigureGround::Dark);
        QCOMPARE(dialog->look().widthMm, FigureLook::oneColumn);
        const auto checks = dialog->findChildren<QCheckBox*>();
        for (QCheckBox* box : checks)
            box->setChecked(true);
        QVERIFY(dialog->look().memory && dialog->look().bubbles);
        const QTemporaryDir folder;
        QSignalSpy refused(dialog, &ExportDialog::refused);
        dialog->writeTo(folder.filePath(QStringLiteral("figure.gif")));
        QCOMPARE(refused.size(), 1);
        dialog->writeTo(folder.filePath(QStringLiteral("no/such/figure.svg")));
        QTRY_COMPARE(refused.size(), 2);
        QVERIFY(refused.at(1).at(0).toString().contains(QStringLiteral("no/such")));
        QSignalSpy written(dialog, &ExportDialog::written);
        dialog->writeTo(folder.filePath(QStringLiteral("figure.svg")));
        QTRY_COMPARE(written.size(), 1);
        QFile figure(folder.filePath(QStringLiteral("figure.svg")));
        QVERIFY(figure.open(QIODevice::ReadOnly));
        QVERIFY(figure.readAll().contains("ZB-V"));
        QVERIFY(test::closeQuietly(window));
    }

    void schedulesAreExported_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("PyTorch's CSV") << QByteArray("file.export-torch-csv") << QByteArray("0F0,");
        QTest::newRow("sail-sg's nodes") << QByteArray("file.export-sail") << QByteArray("[\n");
        QTest::newRow("Chrome JSON") << QByteArray("file.export-chrome-json") << QByteArray("{");
        QTest::newRow("table") << QByteArray("file.export-table") << QByteArray("device,kind,");
        QTest::newRow("schedule text") << QByteArray("file.export-text") << QByteArray("d0: F0");
    }

    void schedulesAreExported()
    {
        QFETCH(QByteArray, id);
        QFETCH(QByteArray, begin);
        MainWindow window;
        QVERIFY(!command(window, id.constData())->isEnabled());
        window.openFamily(QStringLiteral("1f1b"));
        window.show();
        QVERIFY(command(window, id.constData())->isEnabled());
        command(window, id.constData())->trigger();
        auto* dialog = window.findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("out"));
        Q_EMIT dialog->fileSelected(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith(begin));
        // What the format cannot hold, and what cannot be written, is said.
        const auto* told = window.findChild<QLabel*>(QStringLiteral("told"));
        Q_EMIT dialog->fileSelected(folder.filePath(QStringLiteral("no/such")));
        QVERIFY2(told->text().contains(QStringLiteral("Not exported")), qPrintable(told->text()));
        dialog->reject();
        QVERIFY(test::closeQuietly(window));
    }

    void preferencesHoldAtOnceAndForLater()
    {
        MainWindow window;
        window.show();
        QApplication::processEvents();
        command(window, "file.preferences")->trigger();
        auto* dialog = window.findChild<PreferencesDialog*>();
        QVERIFY(dialog != nullptr);
        dialog->findChild<QComboBox*>()->setCurrentIndex(int(GroundChoice::Dark));
        QVERIFY(ground() == Ground::Dark);
        QVERIFY(chosenGround() == Ground::Dark);
        QVERIFY(command(window, "view.dark")->isChecked());
        dialog->findChild<QComboBox*>()->setCurrentIndex(int(GroundChoice::Light));
        QVERIFY(ground() == Ground::Light);
        dialog->findChild<QSpinBox*>()->setValue(0);
        QCOMPARE(Autosave::seconds(), 0);
        // The switch in the menu is remembered as well.
        command(window, "view.dark")->setChecked(true);
        QVERIFY(groundChoice() == GroundChoice::Dark);
        command(window, "view.dark")->setChecked(false);
        QVERIFY(ground() == Ground::Light);
        dialog->reject();
        QVERIFY(test::closeQuietly(window));
    }

    /// One dialog with all of it: a search leaves what was meant, by other words too.
    void preferencesAreFound()
    {
        MainWindow window;
        window.show();
        command(window, "file.preferences")->trigger();
        auto* dialog = window.findChild<PreferencesDialog*>();
        QVERIFY(dialog != nullptr);
        auto* search = dialog->findChild<QLineEdit*>(QStringLiteral("search"));
        QTRY_VERIFY(search->hasFocus() || !QApplication::activeWindow());
        const auto seen = [dialog](const QString& words) {
            const auto fields = dialog->findChildren<QWidget*>();
            for (const QWidget* field : fields) {
                const auto* label = qobject_cast<const QLabel*>(field);
                const auto* button = qobject_cast<const QAbstractButton*>(field);
                QString shown = label != nullptr    ? label->text()
                                : button != nullptr ? button->text()
                                                    : QString();
                if (shown.remove(QLatin1Char('&')) == words && field->isVisibleTo(dialog))
                    return true;
            }
            return false;
        };
        for (const char* words : {"Colours", "Language", "Store of runs", "Connections…", "Keys",
                                  "Memory", "Unlock all lessons"})
            QVERIFY2(seen(QString::fromUtf8(words)), words);
        search->setText(QStringLiteral("theme"));
        QVERIFY(seen(QStringLiteral("Colours")) && seen(QStringLiteral("Appearance")));
        QVERIFY(!seen(QStringLiteral("Language")) && !seen(QStringLiteral("Files and runs")));
        search->setText(QStringLiteral("runs STORE"));
        QVERIFY(seen(QStringLiteral("Store of runs")) && !seen(QStringLiteral("Colours")));
        search->setText(QStringLiteral("ssh"));
        QVERIFY(seen(QStringLiteral("Connections…")));
        auto* none = dialog->findChild<QLabel*>(QStringLiteral("none"));
        QVERIFY(!none->isVisibleTo(dialog));
        search->setText(QStringLiteral("warp drive"));
        QVERIFY(none->isVisibleTo(dialog) && !seen(QStringLiteral("Colours")));
        // A switch is that of the menu, in both directions.
        search->setText(QStringLiteral("unlock"));
        QAction* unlock = command(window, "learn.unlock-all");
        QCheckBox* box = nullptr;
        const auto boxes = dialog->findChildren<QCheckBox*>();
        for (QCheckBox* one : boxes)
            if (one->isVisibleTo(dialog))
                box = one;
        QVERIFY(box != nullptr);
        box->setChecked(true);
        QVERIFY(unlock->isChecked());
        unlock->setChecked(false);
        QVERIFY(!box->isChecked());
        dialog->reject();
        QVERIFY(test::closeQuietly(window));
    }

    void theNewestVersionIsTold()
    {
        QCOMPARE(newestChanges(QStringLiteral("# Changes\n\nAll.\n\n## 2.0\n\nNew *x*.\n\n### Y\n"
                                              "z\n\n## 1.0\n\nOld.\n")),
                 QStringLiteral("New *x*.\n\n### Y\nz"));
        QCOMPARE(newestChanges(QStringLiteral("# Changes\n")), QString());
        QVERIFY(!newestChanges().isEmpty());
        MainWindow window;
        window.show();
        command(window, "help.news")->trigger();
        auto* dialog = window.findChild<QDialog*>(QStringLiteral("news"));
        QVERIFY(dialog != nullptr);
        const QString shown = dialog->findChild<ManualView*>()->toPlainText();
        QVERIFY2(shown.startsWith(QStringLiteral("What is new in Pipewright ")), qPrintable(shown));
        QVERIFY(shown.contains(newestChanges().left(20)));
        dialog->close();
        // Nothing is said at the first start, and once after the version has changed.
        const auto* told = window.findChild<QLabel*>(QStringLiteral("told"));
        tellNews(window);
        QVERIFY(!told->text().contains(QStringLiteral("What's new")));
        QSettings().setValue(QStringLiteral("help/version"), QStringLiteral("0.0.1"));
        tellNews(window);
        QVERIFY(told->text().contains(QStringLiteral("since 0.0.1")));
        window.tell({});
        tellNews(window);
        QVERIFY(!told->text().contains(QStringLiteral("What's new")));
        QVERIFY(test::closeQuietly(window));
    }

    void theWindowReturnsAsItWas()
    {
        QSize size;
        {
            MainWindow window;
            window.show();
            window.findChild<QDockWidget*>(QStringLiteral("notes"))->show();
            const QSize before = window.size();
            // Qt 6.8 makes what it gives back fit on the screen, with its frame.
            window.resize(before.boundedTo(window.screen()->availableSize() - QSize(60, 60)) -
                          QSize(37, 41));
            size = window.size();
            QVERIFY(size != before);
            QVERIFY(test::closeQuietly(window));
        }
        MainWindow window;
        restoreLayout(window);
        window.show();
        QCOMPARE(window.size(), size);
        QVERIFY(window.findChild<QDockWidget*>(QStringLiteral("notes"))->isVisibleTo(&window));
        QVERIFY(test::closeQuietly(window));
    }

    void aFirstWindowFitsOnItsScreenWithItsFrame()
    {
        QSettings().remove(QStringLiteral("window"));
        {
            MainWindow window;
            const QSize room = window.screen()->availableSize();
            window.resize(room);
            restoreLayout(window);
            QVERIFY(window.width() < room.width() && window.height() < room.height());
            window.show();
            QVERIFY(window.isMaximized());
            QVERIFY(test::closeQuietly(window));
        }
        QSettings().remove(QStringLiteral("window"));
        MainWindow window;
        const QSize small = window.screen()->availableSize() - QSize(60, 60);
        window.resize(small);
        restoreLayout(window);
        QVERIFY(!window.isMaximized());
        QCOMPARE(window.size(), small);
        QVERIFY(test::closeQuietly(window));
    }

private:
    QString recoveryFolder() const
    {
        return m_home.filePath(QStringLiteral("data/pipewright/tst_keep/recovery"));
    }

    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestKeep)
#include "tst_keep.moc"
