// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/house_style.h"

#include "ui/presentation.h"

#include <QPainter>
#include <QStyleOption>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

namespace pw::ui {

namespace {

/// The largest square in the middle of a rectangle, on whole pixels' middles.
QRectF squareIn(const QRect& room)
{
    const int side = std::min(room.width(), room.height());
    QRectF box(0, 0, side - 1, side - 1);
    box.moveCenter(QRectF(room).center());
    box.moveTopLeft(QPointF(static_cast<int>(box.left()) + 0.5, static_cast<int>(box.top()) + 0.5));
    return box;
}

void paintTick(QPainter& painter, const QRectF& box)
{
    const auto at = [&box](double x, double y) {
        return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
    };
    painter.drawPolyline(QPolygonF({at(0.22, 0.52), at(0.42, 0.72), at(0.78, 0.28)}));
}

/// The frames of the window that are flat here. @return  whether the element is one
bool paintFrame(QStyle::PrimitiveElement element, const QStyleOption& option, QPainter& painter)
{
    switch (element) {
    case QStyle::PE_FrameStatusBarItem:
        return true;
    case QStyle::PE_IndicatorDockWidgetResizeHandle:
        painter.fillRect(option.rect, color(Role::Line));
        return true;
    case QStyle::PE_PanelTipLabel:
        painter.fillRect(option.rect, color(Role::Line));
        painter.fillRect(option.rect.adjusted(1, 1, -1, -1),
                         option.palette.brush(QPalette::ToolTipBase));
        return true;
    default:
        return false;
    }
}

/// Fusion takes the line around a field from a darker window, which on a dark ground is not seen.
void paintFieldFrame(const QStyleOption& option, QPainter& painter)
{
    const bool focused = (option.state & QStyle::State_HasFocus) != 0;
    if (ground() != Ground::Dark || focused)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(mixedColor(color(Role::Line), color(Role::Secondary), 0.5), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter.restore();
}

constexpr int menuArrow = 12; ///< room for it behind the text of a button

/// A button with a text that does nothing but show its menu. Fusion puts the arrow of such a one
/// into the corner, under the end of the text.
bool showsMenu(const QWidget* widget)
{
    const auto* button = qobject_cast<const QToolButton*>(widget);
    return button != nullptr && button->popupMode() == QToolButton::InstantPopup &&
           button->menu() != nullptr && button->icon().isNull() && !button->text().isEmpty();
}

QRect menuArrowOf(const QWidget& button)
{
    QRect box(0, 0, 9, 9);
    box.moveCenter(button.rect().center());
    box.moveRight(button.rect().right() - 5);
    return box;
}

} // namespace

HouseStyle::HouseStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

void HouseStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                               QPainter* painter, const QWidget* widget) const
{
    if (option != nullptr && paintFrame(element, *option, *painter))
        return;
    if (element == PE_IndicatorArrowDown && option != nullptr && showsMenu(widget)) {
        QStyleOption moved = *option;
        moved.rect = menuArrowOf(*widget);
        QProxyStyle::drawPrimitive(element, &moved, painter, widget);
        return;
    }
    if (element == PE_FrameLineEdit && option != nullptr) {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        paintFieldFrame(*option, *painter);
        return;
    }
    const bool radio = element == PE_IndicatorRadioButton;
    if (!radio && element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck) {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        return;
    }
    const bool on = (option->state & State_On) != 0;
    const bool partly = (option->state & State_NoChange) != 0;
    const bool enabled = (option->state & State_Enabled) != 0;
    const bool near = enabled && (option->state & (State_MouseOver | State_HasFocus)) != 0;
    const QRectF box = squareIn(option->rect);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (!enabled)
        painter->setOpacity(0.5);
    painter->setPen(QPen(color(on || partly || near ? Role::Accent : Role::Secondary), 1));
    painter->setBrush(color(on || partly ? Role::Accent : Role::Paper));
    if (radio)
        painter->drawEllipse(box);
    else
        painter->drawRoundedRect(box, 2.5, 2.5);
    const QColor ink = color(Role::Paper);
    if (on && radio) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(ink);
        painter->drawEllipse(box.center(), box.width() * 0.22, box.width() * 0.22);
    } else if (on) {
        painter->setPen(QPen(ink, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->setBrush(Qt::NoBrush);
        paintTick(*painter, box);
    } else if (partly) {
        painter->setPen(QPen(ink, 2));
        painter->drawLine(QPointF(box.left() + 3, box.center().y()),
                          QPointF(box.right() - 3, box.center().y()));
    }
    painter->restore();
}

void HouseStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                    QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    if ((control == CC_SpinBox && spin != nullptr && spin->frame) ||
        (control == CC_ComboBox && combo != nullptr && combo->frame && combo->editable))
        paintFieldFrame(*option, *painter);
}

void HouseStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const
{
    const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    if (element == CE_ComboBoxLabel && combo != nullptr && !combo->editable) {
        // A choice that its field is too narrow for says so, where it would be cut off.
        QStyleOptionComboBox shown = *combo;
        const QRect room = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
        const int icon = combo->currentIcon.isNull() ? 0 : combo->iconSize.width() + 4;
        shown.currentText = combo->fontMetrics.elidedText(combo->currentText, Qt::ElideRight,
                                                          room.width() - 2 - icon);
        QProxyStyle::drawControl(element, &shown, painter, widget);
        return;
    }
    const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
    if (element != CE_ToolButtonLabel || button == nullptr || !showsMenu(widget)) {
        QProxyStyle::drawControl(element, option, painter, widget);
        return;
    }
    QStyleOptionToolButton label = *button;
    label.rect.setRight(label.rect.right() - menuArrow);
    QProxyStyle::drawControl(element, &label, painter, widget);
}

QSize HouseStyle::sizeFromContents(ContentsType type, const QStyleOption* option,
                                   const QSize& contents, const QWidget* widget) const
{
    const QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    return type == CT_ToolButton && showsMenu(widget) ? size + QSize(menuArrow, 0) : size;
}

int HouseStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                            const QWidget* widget) const
{
    switch (metric) {
    case PM_DockWidgetSeparatorExtent:
        return 1;
    case PM_ToolTipLabelFrameWidth:
        return 4; // with the line, 5 pixels around the text
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int HouseStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* answer) const
{
    // The icons of some desktops look like those of another program here.
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons)
        return 0;
    return QProxyStyle::styleHint(hint, option, widget, answer);
}

void dressTools(QToolBar& tools)
{
    tools.setStyleSheet(
        QStringLiteral("QToolBar { background: %2; border: none; border-bottom: 1px solid %1;"
                       " padding: 4px 8px; spacing: 4px; }"
                       "QToolBar QToolButton { background: %3; border: 1px solid %1;"
                       " border-radius: 4px; padding: 4px 12px; }"
                       "QToolBar QToolButton:hover, QToolBar QToolButton:focus"
                       " { border-color: %4; }"
                       "QToolBar QToolButton:pressed, QToolBar QToolButton:checked"
                       " { background: %1; }"
                       "QToolBar QToolButton:disabled { color: %5; }"
                       "QToolBar QToolButton[act=\"true\"]:enabled"
                       " { background: %4; border-color: %4; color: %6; font-weight: 600; }"
                       // What a narrow window has no room for is behind an arrow, which needs its
                       // own room.
                       "QToolBar #qt_toolbar_ext_button { padding: 0; border: none; }")
            .arg(color(Role::Line).name(), color(Role::Panel).name(), color(Role::Paper).name(),
                 color(Role::Accent).name(), color(Role::Secondary).name(),
                 color(Role::Paper).name()));
}

} // namespace pw::ui
