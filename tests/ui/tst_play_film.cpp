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
