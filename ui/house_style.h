// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QProxyStyle>

class QToolBar;

namespace pw::ui {

/// Fusion, but for boxes and radio buttons: there Fusion takes the line from a darker window, which
/// on a dark ground is nearly the window itself. Here it is the colour of secondary text, which
/// stands out on both grounds, and fields have a line that is seen. Choices that have no room end
/// in dots. Docks are divided by one pixel, tool tips have a line around them,
/// and what stands in a status bar has none.
///
/// In code rather than in a style sheet of the application: Qt remembers what such a sheet says of
/// every widget, and of some (lists of combo boxes, ports of scrolled areas) beyond their end. A
/// studio that is open for a day would grow by it with each tab and dialog.
class HouseStyle : public QProxyStyle
{
    Q_OBJECT

public:
    HouseStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                            QPainter* painter, const QWidget* widget = nullptr) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget = nullptr) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                           const QWidget* widget = nullptr) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option,
                    const QWidget* widget) const override;
    /// Buttons of dialogs say what they do in words alone.
    int styleHint(StyleHint hint, const QStyleOption* option = nullptr,
                  const QWidget* widget = nullptr,
                  QStyleHintReturn* answer = nullptr) const override;
};

/// Gives the buttons of a tool bar that lives as long as its window the colours of the ground. To
/// be called again when the ground changes.
void dressTools(QToolBar& tools);

} // namespace pw::ui
