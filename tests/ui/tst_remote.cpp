// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/project_file.h"
#include "core/reading/import_trace.h"
#include "core/trace/rules_file.h"
#include "tests/support/import_hand.h"
#include "tests/support/kineto_job.h"
#include "tests/support/places.h"
#include "tests/support/ssh_server.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/keep/recent_files.h"
#include "ui/remote/remote_dialog.h"
#include "ui/remote/remote_files.h"
#include "ui/run/connection.h"
#include "ui/traces/import_preview.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace pw;
using namespace pw::ui;
using test::SshServer;

namespace {

constexpr int remotePatience = 180'000;

QByteArray remoteProject(const char* title)
{
    Project project = projectOf("zb-h1", FamilyOptions{}, UniformCosts{});
    project.title = title;
    return QByteArray::fromStdString(*writeProject(project));
}

void writeThere(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

QString remoteRefusal(const RemoteDialog& dialog)
{
    const auto* label = dialog.findChild<QLabel*>(QStringLiteral("refusal"));
    return label->isVisibleTo(&dialog) ? label->text() : QString();
}

} // namespace

/// Files of other machines: what a place is, how it is reached, and what comes over a real server.
class TestRemote : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_home;
    QTemporaryDir m_there; ///< what the other machine has
    std::unique_ptr<SshServer> m_server;

    /// A trace there whose pass only a rule of one's own finds; its name.
    QString foreignThere() const
    {
        const QString name = QStringLiteral("foreign.json");
        writeThere(m_there.filePath(name),
                   R"([{"ph":"X","name":"step of 3","pid":1,"tid":1,"ts":1,"dur":5}])");
        return name;
    }

    /// A small trace of a pipeline there; its path.
    QString traceThere(int stages) const
    {
        test::MadeJob job;
        job.stages = stages;
        job.replicas = 1;
        job.microBatches = 4;
        job.steps = 3;
        return QString::fromStdString(
            test::writeKinetoJob(m_there.path().toStdString(), job, 2).paths.front());
    }

    QString urlOf(const QString& name) const
    {
        return QStringLiteral("ssh://127.0.0.1") +
               m_there.filePath(name).replace(QLatin1Char('%'), QLatin1String("%25"));
    }
    /// A server, and a connection to it as a person would have one. False: there is no OpenSSH.
    bool serve(const QString& program)
    {
        if (!SshServer::installed())
            return false;
        m_server = std::make_unique<SshServer>();
        Connections connections;
        return m_server->problem().isEmpty() &&
               connections.setOthers({{QStringLiteral("there"), m_server->command(program)}});
    }
    RemoteFetch& fetch(RemoteFetch& fetch, const QString& name, bool whole = false) const
    {
        const Connections connections;
        const RemotePlace place = remotePlaceOf(urlOf(name)).value();
        fetch.start(place, wayTo(place, connections.all()), whole);
        return fetch;
    }

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_remote"); }
    void init() { QSettings().clear(); }
    void cleanup() { m_server.reset(); }

    void aPlaceIsReadAndWritten()
    {
        const RemotePlace place =
            remotePlaceOf(QStringLiteral("ssh://ann@node-7.example:2222/data/run 3/a%25b%20c.json"))
                .value();
        QCOMPARE(place.user, QStringLiteral("ann"));
        QCOMPARE(place.host, QStringLiteral("node-7.example"));
        QCOMPARE(place.port, 2222);
        QCOMPARE(place.path, QStringLiteral("/data/run 3/a%b c.json"));
        QCOMPARE(place.fileName(), QStringLiteral("a%b c.json"));
        QCOMPARE(remotePlaceOf(place.url()).value(), place);
        const RemotePlace home = remotePlaceOf(QStringLiteral("ssh://[::1]/~/-rf")).value();
        QCOMPARE(home.host, QStringLiteral("::1"));
        QCOMPARE(home.pathThere(), QStringLiteral("./-rf"));
        QCOMPARE(remotePlaceOf(home.url()).value(), home);
    }

    /// What ssh would take for an option, or a shell for more than a name, is no host.
    void whatIsNoHostIsRefused_data()
    {
        QTest::addColumn<QString>("url");
        const char* const wrong[] = {"ssh://-oProxyCommand=touch${IFS}x/a",
                                     "ssh://-F/etc/passwd",
                                     "ssh://ann@-oProxyCommand=x/a",
                                     "ssh://-l@node/a",
                                     "ssh://node;reboot/a",
                                     "ssh://$(reboot)/a",
                                     "ssh://`reboot`/a",
                                     "ssh://a b/a",
                                     "ssh://node%20x/a",
                                     "ssh://[::1;x]/a",
                                     "ssh://node:0/a",
                                     "ssh://node:22x/a",
                                     "ssh://node:/a",
                                     "ssh:///a",
                                     "ssh://node",
                                     "ssh://node/",
                                     "ssh://node/folder/",
                                     "ssh://node/..",
                                     "ssh://node/a%0Ab",
                                     "ssh://node/a%1Bb",
                                     "sftp://node/a"};
        for (const char* url : wrong)
            QTest::newRow(url) << QString::fromLatin1(url);
    }

