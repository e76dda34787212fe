// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QFont>
#include <QRectF>
#include <QStaticText>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

class QPainter;

namespace pw::ui {

/// The names of slices, as they are painted: a picture has a thousand of them, and few that differ.
/// So each is measured once, and each part of it that slices have room for is laid out once.
class SliceNames
{
public:
    /// @param read  the text of a name
    explicit SliceNames(std::function<QString(std::int32_t)> read)
        : m_read(std::move(read))
    {
    }

    void clear() { m_names.clear(); }
    const QString& text(std::int32_t name) { return nameOf(name).text; }
    /// Names are painted in this font from now on.
    void setFont(const QFont& font);
    /// Paints a name from the left, in the painter's pen and font, which is the names'; cut where
    /// the room ends.
    void paint(QPainter& painter, const QRectF& room, std::int32_t number);

private:
    struct Name
    {
        QString text;
        bool measured = false;
        /// Pixels in front of its characters, and of all of it; −1 where it cannot be cut.
        std::vector<float> before;
        /// Laid out, by how many characters there are.
        std::unordered_map<std::size_t, QStaticText> laid;
    };

    Name& nameOf(std::int32_t name);
    void measure(Name& name) const;

    std::function<QString(std::int32_t)> m_read;
    std::unordered_map<std::int32_t, Name> m_names;
    std::size_t m_laid = 0;
    QFont m_font;
    double m_ellipsis = 0; ///< pixels
};

} // namespace pw::ui
