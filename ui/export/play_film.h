// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/io/colors.h"
#include "core/model/annotation.h"
#include "ui/models/lanes.h"

#include <QByteArray>
#include <QImage>
#include <QString>

#include <vector>

namespace pw::ui {

/// How a play looks that is sent around.
struct FilmLook
{
    static constexpr int narrowest = 320;
    static constexpr int widest = 1920;
    static constexpr int mostFrames = 600; ///< of more events some are left out, evenly

    int width = 960; ///< pixels
    Ground ground = Ground::Light;
    double speed = 1; ///< at 1 about two passes a second, and no longer than a minute
};

/// A moment of a play, and how long it stays.
struct FilmFrame
{
    Ticks time = 0;
    int milliseconds = 0;

    friend bool operator==(const FilmFrame&, const FilmFrame&) = default;
};

/// A timeline as it is played: at every start and end of a pass a picture, in which what has not
/// happened yet is pale, with a sentence below.
class PlayFilm
{
public:
    /// @param annotations  over the lanes; each is pale until it begins
    PlayFilm(LanesPtr lanes, QString title, FilmLook look,
             std::vector<PlacedAnnotation> annotations = {});

    /// In time order; the last one stays for a while.
    std::vector<FilmFrame> frames() const;
    QImage image(Ticks now) const;
    QSize size() const;

private:
    LanesPtr m_lanes;
    QString m_title;
    FilmLook m_look;
    std::vector<PlacedAnnotation> m_annotations;
};

/// An animated GIF that begins anew when it ends. The same play gives the same bytes.
/// @error BadValue  the program was built without giflib, or there is nothing to play
Result<QByteArray> gifOf(const PlayFilm& film);

/// Writes a play by the end of the name: .gif, or .mp4 by the program ffmpeg where it is installed.
/// @error BadValue  another end; ffmpeg is not there or refuses, with its last words
/// @error Io
Result<void> writeFilm(const PlayFilm& film, const QString& path);

} // namespace pw::ui