    void whatIsNoHostIsRefused()
    {
        QFETCH(QString, url);
        QVERIFY(!remotePlaceOf(url));
        MainWindow window;
        openRemote(window, url);
        const auto* dialog = window.findChild<RemoteDialog*>();
        QVERIFY(dialog != nullptr);
        // Nothing was started: it is said at once.
        QVERIFY(!remoteRefusal(*dialog).isEmpty());
        QVERIFY(test::closeQuietly(window));
    }

    /// The destination is a word of its own behind all options; the path is in no command line.
    void noPathIsPartOfACommandLine()
    {
        const RemotePlace place =
            remotePlaceOf(QStringLiteral("ssh://ann@node:2222/a';touch x;'\"$(y)`z`")).value();
        const RemoteWay way = wayTo(place, {});
        QCOMPARE(way.ssh.last(), QStringLiteral("ann@node"));
        QVERIFY(way.ssh.join(QLatin1Char(' ')).contains(QStringLiteral("BatchMode=yes")));
        QCOMPARE(way.ssh[way.ssh.indexOf(QStringLiteral("-p")) + 1], QStringLiteral("2222"));
        const QStringList all = way.sending() + way.commandThere(QStringLiteral("slices"));
        QVERIFY(!all.join(QLatin1Char(' ')).contains(QStringLiteral("touch")));
    }

    /// A connection knows more of its host than its name.
    void aConnectionIsTheWayToItsHost()
    {
        const std::vector<Connection> all = {
            {QStringLiteral("here"), QStringLiteral("pipewright")},
            {QStringLiteral("queue"), QStringLiteral("ssh -J door -p 2 ann@node /opt/pipewright")}};
        QCOMPARE(knownHosts(all), QStringList{QStringLiteral("ann@node")});
        const auto wayOf = [&all](const char* url) {
            return wayTo(remotePlaceOf(QString::fromLatin1(url)).value(), all);
        };
        QVERIFY(wayOf("ssh://node/a").ssh.contains(QStringLiteral("door")));
        QCOMPARE(wayOf("ssh://ann@node/a").program, QStringList{QStringLiteral("/opt/pipewright")});
        QVERIFY(!wayOf("ssh://bob@node/a").ssh.contains(QStringLiteral("door")));
        QVERIFY(!wayOf("ssh://node:22/a").ssh.contains(QStringLiteral("door")));
        QCOMPARE(wayOf("ssh://other/a").program, QStringList{QStringLiteral("pipewright")});
    }

    /// Read there, where Pipewright is: a digest comes, of the file with any name.
    void aTraceIsReadThere()
    {
        if (!serve(QStringLiteral(PW_PROGRAM)))
            QSKIP("openssh-server and openssh-client are not installed");
        const QString made = traceThere(2);
        const QString name = QStringLiteral("it's $(touch pwned) 100% rank0.json");
        QVERIFY(QFile::copy(made, m_there.filePath(name)));
        RemoteFetch remote;
        QSignalSpy fetched(&remote, &RemoteFetch::fetched), failed(&remote, &RemoteFetch::failed);
        fetch(remote, name);
        QTRY_VERIFY_WITH_TIMEOUT(!fetched.isEmpty() || !failed.isEmpty(), remotePatience);
        QVERIFY2(failed.isEmpty(), qPrintable(failed.value(0).value(0).toString()));
        const auto digest = fetched[0][0].value<FetchedFile>();
        QVERIFY(digest.digest);
        QVERIFY(digest.path.endsWith(name + QStringLiteral(".digest")));
        // All of it, where that is asked for.
        fetch(remote, name, true);
        QTRY_COMPARE_WITH_TIMEOUT(fetched.size(), 2, remotePatience);
        const auto whole = fetched[1][0].value<FetchedFile>();
        QVERIFY(!whole.digest);
        QFile here(whole.path), there(made);
        QVERIFY(here.open(QIODevice::ReadOnly) && there.open(QIODevice::ReadOnly));
        QCOMPARE(here.readAll(), there.readAll());
        // Copies go with who has them.
        const QString path = whole.path;
        fetched.clear();
        QVERIFY(QFile::exists(path));
    }

