// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"
#include "core/system/files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace pw;

namespace {

unsigned rightsOf(const std::string& path)
{
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

/// Files of this program end here, as on a full disk, for the life of the object.
class ShortFiles
{
public:
    explicit ShortFiles(rlim_t bytes)
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        sys::failPastLargestFile(); // as the programs do
        const rlimit shortened{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &shortened);
    }
    ~ShortFiles() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    ShortFiles(const ShortFiles&) = delete;
    ShortFiles& operator=(const ShortFiles&) = delete;

private:
    rlimit m_before = {};
};

} // namespace

class TestWholeFile : public QObject
{
    Q_OBJECT

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    std::string content(const char* name) const { return readFile(path(name), 1000).value_or("-"); }
    QStringList names() const
    {
        return QDir(m_folder.path())
            .entryList(QDir::Files | QDir::Hidden | QDir::System, QDir::Name);
    }

    QTemporaryDir m_folder;

private slots:
    void cleanup()
    {
        for (const QString& name : names())
            QFile::remove(m_folder.filePath(name));
    }

    void aNewFileHasTheRightsThatTheUmaskLeaves()
    {
        for (const unsigned mask : {022U, 077U, 002U}) {
            const mode_t before = ::umask(mask);
            const Result<void> written = writeFile(path("new"), "1");
            ::umask(before);
            QVERIFY(written);
            QCOMPARE(rightsOf(path("new")), 0666U & ~mask);
            QFile::remove(QString::fromStdString(path("new")));
        }
    }

    void aFileKeepsItsRights()
    {
        QVERIFY(writeFile(path("a"), "1"));
        QCOMPARE(::chmod(path("a").c_str(), 0640), 0);
        QVERIFY(writeFile(path("a"), "2"));
        QCOMPARE(rightsOf(path("a")), 0640U);
        QCOMPARE(content("a"), std::string("2"));
    }

    void aReadOnlyFileStays()
    {
        QVERIFY(writeFile(path("a"), "1"));
        QCOMPARE(::chmod(path("a").c_str(), 0444), 0);
        const Result<void> written = writeFile(path("a"), "2");
        QVERIFY(!written);
        QCOMPARE(written.error().message, "cannot write " + path("a") + ": it is read-only");
        QCOMPARE(content("a"), std::string("1"));
        QCOMPARE(names(), QStringList{"a"});
    }

    void linksStayAndTheirFilesAreWritten()
    {
        QVERIFY(writeFile(path("a"), "1"));
        QCOMPARE(::symlink("a", path("near").c_str()), 0);
        QCOMPARE(::symlink(path("near").c_str(), path("far").c_str()), 0);
        QVERIFY(writeFile(path("far"), "2"));
        QVERIFY(QFileInfo(m_folder.filePath("far")).isSymLink());
        QVERIFY(QFileInfo(m_folder.filePath("near")).isSymLink());
        QCOMPARE(content("a"), std::string("2"));
    }

    void aLinkToNothingMakesItsFile()
    {
        QCOMPARE(::symlink("later", path("link").c_str()), 0);
        QVERIFY(writeFile(path("link"), "1"));
        QVERIFY(QFileInfo(m_folder.filePath("link")).isSymLink());
        QCOMPARE(content("later"), std::string("1"));
    }

    void linksInARingAreRefused()
    {
        QCOMPARE(::symlink("two", path("one").c_str()), 0);
        QCOMPARE(::symlink("one", path("two").c_str()), 0);
        QVERIFY(!writeFile(path("one"), "1"));
        QVERIFY(!readFile(path("one"), 10));
        QCOMPARE(fileKind(path("one")), FileKind::Missing);
    }

    /// A file of one name is replaced as a whole: who has it open reads the old one to its end.
    void whoReadsAFileGoesOnWithTheOldOne()
    {
        QVERIFY(writeFile(path("a"), "the old one"));
        QFile open(m_folder.filePath("a"));
        QVERIFY(open.open(QIODevice::ReadOnly));
        QCOMPARE(open.read(4), QByteArray("the "));
        QVERIFY(writeFile(path("a"), "new"));
        QCOMPARE(open.readAll(), QByteArray("old one"));
        QFile again(m_folder.filePath("a"));
        QVERIFY(again.open(QIODevice::ReadOnly));
        QCOMPARE(again.readAll(), QByteArray("new"));
    }

