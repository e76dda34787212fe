// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QProxyStyle>

namespace pw::ui {

/// Fusion, but for boxes and radio buttons: there Fusion takes the line from a darker window, which
/// on a dark ground is nearly the window itself. Here it is the colour of secondary text, which
/// stands out on both grounds.
class HouseStyle : public QProxyStyle
{
    Q_OBJECT

public:
    HouseStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
};

} // namespace pw::ui
