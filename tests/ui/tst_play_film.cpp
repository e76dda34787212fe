// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "ui/export/play_film.h"
#include "ui/presentation.h"

#include <QApplication>
#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QImageReader>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

/// A play as a file to send around.
class TestPlayFilm : public QObject
{
    Q_OBJECT

    static void put(const QString& path, const QByteArray& content)
    {
        QFile file(path);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(content);
    }
    static QByteArray taken(const QString& path)
    {
        QFile file(path);
        return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void aFrameAtEveryEvent()
    {
        const PlayFilm film(lanes(), QStringLiteral("1F1B"), {});
        const auto frames = film.frames();
        QVERIFY(frames.size() > 4);
        QCOMPARE(frames.front().time, Ticks{0});
        QCOMPARE(frames.back().time, lanes()->end());
        int whole = 0;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            QVERIFY(i == 0 || frames[i].time > frames[i - 1].time);
            QVERIFY(frames[i].milliseconds >= 40);
            whole += frames[i].milliseconds;
        }
        QVERIFY(whole < 70'000);
        // What comes is pale, what was is not.
        const QImage begin = film.image(0), end = film.image(lanes()->end());
        QCOMPARE(begin.size(), film.size());
        QVERIFY(begin != end);
    }

    /// Read by another program's code: as many frames, of that size, with their times.
    void theGifIsRead()
    {
        const PlayFilm film(lanes(), QStringLiteral("1F1B"), {640, Ground::Dark, 1});
        const auto gif = gifOf(film);
        if (!gif && gif.error().message.english().find("giflib") != std::string::npos)
            QSKIP("built without giflib");
        QVERIFY2(gif, gif ? "" : gif.error().message.c_str());
        QCOMPARE(*gifOf(film), *gif);
        QByteArray bytes = *gif;
        QBuffer buffer(&bytes);
        QVERIFY(buffer.open(QIODevice::ReadOnly));
        QImageReader reader(&buffer, "gif");
        if (!QImageReader::supportedImageFormats().contains("gif"))
            QSKIP("Qt reads no GIF here");
        QCOMPARE(reader.loopCount(), -1);
        const auto frames = film.frames();
        QCOMPARE(reader.imageCount(), static_cast<int>(frames.size()));
        for (const FilmFrame& frame : frames) {
            const QImage image = reader.read().convertToFormat(QImage::Format_RGB32);
            QVERIFY(!image.isNull());
            QCOMPARE(image.size(), film.size());
            QCOMPARE(reader.nextImageDelay(), frame.milliseconds);
            // Colours that the palette does not have are near.
            const QImage wanted = film.image(frame.time);
            qint64 far = 0;
            for (int y = 0; y < image.height(); y += 3)
                for (int x = 0; x < image.width(); x += 3)
                    far += std::abs(qGreen(image.pixel(x, y)) - qGreen(wanted.pixel(x, y))) > 40;
            QVERIFY2(far < image.width() * image.height() / 900, qPrintable(QString::number(far)));
        }
        QVERIFY2(bytes.size() < 600'000, qPrintable(QString::number(bytes.size())));
    }

    /// Read back by ffmpeg itself: how long it is, and its last picture.
    void theMp4HasItsPictures()
    {
        const QString ffmpeg = QStandardPaths::findExecutable(QStringLiteral("ffmpeg"));
        if (ffmpeg.isEmpty())
            QSKIP("ffmpeg is not installed");
        QTemporaryDir folder;
        const PlayFilm film(lanes(), QStringLiteral("1F1B"), {640, Ground::Light, 4});
        const QString path = folder.filePath(QStringLiteral("x.mp4"));
        const auto done = writeFilm(film, path);
        QVERIFY2(done, done ? "" : done.error().message.c_str());
        const QString pictures = folder.filePath(QStringLiteral("%04d.png"));
        QCOMPARE(QProcess::execute(ffmpeg, {QStringLiteral("-v"), QStringLiteral("error"),
                                            QStringLiteral("-i"), path, QStringLiteral("-vf"),
                                            QStringLiteral("fps=20"), pictures}),
                 0);
        const QStringList all =
            QDir(folder.path()).entryList({QStringLiteral("*.png")}, QDir::Files, QDir::Name);
        int whole = 0;
        const std::vector<FilmFrame> frames = film.frames();
        for (const FilmFrame& frame : frames)
            whole += frame.milliseconds;
        QVERIFY2(std::abs(static_cast<int>(all.size()) * 50 - whole) <= 300,
                 qPrintable(QStringLiteral("%1 pictures for %2 ms").arg(all.size()).arg(whole)));
        for (const auto& [name, time] :
             {std::pair(all.front(), Ticks{0}), std::pair(all.back(), frames.back().time)}) {
            const QImage image =
                QImage(folder.filePath(name)).convertToFormat(QImage::Format_RGB32);
            const QImage wanted = film.image(time);
            // The codec wants even sides.
            QVERIFY(std::abs(image.width() - wanted.width()) <= 1);
            QVERIFY(std::abs(image.height() - wanted.height()) <= 1);
            qint64 off = 0, count = 0;
            for (int y = 0; y < std::min(image.height(), wanted.height()); y += 2)
                for (int x = 0; x < std::min(image.width(), wanted.width()); x += 2, ++count)
                    off += std::abs(qGreen(image.pixel(x, y)) - qGreen(wanted.pixel(x, y)));
            QVERIFY2(off < 6 * count, qPrintable(QString::number(off / count)));
        }
    }

    void anMp4NeedsFfmpegAndSaysSo()
    {
        QTemporaryDir folder;
        const PlayFilm film(lanes(), QStringLiteral("1F1B"), {});
        const QString path = folder.filePath(QStringLiteral("x.mp4"));
        // Where it is installed it is hidden.
        const QByteArray paths = qgetenv("PATH");
        qputenv("PATH", folder.path().toUtf8());
        const auto done = writeFilm(film, path);
        qputenv("PATH", paths);
        QVERIFY(!done);
        QVERIFY(done.error().message.english().find("not installed") != std::string::npos);
        QVERIFY(!QFile::exists(path));
        const auto other = writeFilm(film, folder.filePath(QStringLiteral("x.avi")));
        QVERIFY(!other);
        QVERIFY(other.error().message.english().find(".gif or .mp4") != std::string::npos);
    }

    /// A program in ffmpeg's place, which writes half of a film where it is told to and sees then
    /// what stands at the film's own name.
    void theOldFilmStaysUntilTheNewOneIsWhole_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("readOnly");
        QTest::addColumn<QString>("end");
        QTest::addColumn<QByteArray>("left");
        QTest::newRow("made") << "x.mp4" << false << "exit 0" << QByteArray("half");
        QTest::newRow("refused") << "x.mp4" << false << "exit 1" << QByteArray("old");
        QTest::newRow("killed") << "x.mp4" << false << "kill -9 $$" << QByteArray("old");
        QTest::newRow("read-only") << "x.mp4" << true << "exit 0" << QByteArray("old");
        QTest::newRow("protocol") << "concat:x.mp4" << false << "exit 0" << QByteArray("half");
        QTest::newRow("option") << "-x.mp4" << false << "exit 0" << QByteArray("half");
    }
    void theOldFilmStaysUntilTheNewOneIsWhole()
    {
        QFETCH(QString, name);
        QFETCH(bool, readOnly);
        QFETCH(QString, end);
        QFETCH(QByteArray, left);
        QTemporaryDir folder, programs;
        const QString path = folder.filePath(name), saw = programs.filePath(QStringLiteral("saw"));
        put(path, "old");
        if (readOnly)
            QFile::setPermissions(path, QFile::ReadOwner);
        const QString program = programs.filePath(QStringLiteral("ffmpeg"));
        put(program, QStringLiteral("#!/bin/sh\ncat > /dev/null\nfor last; do :; done\n"
                                    "printf half > \"${last#file:}\"\ncat '%1' > '%2'\n%3\n")
                         .arg(path, saw, end)
                         .toUtf8());
        QFile::setPermissions(program, QFile::ReadOwner | QFile::ExeOwner);
        const QByteArray paths = qgetenv("PATH");
        qputenv("PATH", programs.path().toUtf8() + ":" + paths);
        const auto done = writeFilm(PlayFilm(lanes(), QStringLiteral("1F1B"), {320}), path);
        qputenv("PATH", paths);
        QCOMPARE(done.has_value(), left == "half");
        QCOMPARE(taken(saw), QByteArray("old"));
        QCOMPARE(taken(path), left);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{name});
    }

    void tooManyEventsAreThinned()
    {
        std::vector<Lane> many(1);
        for (int i = 0; i < 5000; ++i) {
            many[0].start.push_back(i * 10);
            many[0].end.push_back(i * 10 + 7);
            many[0].look.emplace_back();
            many[0].entry.push_back(i);
        }
        const auto made = std::make_shared<const Lanes>(std::move(many),
                                                        [](std::int32_t, bool) { return Pass{}; });
        const auto frames = PlayFilm(made, QString(), {}).frames();
        QCOMPARE(static_cast<int>(frames.size()), FilmLook::mostFrames);
        QCOMPARE(frames.back().time, made->end());
    }

private:
    LanesPtr lanes()
    {
        if (!m_lanes) {
            const auto run =
                test::runFamily(test::familyOf("1f1b"), test::sized(3, 4), UniformCosts{});
            m_lanes = lanesOf(std::make_shared<const Schedule>(run.schedule), run.result);
        }
        return m_lanes;
    }

    LanesPtr m_lanes;
};

PW_WINDOW_TEST(TestPlayFilm)
#include "tst_play_film.moc"