    void allNamesOfAFileSeeTheNewContent()
    {
        QVERIFY(writeFile(path("a"), "the old content, which is longer"));
        QCOMPARE(::link(path("a").c_str(), path("b").c_str()), 0);
        QVERIFY(writeFile(path("a"), "new"));
        QCOMPARE(content("a"), std::string("new"));
        QCOMPARE(content("b"), std::string("new"));
        QCOMPARE(names(), (QStringList{"a", "b"}));
    }

    void aNameAsLongAsTheSystemTakesIsWritten()
    {
        const std::string longest(255, 'n');
        QVERIFY(writeFile(path(longest.c_str()), "1"));
        const Result<void> beyond = writeFile(path((longest + "n").c_str()), "1");
        QVERIFY(!beyond);
        QVERIFY(beyond.error().message.english().find(strerrordesc_np(ENAMETOOLONG)) !=
                std::string::npos);
        QCOMPARE(names(), QStringList{QString::fromStdString(longest)});
    }

    void whatAKilledProgramLeftGoesAway()
    {
        const auto make = [this](const char* name) {
            QFile file(m_folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("half");
        };
        make(".pipewright-abcdefgh.part"); // of a program that was killed a moment ago
        make(".pipewright-locklock.part"); // of one that is at work
        make(".pipewright-abcdefgh.txt");  // something else
        const int busy = ::open(path(".pipewright-locklock.part").c_str(), O_RDONLY);
        QVERIFY(busy >= 0);
        QCOMPARE(::flock(busy, LOCK_EX), 0);
        QVERIFY(writeFile(path("a"), "1"));
        ::close(busy);
        QCOMPARE(names(),
                 (QStringList{".pipewright-abcdefgh.txt", ".pipewright-locklock.part", "a"}));
    }

    /// Each takes away what it thinks others have left: never what they are writing.
    void manyWriteIntoAFolderAtTheSameTime()
    {
        constexpr int writers = 8, writes = 60;
        std::atomic<int> failed{0};
        std::vector<std::thread> all;
        for (int i = 0; i < writers; ++i)
            all.emplace_back([this, i, &failed] {
                const std::string name(1, static_cast<char>('a' + i));
                for (int k = 0; k < writes; ++k)
                    failed += writeFile(path(name.c_str()), name) ? 0 : 1;
            });
        for (std::thread& one : all)
            one.join();
        QCOMPARE(failed, 0);
        QCOMPARE(names(), (QStringList{"a", "b", "c", "d", "e", "f", "g", "h"}));
    }

    /// Wherever the disk is full, the old file is whole and nothing is left beside it.
    void aDiskThatIsFullLeavesTheOldFile()
    {
        QVERIFY(writeFile(path("a"), "old"));
        const std::string large(10'000, 'x');
        for (rlim_t bytes = 0; bytes < large.size(); bytes += 499) {
            Result<void> written;
            {
                const ShortFiles full(bytes);
                written = writeFile(path("a"), large);
            }
            QVERIFY(!written);
            QCOMPARE(content("a"), std::string("old"));
            QCOMPARE(names(), QStringList{"a"});
        }
        QVERIFY(!writeFile("/dev/full", "1"));
    }

    void devicesAndFoldersAreRefused()
    {
        for (const char* name : {"/dev/zero", "/dev/null"}) {
            const Result<std::string> read = readFile(name, 1000);
            QVERIFY(!read);
            QVERIFY(read.error().message.english().find("it is a device") != std::string::npos);
        }
        QVERIFY(!readFile(m_folder.path().toStdString(), 1000));
        QVERIFY(!writeFile(m_folder.path().toStdString(), "1"));
        QVERIFY(writeFile("/dev/null", "1"));
    }

    void aPipeIsReadToItsEnd()
    {
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        std::thread writer([this] {
            const int file = ::open(path("pipe").c_str(), O_WRONLY);
            for (int i = 0; i < 3; ++i)
                if (::write(file, "abc", 3) != 3)
                    break;
            ::close(file);
        });
        const Result<std::string> read = readFile(path("pipe"), 1000);
        writer.join();
        QVERIFY(read);
        QCOMPARE(*read, std::string("abcabcabc"));
    }
};

PW_TEST(TestWholeFile)
#include "tst_whole_file.moc"
