// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/export/play_film.h"

#include <algorithm>
#include <array>
#include <map>

#ifdef PW_GIF
#include <gif_lib.h>
#endif

namespace pw::ui {

#ifdef PW_GIF

namespace {

constexpr int gifColours = 256;

/// The colours that the pictures have most of, so that letters and blocks keep theirs.
QList<QRgb> gifPalette(const PlayFilm& film, const std::vector<FilmFrame>& frames)
{
    std::map<QRgb, qint64> count;
    constexpr std::size_t looks = 6;
    for (std::size_t i = 0; i < looks; ++i) {
        const QImage image = film.image(frames[i * (frames.size() - 1) / (looks - 1)].time);
        for (int y = 0; y < image.height(); ++y) {
            const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
            for (int x = 0; x < image.width(); ++x)
                ++count[line[x] | 0xff000000U];
        }
    }
    std::vector<std::pair<qint64, QRgb>> order;
    for (const auto& [colour, pixels] : count)
        order.emplace_back(-pixels, colour);
    std::sort(order.begin(), order.end());
    QList<QRgb> palette;
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), gifColours); ++i)
        palette << order[i].second;
    while (palette.size() < gifColours)
        palette << qRgb(0, 0, 0);
    return palette;
}

/// Numbers of colours in the palette, the nearest one each.
class GifColours
{
public:
    explicit GifColours(QList<QRgb> palette)
        : m_palette(std::move(palette))
    {
    }

    std::vector<GifPixelType> of(const QImage& image)
    {
        std::vector<GifPixelType> pixels;
        pixels.reserve(static_cast<std::size_t>(image.width()) *
                       static_cast<std::size_t>(image.height()));
        for (int y = 0; y < image.height(); ++y) {
            const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
            for (int x = 0; x < image.width(); ++x)
                pixels.push_back(nearest(line[x] | 0xff000000U));
        }
        return pixels;
    }

private:
    GifPixelType nearest(QRgb colour)
    {
        const auto known = m_known.find(colour);
        if (known != m_known.end())
            return known->second;
        int best = 0, least = 1 << 30;
        for (int i = 0; i < gifColours; ++i) {
            const QRgb one = m_palette[i];
            const int red = qRed(one) - qRed(colour), green = qGreen(one) - qGreen(colour),
                      blue = qBlue(one) - qBlue(colour);
            const int far = 2 * red * red + 4 * green * green + 3 * blue * blue;
            if (far < least) {
                least = far;
                best = i;
            }
        }
        return m_known[colour] = static_cast<GifPixelType>(best);
    }

    QList<QRgb> m_palette;
    std::map<QRgb, GifPixelType> m_known;
};

/// The part of a picture that differs from the one before.
QRect gifChange(const std::vector<GifPixelType>& before, const std::vector<GifPixelType>& now,
                QSize size)
{
    if (before.empty())
        return {QPoint(), size};
    int left = size.width(), right = -1, top = size.height(), bottom = -1;
    for (int y = 0; y < size.height(); ++y) {
        for (int x = 0; x < size.width(); ++x) {
            const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width()) +
                            static_cast<std::size_t>(x);
            if (before[at] == now[at])
                continue;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
    }
    return right < 0 ? QRect(0, 0, 1, 1) : QRect(QPoint(left, top), QPoint(right, bottom));
}

int gifWrite(GifFileType* file, const GifByteType* bytes, int count)
{
    static_cast<QByteArray*>(file->UserData)->append(reinterpret_cast<const char*>(bytes), count);
    return count;
}

/// It begins anew for ever.
bool gifLoop(GifFileType* file)
{
    const std::array<GifByteType, 3> endless = {1, 0, 0};
    return EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(file, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(file, 3, endless.data()) == GIF_OK &&
           EGifPutExtensionTrailer(file) == GIF_OK;
}

bool gifFrame(GifFileType* file, const FilmFrame& frame, const QRect& part,
              std::vector<GifPixelType>& pixels, int width)
{
    GraphicsControlBlock control{};
    control.DisposalMode = DISPOSE_DO_NOT;
    control.DelayTime = frame.milliseconds / 10;
    control.TransparentColor = NO_TRANSPARENT_COLOR;
    std::array<GifByteType, 4> extension{};
    EGifGCBToExtension(&control, extension.data());
    if (EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, extension.data()) != GIF_OK ||
        EGifPutImageDesc(file, part.left(), part.top(), part.width(), part.height(), false,
                         nullptr) != GIF_OK)
        return false;
    for (int y = part.top(); y <= part.bottom(); ++y) {
        GifPixelType* line = pixels.data() + static_cast<std::ptrdiff_t>(y) * width + part.left();
        if (EGifPutLine(file, line, part.width()) != GIF_OK)
            return false;
    }
    return true;
}

bool gifFrames(GifFileType* file, const PlayFilm& film, const std::vector<FilmFrame>& frames)
{
    const QList<QRgb> palette = gifPalette(film, frames);
    ColorMapObject* map = GifMakeMapObject(gifColours, nullptr);
    if (map == nullptr)
        return false;
    for (int i = 0; i < gifColours; ++i)
        map->Colors[i] = {static_cast<GifByteType>(qRed(palette[i])),
                          static_cast<GifByteType>(qGreen(palette[i])),
                          static_cast<GifByteType>(qBlue(palette[i]))};
    const QSize size = film.size();
    EGifSetGifVersion(file, true);
    bool good =
        EGifPutScreenDesc(file, size.width(), size.height(), 8, 0, map) == GIF_OK && gifLoop(file);
    GifFreeMapObject(map);
    GifColours colours(palette);
    std::vector<GifPixelType> before;
    for (const FilmFrame& frame : frames) {
        std::vector<GifPixelType> now = colours.of(film.image(frame.time));
        good = good && gifFrame(file, frame, gifChange(before, now, size), now, size.width());
        before = std::move(now);
    }
    return good;
}

} // namespace

Result<QByteArray> gifOf(const PlayFilm& film)
{
    const std::vector<FilmFrame> frames = film.frames();
    if (frames.size() < 2)
        return fail(ErrorCode::BadValue, "there is nothing to play");
    QByteArray bytes;
    int problem = 0;
    GifFileType* file = EGifOpen(&bytes, gifWrite, &problem);
    if (file == nullptr)
        return fail(ErrorCode::BadValue, "giflib makes no file: %1", problem);
    const bool good = gifFrames(file, film, frames);
    const bool closed = EGifCloseFile(file, &problem) == GIF_OK;
    if (!good || !closed)
        return fail(ErrorCode::BadValue, "giflib makes no file: %1", problem);
    return bytes;
}

#else

Result<QByteArray> gifOf(const PlayFilm&)
{
    return fail(ErrorCode::BadValue, "this program was built without giflib, which makes GIFs");
}

#endif

} // namespace pw::ui