    /// By the rules that are kept here, as a trace of this computer.
    void aTraceIsReadThereByTheRulesOfHere()
    {
        if (!serve(QStringLiteral(PW_PROGRAM)))
            QSKIP("openssh-server and openssh-client are not installed");
        const QString name = foreignThere();
        const auto passes = [&] {
            RemoteFetch remote;
            QSignalSpy fetched(&remote, &RemoteFetch::fetched);
            fetch(remote, name);
            [&] { QTRY_COMPARE_WITH_TIMEOUT(fetched.size(), 1, remotePatience); }();
            const auto file = fetched[0][0].value<FetchedFile>();
            const Result<Trace> trace = importTrace({file.path.toStdString()});
            if (!file.digest || !trace)
                qFatal("no digest came that is read");
            return std::count_if(
                trace->labels.begin(), trace->labels.end(),
                [](const SpanLabel& label) { return label.role == SpanRole::Pass; });
        };
        QCOMPARE(passes(), std::ptrdiff_t{0});
        QVERIFY(keepNameRules(defaultRulesPath(),
                              {NameRule::parse("{kind:step=F} of {micro-batch}").value()}));
        QCOMPARE(passes(), std::ptrdiff_t{1});
        // What cannot be read is told where the digest is, and keeps no trace away.
        writeThere(QString::fromStdString(defaultRulesPath()), "no rules");
        QCOMPARE(passes(), std::ptrdiff_t{0});
        QVERIFY(QFile::remove(QString::fromStdString(defaultRulesPath())));
    }

