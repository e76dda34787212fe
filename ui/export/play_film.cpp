// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/export/play_film.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/system/passing.h"
#include "ui/export/figure.h"
#include "ui/picture_painter.h"
#include "ui/presentation.h"
#include "ui/timeline/annotation_painter.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/time_scale.h"

#include <QCoreApplication>
#include <QPainter>
#include <QProcess>
#include <QStandardPaths>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <set>
#include <system_error>

namespace pw::ui {

namespace {

struct Film
{
    Q_DECLARE_TR_FUNCTIONS(Film)
};

constexpr int filmMargin = 16;
constexpr int filmTitle = 34;
constexpr int filmNames = 84;
constexpr int filmRuler = 20;
constexpr int filmWords = 64;

int filmLane(const Lanes& lanes)
{
    const auto count = std::max<std::size_t>(1, lanes.lanes().size());
    return std::clamp(static_cast<int>(360 / count), 16, 56);
}

QFont filmFont(int pixels, bool bold)
{
    QFont font;
    font.setPixelSize(pixels);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

QString filmSentence(const Lanes& lanes, Ticks now)
{
    const Narration narration{
        [](const Pass& pass) {
            const std::string_view kind = name(pass.kind);
            return Film::tr("%1 of micro-batch %2 on stage %3")
                .arg(QString::fromLatin1(kind.data(), static_cast<qsizetype>(kind.size())))
                .arg(pass.microBatch)
                .arg(pass.stage);
        },
        {}};
    return narrate(lanes, now, narration);
}

} // namespace

PlayFilm::PlayFilm(LanesPtr lanes, QString title, FilmLook look,
                   std::vector<PlacedAnnotation> annotations)
    : m_lanes(std::move(lanes))
    , m_title(std::move(title))
    , m_look(look)
    , m_annotations(std::move(annotations))
{
    m_look.width = std::clamp(m_look.width, FilmLook::narrowest, FilmLook::widest);
}

std::vector<FilmFrame> PlayFilm::frames() const
{
    std::set<Ticks> events{m_lanes->begin()};
    for (const Lane& lane : m_lanes->lanes()) {
        events.insert(lane.start.begin(), lane.start.end());
        events.insert(lane.end.begin(), lane.end.end());
    }
    std::vector<Ticks> times(events.begin(), events.end());
    if (times.size() > static_cast<std::size_t>(FilmLook::mostFrames)) {
        std::vector<Ticks> some;
        for (int i = 0; i < FilmLook::mostFrames; ++i)
            some.push_back(times[static_cast<std::size_t>(i) * (times.size() - 1) /
                                 static_cast<std::size_t>(FilmLook::mostFrames - 1)]);
        times = std::move(some);
    }
    const auto whole = static_cast<double>(m_lanes->end() - m_lanes->begin());
    const auto spans = static_cast<double>(std::max<std::size_t>(1, m_lanes->spanCount()));
    const auto lanes = static_cast<double>(std::max<std::size_t>(1, m_lanes->lanes().size()));
    const double perSecond = m_look.speed * std::max(2 * whole * lanes / spans, whole / 60);
    std::vector<FilmFrame> all;
    constexpr int least = 40;  // milliseconds; players show nothing shorter
    constexpr int last = 2500; // to read what there is at the end
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double stay = i + 1 < times.size()
                                ? 1000.0 * static_cast<double>(times[i + 1] - times[i]) / perSecond
                                : last;
        all.push_back({times[i], std::max(least, static_cast<int>(std::lround(stay / 10)) * 10)});
    }
    return all;
}

QSize PlayFilm::size() const
{
    const int lanes = static_cast<int>(m_lanes->lanes().size());
    const int high = filmTitle + lanes * filmLane(*m_lanes) + filmRuler + filmWords + filmMargin;
    // Even numbers, as films want them.
    return {m_look.width & ~1, (high + 1) & ~1};
}

QImage PlayFilm::image(Ticks now) const
{
    const GroundScope scope(m_look.ground);
    const Lanes& lanes = *m_lanes;
    QImage image(size(), QImage::Format_RGB32);
    image.fill(color(Role::Paper));
    QPainter painter(&image);
    painter.setFont(filmFont(17, true));
    painter.setPen(color(Role::Text));
    painter.drawText(QRect(filmMargin, 0, image.width() - 2 * filmMargin, filmTitle),
                     Qt::AlignLeft | Qt::AlignVCenter, m_title);
    painter.drawText(QRect(filmMargin, 0, image.width() - 2 * filmMargin, filmTitle),
                     Qt::AlignRight | Qt::AlignVCenter, durationText(static_cast<double>(now)));
    TimeScale scale;
    scale.begin = static_cast<double>(lanes.begin());
    scale.left = filmMargin + filmNames;
    const double wide = image.width() - scale.left - filmMargin;
    scale.ticksPerPixel = std::max(1e-9, static_cast<double>(lanes.end() - lanes.begin()) / wide);
    const FigureLanes shown = lanesOf(lanes);
    const int high = filmLane(lanes);
    const QFont letters = filmFont(13, false);
    const TextMeasure measure = measureOf(letters, 13);
    LanePictures pictures(shown, scale, measure,
                          m_look.ground == Ground::Dark ? FigureGround::Dark : FigureGround::Light,
                          ColorBy::Kind, 13, high - 4);
    for (std::size_t lane = 0; lane < lanes.lanes().size(); ++lane) {
        const QRectF area(scale.left, filmTitle + static_cast<int>(lane) * high, wide, high - 4);
        painter.setFont(filmFont(13, true));
        painter.setPen(color(Role::Text));
        painter.drawText(QRectF(filmMargin, area.top(), filmNames - 6, area.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, lanes.lanes()[lane].title);
        PictureItems items;
        pictures.lay(items, lane, {area.left(), area.top(), area.width(), area.height()});
        paintPicture(painter, items, letters);
    }
    const double x = scale.x(static_cast<double>(now));
    const double bottom = filmTitle + static_cast<double>(lanes.lanes().size()) * high;
    QColor veil = color(Role::Paper);
    veil.setAlphaF(0.8F);
    painter.fillRect(QRectF(x, filmTitle, image.width() - x, bottom - filmTitle), veil);
    const auto laneOf = [&](DeviceId device) {
        return QRectF(scale.left, filmTitle + device * high, wide, high - 4);
    };
    AnnotationPainter(scale, laneOf, QRectF(scale.left, filmTitle - 2, wide, bottom - filmTitle),
                      filmFont(13, false))
        .paint(painter, m_annotations, -1, static_cast<double>(now));
    painter.fillRect(QRectF(x - 1, filmTitle - 2, 2, bottom - filmTitle + 2), color(Role::Refusal));
    painter.setFont(filmFont(15, false));
    painter.setPen(color(Role::Text));
    painter.drawText(
        QRectF(filmMargin, bottom + 4, image.width() - 2 * filmMargin, filmRuler + filmWords - 4),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, filmSentence(lanes, now));
    return image;
}

namespace {

/// The program that makes films reads pictures as they are. It writes into a file without a name:
/// the one that a person has named is written whole, as every file is, when all of it is there.
Result<std::string> filmByFfmpeg(const PlayFilm& film)
{
    std::error_code none;
    const sys::PassingFile made(std::filesystem::temp_directory_path(none));
    if (made.problem() != 0)
        return fail(ErrorCode::Io, "there is no room for a film: %1",
                    systemSentence(made.problem()));
    const QString program = QStandardPaths::findExecutable(QStringLiteral("ffmpeg"));
    if (program.isEmpty())
        return fail(
            ErrorCode::BadValue,
            "an MP4 is made by the program ffmpeg, which is not installed; a GIF needs nothing");
    constexpr int perSecond = 20;
    constexpr std::int64_t longestFilm = std::int64_t{1} << 31; // bytes
    constexpr int patience = 120'000;                           // milliseconds
    const QSize size = film.size();
    QProcess ffmpeg;
    ffmpeg.start(program,
                 {QStringLiteral("-y"), QStringLiteral("-loglevel"), QStringLiteral("error"),
                  QStringLiteral("-f"), QStringLiteral("rawvideo"), QStringLiteral("-pix_fmt"),
                  QStringLiteral("rgb24"), QStringLiteral("-s"),
                  QStringLiteral("%1x%2").arg(size.width()).arg(size.height()),
                  QStringLiteral("-r"), QString::number(perSecond), QStringLiteral("-i"),
                  QStringLiteral("-"), QStringLiteral("-pix_fmt"), QStringLiteral("yuv420p"),
                  QStringLiteral("-f"), QStringLiteral("mp4"),
                  // With a protocol said, no name is taken for one.
                  QStringLiteral("file:") + QString::fromStdString(made.pathForOthers())});
    if (!ffmpeg.waitForStarted())
        return fail(ErrorCode::BadValue, "ffmpeg does not start");
    for (const FilmFrame& frame : film.frames()) {
        const QImage image = film.image(frame.time).convertToFormat(QImage::Format_RGB888);
        const int times = std::max(1, frame.milliseconds * perSecond / 1000);
        for (int i = 0; i < times; ++i)
            for (int y = 0; y < image.height(); ++y)
                ffmpeg.write(reinterpret_cast<const char*>(image.constScanLine(y)),
                             qint64{3} * image.width());
        while (ffmpeg.bytesToWrite() > (1 << 24) && ffmpeg.waitForBytesWritten(patience)) {
        }
        if (ffmpeg.state() != QProcess::Running)
            break;
    }
    ffmpeg.closeWriteChannel();
    const bool ended = ffmpeg.waitForFinished(patience);
    if (ended && ffmpeg.exitStatus() == QProcess::NormalExit && ffmpeg.exitCode() == 0)
        return readFile(made.path(), longestFilm);
    ffmpeg.kill();
    ffmpeg.waitForFinished();
    const QString words = QString::fromUtf8(ffmpeg.readAllStandardError()).trimmed();
    return fail(ErrorCode::BadValue, "ffmpeg makes no film: %1",
                words.section(QLatin1Char('\n'), -1).toStdString());
}

} // namespace

Result<void> writeFilm(const PlayFilm& film, const QString& path)
{
    const QString name = path.toLower();
    if (name.endsWith(QLatin1String(".mp4"))) {
        PW_TRY(const std::string made, filmByFfmpeg(film));
        return writeFile(path.toStdString(), made);
    }
    if (!name.endsWith(QLatin1String(".gif")))
        return fail(ErrorCode::BadValue, "the name %1 tells no format; it ends in .gif or .mp4",
                    path.toStdString());
    const auto made = gifOf(film);
    if (!made)
        return fail(made.error());
    return writeFile(path.toStdString(),
                     std::string_view(made->constData(), static_cast<std::size_t>(made->size())));
}

} // namespace pw::ui
