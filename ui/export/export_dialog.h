// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/export/figure.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
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
    /// Writes the figure to a file; what goes wrong is shown in the dialog.
    bool writeTo(const QString& path);

Q_SIGNALS:
    void written(const QString& path);

private:
    void showPreview();
    void chooseWidth(int index);
    void askForFile();
    void copy();
    void showMessage(const QString& sentence, bool refusal);

    FigureContent m_content;
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
    QLabel* m_message;
};

} // namespace pw::ui
