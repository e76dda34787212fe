// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/export/figure.h"

#include <QDialog>

#include <memory>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLayout;
class QPushButton;
class QScrollArea;
class QSpinBox;

namespace pw::ui {

/// Asks how a figure is to look, shows it, and writes or copies it.
class ExportDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param name  proposed for the file, without folder and ending
    ExportDialog(FigureContent content, const QString& name, ColorBy colorBy,
                 QWidget* parent = nullptr);

    FigureLook look() const;
    double dpi() const;
    /// Writes the figure to a file, beside the window's work; what goes wrong is shown in the
    /// dialog. Ends with `written` or `refused`.
    void writeTo(const QString& path);

Q_SIGNALS:
    void written(const QString& path);
    void refused(const QString& sentence);

private:
    void fillFields();
    QLayout* makeSide(int em);
    void connectFields();
    void drawPreview();
    /// @param size  of the figure, in CSS pixels
    void showPreview(const Result<QImage>& image, double ratio, const QSizeF& size);
    void chooseWidth(int index);
    void askForFile();
    void copy();
    void showMessage(const QString& sentence, bool refusal);
    void refuse(const QString& sentence);
    void setBusy(bool busy);

    std::shared_ptr<const FigureContent> m_content; // workers read it too
    QString m_name;
    ColorBy m_colorBy;
    QScrollArea* m_scroll;
    QLabel* m_preview;
    QComboBox* m_format;
    QComboBox* m_style;
    QComboBox* m_size;
    QDoubleSpinBox* m_width;
    QSpinBox* m_dpi;
    QCheckBox* m_title;
    QCheckBox* m_numbers;
    QCheckBox* m_legend;
    QCheckBox* m_memory;
    QCheckBox* m_bubbles;
    QCheckBox* m_annotations;
    QLabel* m_message;
    QPushButton* m_write;
    QPushButton* m_copy;
    bool m_drawing = false; // a preview is being drawn
    bool m_stale = false;   // and is no longer what is wanted
};

} // namespace pw::ui
