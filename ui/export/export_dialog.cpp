// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/export/export_dialog.h"

#include "core/io/file_problem.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <functional>

namespace pw::ui {

namespace {

constexpr double slide = 254; ///< millimetres

QString endingOf(FigureFormat format)
{
    switch (format) {
    case FigureFormat::Svg:
        return QStringLiteral(".svg");
    case FigureFormat::Pdf:
        return QStringLiteral(".pdf");
    case FigureFormat::Png:
        break;
    }
    return QStringLiteral(".png");
}

} // namespace

ExportDialog::ExportDialog(FigureContent content, const QString& name, ColorBy colorBy,
                           QWidget* parent)
    : QDialog(parent)
    , m_content(std::make_shared<const FigureContent>(std::move(content)))
    , m_name(name)
    , m_colorBy(colorBy)
    , m_scroll(new QScrollArea(this))
    , m_preview(new QLabel(this))
    , m_format(new QComboBox(this))
    , m_style(new QComboBox(this))
    , m_size(new QComboBox(this))
    , m_width(new QDoubleSpinBox(this))
    , m_dpi(new QSpinBox(this))
    , m_title(new QCheckBox(tr("Title"), this))
    , m_numbers(new QCheckBox(tr("Numbers"), this))
    , m_legend(new QCheckBox(tr("Legend"), this))
    , m_memory(new QCheckBox(tr("Memory"), this))
    , m_bubbles(new QCheckBox(tr("Bubbles"), this))
    , m_annotations(new QCheckBox(tr("Annotations"), this))
    , m_message(new QLabel(this))
    , m_write(new QPushButton(tr("&Export…"), this))
    , m_copy(new QPushButton(tr("&Copy picture"), this))
{
    setWindowTitle(tr("Export figure"));
    const int em = fontMetrics().height();
    fillFields();
    m_preview->setAccessibleName(tr("Preview"));
    m_preview->setAlignment(Qt::AlignCenter);
    m_scroll->setWidget(m_preview);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setBackgroundRole(QPalette::Mid);
    m_scroll->setMinimumSize(34 * em, 20 * em);

    auto* upper = new QHBoxLayout;
    upper->setSpacing(em);
    upper->addWidget(m_scroll, 1);
    upper->addLayout(makeSide(em));
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_write, QDialogButtonBox::AcceptRole);
    m_write->setDefault(true);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    buttons->addButton(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(upper, 1);
    layout->addWidget(buttons);
    resize(84 * em, 36 * em);
    m_size->setCurrentIndex(1);
    connectFields();
    drawPreview();
}

/// With what they offer, and what is usual.
void ExportDialog::fillFields()
{
    m_format->addItem(tr("SVG, for the web and drawing programs"), int(FigureFormat::Svg));
    m_format->addItem(tr("PDF, for papers"), int(FigureFormat::Pdf));
    m_format->addItem(tr("PNG, a picture of pixels"), int(FigureFormat::Png));
    m_style->addItem(tr("Paper: white, 8 pt, with patterns"), int(FigureGround::Paper));
    m_style->addItem(tr("Screen, light"), int(FigureGround::Light));
    m_style->addItem(tr("Screen, dark"), int(FigureGround::Dark));
    m_size->addItem(tr("One column, 84 mm"), FigureLook::oneColumn);
    m_size->addItem(tr("Two columns, 178 mm"), FigureLook::twoColumns);
    m_size->addItem(tr("Slide, 254 mm"), slide);
    m_size->addItem(tr("Own width"), 0);
    m_width->setRange(FigureLook::narrowest, FigureLook::widest);
    m_width->setDecimals(0);
    m_width->setSuffix(tr(" mm"));
    m_width->setValue(FigureLook::twoColumns);
    m_dpi->setRange(30, 1200);
    m_dpi->setValue(300);
    m_dpi->setSuffix(tr(" dpi"));
    for (QCheckBox* box : {m_title, m_numbers, m_legend, m_annotations})
        box->setChecked(true);
    m_annotations->setVisible(!m_content->annotations.empty());
    m_memory->setEnabled(!m_content->memory.empty());
    m_bubbles->setEnabled(!m_content->bubbles.empty());
    m_numbers->setEnabled(!m_content->numbers.isEmpty());
}

/// The fields beside the preview. @param em  height of a line, in pixels
QLayout* ExportDialog::makeSide(int em)
{
    auto* form = new QFormLayout;
    form->setSpacing(em / 2);
    form->addRow(tr("&Format"), m_format);
    form->addRow(tr("&Style"), m_style);
    form->addRow(tr("Si&ze"), m_size);
    form->addRow(tr("&Width"), m_width);
    form->addRow(tr("&Resolution"), m_dpi);
    auto* shown = new QVBoxLayout;
    for (QCheckBox* box : {m_title, m_numbers, m_legend, m_memory, m_bubbles, m_annotations}) {
        box->setMinimumHeight(24);
        shown->addWidget(box);
    }
    form->addRow(tr("Shown"), shown);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* side = new QVBoxLayout;
    side->addLayout(form);
    side->addStretch(1);
    side->addWidget(m_message);
    return side;
}

void ExportDialog::connectFields()
{
    connect(m_write, &QPushButton::clicked, this, &ExportDialog::askForFile);
    connect(m_copy, &QPushButton::clicked, this, &ExportDialog::copy);
    connect(m_size, &QComboBox::currentIndexChanged, this, &ExportDialog::chooseWidth);
    connect(m_width, &QDoubleSpinBox::valueChanged, this, [this] {
        if (!qFuzzyCompare(m_size->currentData().toDouble(), m_width->value()))
            m_size->setCurrentIndex(m_size->count() - 1);
        drawPreview();
    });
    connect(m_style, &QComboBox::currentIndexChanged, this, &ExportDialog::drawPreview);
    connect(m_dpi, &QSpinBox::valueChanged, this, &ExportDialog::drawPreview);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::drawPreview);
    for (QCheckBox* box : {m_title, m_numbers, m_legend, m_memory, m_bubbles, m_annotations})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::drawPreview);
}

