// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/svg_picture.h"
#include "ui/export/figure.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPainter>
#include <QPdfWriter>

#include <cctype>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double cssDpi = 96;

QByteArray svgOf(const FigureDrawing& figure, const QString& title)
{
    const std::string svg = writeSvg(figure.picture(), title.toStdString(), SvgUnit::Millimetres);
    return QByteArrayLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") +
           QByteArray::fromStdString(svg);
}

QByteArray pdfOf(const FigureDrawing& figure, const QString& title)
{
    constexpr int dpi = 1200;
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(dpi);
    const QSizeF page = figure.size() / cssDpi;
    writer.setPageSize(QPageSize(page, QPageSize::Inch, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(title);
    writer.setCreator(QStringLiteral("Pipewright"));
    QPainter painter(&writer);
    painter.scale(dpi / cssDpi, dpi / cssDpi);
    figure.paint(painter);
    painter.end();
    QByteArray file = buffer.data();
    fixPdfDate(file);
    return file;
}

} // namespace

void fixPdfDate(QByteArray& file)
{
    // Times, of which newer versions of Qt write more, with whatever stands between their numbers.
    const QByteArray fixed = QByteArrayLiteral("20000101000000");
    for (const char* before : {"/CreationDate (D:", "/ModDate (D:", "xmp:CreateDate=\"",
                               "xmp:ModifyDate=\"", "xmp:MetadataDate=\""}) {
        const QByteArray mark(before);
        qsizetype at = file.indexOf(mark);
        if (at < 0)
            continue;
        qsizetype digit = 0;
        for (at += mark.size(); at < file.size() && file[at] != ')' && file[at] != '"'; ++at)
            if (file[at] >= '0' && file[at] <= '9')
                file[at] = digit < fixed.size() ? fixed[digit++] : '0';
    }
    // And numbers drawn by chance: /ID [ <…> <…> ], uuid:….
    const auto isHex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
    for (const char* before : {"/ID [", "DocumentID=\"uuid:"}) {
        const QByteArray mark(before);
        qsizetype at = file.lastIndexOf(mark);
        if (at < 0)
            continue;
        for (at += mark.size(); at < file.size() && file[at] != ']' && file[at] != '"'; ++at)
            if (isHex(file[at]))
                file[at] = '0';
    }
}

std::optional<FigureFormat> figureFormatOf(const QString& path)
{
    const QString name = path.toLower();
    if (name.endsWith(QLatin1String(".svg")))
        return FigureFormat::Svg;
    if (name.endsWith(QLatin1String(".pdf")))
        return FigureFormat::Pdf;
    if (name.endsWith(QLatin1String(".png")))
        return FigureFormat::Png;
    return std::nullopt;
}

Result<QImage> figureImage(const FigureDrawing& figure, double dpi)
{
    constexpr double most = 200e6;
    const double factor = dpi / cssDpi;
    const QSizeF size = figure.size() * factor;
    if (!(size.width() * size.height() <= most) || size.width() > 32'000 || size.height() > 32'000)
        return fail(ErrorCode::TooLarge,
                    QCoreApplication::translate(
                        "Figure", "the picture would have %1 × %2 pixels; 200 million in all and "
                                  "32000 on a side are the most. A smaller resolution or width, or "
                                  "SVG and PDF, have no such limit")
                        .arg(std::llround(size.width()))
                        .arg(std::llround(size.height()))
                        .toStdString());
    QImage image(static_cast<int>(std::ceil(size.width())),
                 static_cast<int>(std::ceil(size.height())), QImage::Format_RGB32);
    if (image.isNull())
        return fail(ErrorCode::TooLarge, QCoreApplication::translate(
                                             "Figure", "there is not enough memory for the picture")
                                             .toStdString());
    image.setDotsPerMeterX(static_cast<int>(std::lround(dpi / 0.0254)));
    image.setDotsPerMeterY(static_cast<int>(std::lround(dpi / 0.0254)));
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(factor, factor);
    figure.paint(painter);
    painter.end();
    return image;
}

Result<QByteArray> figureFile(const FigureDrawing& figure, FigureFormat format,
                              const QString& title, double dpi)
{
    if (format == FigureFormat::Svg)
        return svgOf(figure, title);
    if (format == FigureFormat::Pdf)
        return pdfOf(figure, title);
    const Result<QImage> image = figureImage(figure, dpi);
    if (!image)
        return fail(image.error());
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!image->save(&buffer, "PNG"))
        return fail(
            ErrorCode::Io,
            QCoreApplication::translate("Figure", "Qt cannot write PNG here").toStdString());
    return buffer.data();
}

} // namespace pw::ui