    /// The digest is made anew where its trace lies when it is read again, by the rules of then.
    void aDigestIsMadeAnewWhenItIsReadAgain()
    {
        if (!serve(QStringLiteral(PW_PROGRAM)))
            QSKIP("openssh-server and openssh-client are not installed");
        const QString name = foreignThere();
        MainWindow window;
        QVERIFY(window.open(urlOf(name)));
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<ImportDialog*>() != nullptr, remotePatience);
        ImportDialog* dialog = test::readDialog(window);
        QVERIFY(dialog != nullptr);
        const auto passes = [dialog] {
            const std::vector<SpanLabel>& labels = dialog->imported()->activity->trace.labels;
            return std::count_if(labels.begin(), labels.end(), [](const SpanLabel& label) {
                return label.role == SpanRole::Pass;
            });
        };
        const auto readAgain = [dialog] {
            auto* preview = dialog->findChild<ImportPreview*>();
            QVERIFY(preview != nullptr);
            const ImportedTracePtr before = dialog->imported();
            Q_EMIT preview->readAsked();
            QTRY_VERIFY_WITH_TIMEOUT(dialog->imported() != nullptr && dialog->imported() != before,
                                     remotePatience);
        };
        QCOMPARE(passes(), std::ptrdiff_t{0});
        QVERIFY(keepNameRules(defaultRulesPath(),
                              {NameRule::parse("{kind:step=F} of {micro-batch}").value()}));
        readAgain();
        QCOMPARE(passes(), std::ptrdiff_t{1});
        QVERIFY(QFile::remove(QString::fromStdString(defaultRulesPath())));
        readAgain();
        QCOMPARE(passes(), std::ptrdiff_t{0});
        // Where nobody answers any more it says so, and what was read stays.
        m_server.reset();
        Q_EMIT dialog->findChild<ImportPreview*>()->readAsked();
        auto* said = dialog->findChild<QLabel*>(QStringLiteral("said"));
        QTRY_VERIFY_WITH_TIMEOUT(said->text().contains(name) &&
                                     said->text().contains(QStringLiteral("127.0.0.1")),
                                 remotePatience);
        QVERIFY(dialog->imported() != nullptr);
        dialog->reject();
        QVERIFY(test::closeQuietly(window));
    }

    /// Without Pipewright there the bytes come; the page, the list of recent files and a person who
    /// saves know where from.
    void aFileIsBroughtAndListed()
    {
        if (!serve(QStringLiteral("/nowhere/pipewright")))
            QSKIP("openssh-server and openssh-client are not installed");
        const QString name = QStringLiteral("a plan; `x` 'y'.pipewright.json");
        writeThere(m_there.filePath(name), remoteProject("far"));
        MainWindow window;
        QVERIFY(window.open(urlOf(name)));
        QTRY_VERIFY_WITH_TIMEOUT(window.schedulePage() != nullptr, remotePatience);
        QCOMPARE(window.schedulePage()->document().project().title, std::string("far"));
        QVERIFY(window.schedulePage()->document().path().isEmpty()); // saving asks for a place
        QCOMPARE(recentFiles(), QStringList{urlOf(name)});
        QCOMPARE(recentName(urlOf(name)), name + QStringLiteral(" on 127.0.0.1"));
        // From the list it is brought once more.
        QVERIFY(window.closePage(window.page()));
        window.commands().action(QStringLiteral("file.recent.1"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window.schedulePage() != nullptr, remotePatience);
        QVERIFY(test::closeQuietly(window));
    }

    /// A trace that was read there is a page here, and the list has its place.
    void aTraceOpens()
    {
        if (!serve(QStringLiteral(PW_PROGRAM)))
            QSKIP("openssh-server and openssh-client are not installed");
        const QString made = traceThere(1);
        MainWindow window;
        window.open(QStringLiteral("ssh://127.0.0.1") + made);
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<ImportDialog*>() != nullptr, remotePatience);
        ImportDialog* dialog = test::readDialog(window);
        QVERIFY(dialog != nullptr);
        QVERIFY(dialog->title().contains(QFileInfo(made).fileName()));
        test::press(test::button(*dialog, "keep"));
        QTRY_COMPARE_WITH_TIMEOUT(
            recentFiles(), QStringList{QStringLiteral("ssh://127.0.0.1") + made}, remotePatience);
        QVERIFY(test::closeQuietly(window));
    }

    void whatGoesWrongIsSaid()
    {
        if (!serve(QStringLiteral(PW_PROGRAM)))
            QSKIP("openssh-server and openssh-client are not installed");
        RemoteFetch remote;
        QSignalSpy failed(&remote, &RemoteFetch::failed);
        const auto whyNot = [&](const QString& name) {
            const auto before = failed.size();
            fetch(remote, name);
            [&] { QTRY_COMPARE_WITH_TIMEOUT(failed.size(), before + 1, remotePatience); }();
            return failed.isEmpty() ? QString() : failed.last().first().toString();
        };
        const QString missing = whyNot(QStringLiteral("missing.json"));
        QVERIFY2(missing.contains(QStringLiteral("127.0.0.1")) &&
                     missing.contains(m_there.filePath(QStringLiteral("missing.json"))) &&
                     missing.contains(QStringLiteral("No such file")),
                 qPrintable(missing));
        QVERIFY(QDir(m_there.path()).mkpath(QStringLiteral("folder.json")));
        const QString folder = whyNot(QStringLiteral("folder.json"));
        QVERIFY2(folder.contains(QStringLiteral("no file")), qPrintable(folder));
        m_server->stop();
        const QString stopped = whyNot(QStringLiteral("missing.json"));
        QVERIFY2(stopped.contains(QStringLiteral("127.0.0.1")) &&
                     stopped.contains(QStringLiteral("Connection refused")),
                 qPrintable(stopped));
    }

    /// A person sees how much has come, and leaves it; the fields stay for another try.
    void bringingIsShownAndLeft()
    {
        if (!serve(QStringLiteral("/nowhere/pipewright")))
            QSKIP("openssh-server and openssh-client are not installed");
        constexpr qint64 large = qint64{4} << 30;
        QFile file(m_there.filePath(QStringLiteral("large.json")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(large)); // a hole, no bytes
        MainWindow window;
        window.open(urlOf(QStringLiteral("large.json")));
        auto* dialog = window.findChild<RemoteDialog*>();
        QVERIFY(dialog != nullptr);
        const auto* bar = dialog->findChild<QProgressBar*>();
        const auto* state = dialog->findChild<QLabel*>(QStringLiteral("state"));
        QTRY_VERIFY_WITH_TIMEOUT(bar->maximum() > 0 || !remoteRefusal(*dialog).isEmpty(),
                                 remotePatience);
        if (remoteRefusal(*dialog).contains(QStringLiteral("no room")))
            QSKIP("no room for 4 GiB among temporary files");
        QVERIFY2(state->text().contains(QStringLiteral("4 GiB")), qPrintable(state->text()));
        dialog->reject();
        QVERIFY(dialog->isVisible());
        QVERIFY(!bar->isVisibleTo(dialog));
        QVERIFY(dialog->findChild<QPushButton*>(QStringLiteral("open"))->isEnabled());
        QCOMPARE(dialog->findChild<QComboBox*>(QStringLiteral("host"))->currentText(),
                 QStringLiteral("127.0.0.1"));
        // Another place is typed, and comes.
        writeThere(m_there.filePath(QStringLiteral("small.pipewright.json")),
                   remoteProject("small"));
        dialog->findChild<QLineEdit*>(QStringLiteral("path"))
            ->setText(m_there.filePath(QStringLiteral("small.pipewright.json")));
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("open")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(window.schedulePage() != nullptr, remotePatience);
        QVERIFY(test::closeQuietly(window));
    }
};

PW_WINDOW_TEST(TestRemote)
#include "tst_remote.moc"