FigureLook ExportDialog::look() const
{
    FigureLook look;
    look.ground = static_cast<FigureGround>(m_style->currentData().toInt());
    look.widthMm = m_width->value();
    look.colorBy = m_colorBy;
    look.title = m_title->isChecked();
    look.numbers = m_numbers->isChecked();
    look.legend = m_legend->isChecked();
    look.memory = m_memory->isChecked();
    look.bubbles = m_bubbles->isChecked();
    look.annotations = m_annotations->isChecked();
    return look;
}

double ExportDialog::dpi() const
{
    return m_dpi->value();
}

void ExportDialog::chooseWidth(int index)
{
    if (const double width = m_size->itemData(index).toDouble(); width > 0)
        m_width->setValue(width);
    else
        m_width->setFocus();
}

void ExportDialog::drawPreview()
{
    m_dpi->setEnabled(m_format->currentData().toInt() == int(FigureFormat::Png));
    m_stale = m_drawing;
    if (m_drawing)
        return;
    m_drawing = true;
    const auto work = [this, content = m_content, look = look(),
                       ratio = devicePixelRatioF()]() -> std::function<void()> {
        const FigureDrawing figure(*content, look);
        const double widest = 1600; // of a preview; the figure may be wider
        const double zoom = std::min(1.0, widest / figure.size().width());
        return [this, image = figureImage(figure, 96 * ratio * zoom), ratio, size = figure.size()] {
            showPreview(image, ratio, size);
        };
    };
    inBackground(this, work);
}

void ExportDialog::showPreview(const Result<QImage>& image, double ratio, const QSizeF& size)
{
    m_drawing = false;
    if (m_stale) {
        drawPreview();
        return;
    }
    if (!image) {
        showMessage(coreSentence(image.error().message), true);
        return;
    }
    QPixmap pixmap = QPixmap::fromImage(*image);
    pixmap.setDevicePixelRatio(ratio);
    m_preview->setPixmap(pixmap);
    const QSizeF inches = size / 96;
    QString sentence = tr("%1 × %2 mm")
                           .arg(std::lround(inches.width() * 25.4))
                           .arg(std::lround(inches.height() * 25.4));
    if (m_dpi->isEnabled())
        sentence += tr(", %1 × %2 pixels")
                        .arg(std::lround(inches.width() * dpi()))
                        .arg(std::lround(inches.height() * dpi()));
    showMessage(sentence, false);
}

void ExportDialog::showMessage(const QString& sentence, bool refusal)
{
    setInk(m_message, refusal ? Role::Refusal : Role::Secondary);
    m_message->setText(sentence);
}

void ExportDialog::askForFile()
{
    const QString ending = endingOf(static_cast<FigureFormat>(m_format->currentData().toInt()));
    const QString folder = QSettings().value(QStringLiteral("files/export-folder")).toString();
    const QString proposed = (folder.isEmpty() ? QString() : folder + QLatin1Char('/')) + m_name;
    auto* dialog = new QFileDialog(this, tr("Export figure"), proposed + ending,
                                   tr("Figures (*.svg *.pdf *.png)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending.mid(1));
    dialog->selectFile(proposed + ending);
    connect(dialog, &QFileDialog::fileSelected, this, &ExportDialog::writeTo);
    dialog->open();
}

void ExportDialog::writeTo(const QString& path)
{
    const std::optional<FigureFormat> format = figureFormatOf(path);
    if (!format) {
        refuse(tr("The name %1 tells no format; it ends in .svg, .pdf or .png.").arg(path));
        return;
    }
    setBusy(true);
    showMessage(tr("Writing %1 …").arg(QFileInfo(path).fileName()), false);
    const auto work = [this, content = m_content, look = look(), dpi = dpi(), format = *format,
                       path]() -> std::function<void()> {
        const FigureDrawing figure(*content, look);
        const Result<QByteArray> file = figureFile(figure, format, content->title, dpi);
        const Result<void> done =
            file ? writeFile(path.toStdString(),
                             {file->constData(), static_cast<std::size_t>(file->size())})
                 : fail(file.error());
        return [this, done, path] {
            setBusy(false);
            if (!done) {
                refuse(coreSentence(done.error().message));
                return;
            }
            QSettings().setValue(QStringLiteral("files/export-folder"),
                                 QFileInfo(path).absolutePath());
            Q_EMIT written(path);
            accept();
        };
    };
    inBackground(this, work);
}

void ExportDialog::copy()
{
    setBusy(true);
    const auto work = [this, content = m_content, look = look(),
                       dpi = dpi()]() -> std::function<void()> {
        const FigureDrawing figure(*content, look);
        return [this, image = figureImage(figure, dpi)] {
            setBusy(false);
            if (!image) {
                refuse(coreSentence(image.error().message));
                return;
            }
            QGuiApplication::clipboard()->setImage(*image);
            showMessage(tr("Copied."), false);
        };
    };
    inBackground(this, work);
}

void ExportDialog::refuse(const QString& sentence)
{
    showMessage(sentence, true);
    Q_EMIT refused(sentence);
}

void ExportDialog::setBusy(bool busy)
{
    m_write->setEnabled(!busy);
    m_copy->setEnabled(!busy);
}

} // namespace pw::ui
