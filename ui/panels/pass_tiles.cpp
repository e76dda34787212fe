// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/pass_tiles.h"

#include "core/model/pass.h"
#include "ui/presentation.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDrag>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>

#include <algorithm>

namespace pw::ui {

namespace {

class PassTile : public QAbstractButton
{
public:
    PassTile(PassKind kind, const QString& meaning, QWidget* parent)
        : QAbstractButton(parent)
        , m_kind(kind)
    {
        const std::string_view letters = name(kind);
        setText(QString::fromLatin1(letters.data(), static_cast<qsizetype>(letters.size())));
        setAccessibleName(QStringLiteral("%1, %2").arg(text(), meaning));
        setToolTip(PassTiles::tr("%1, %2\nDrag it onto a lane, or press it to place it "
                                 "behind the selected pass.")
                       .arg(text(), meaning));
        setFocusPolicy(Qt::StrongFocus);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setCursor(Qt::OpenHandCursor);
    }

    PaletteItem item() const { return {PaletteKind::Pass, text(), 0, 1}; }

    QSize sizeHint() const override
    {
        return {fontMetrics().horizontalAdvance(QStringLiteral("BW")) + 12,
                std::max(26, fontMetrics().height() + 10)};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        paintBlock(painter, QRectF(rect()).adjusted(2, 2, -2, -2));
        if (hasFocus() || underMouse()) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(color(hasFocus() ? Role::Accent : Role::Secondary), 1.5));
            painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), 4, 4);
        }
    }

    void mousePressEvent(QMouseEvent* event) override
    {
        m_pressed = event->pos();
        QAbstractButton::mousePressEvent(event);
    }

    void mouseMoveEvent(QMouseEvent* event) override
    {
        if ((event->buttons() & Qt::LeftButton) == 0 ||
            (event->pos() - m_pressed).manhattanLength() < QApplication::startDragDistance()) {
            QAbstractButton::mouseMoveEvent(event);
            return;
        }
        setDown(false);
        const double ratio = devicePixelRatioF();
        QPixmap picture(size() * ratio);
        picture.setDevicePixelRatio(ratio);
        picture.fill(Qt::transparent);
        {
            QPainter painter(&picture);
            painter.setFont(font());
            painter.setRenderHint(QPainter::Antialiasing);
            paintBlock(painter, QRectF(rect()).adjusted(2, 2, -2, -2));
        }
        dragItem(*this, item(), picture);
    }

    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
            click();
        else
            QAbstractButton::keyPressEvent(event);
    }

    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    void paintBlock(QPainter& painter, const QRectF& box) const
    {
        const Role role = roleOf(m_kind, false);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(role));
        painter.drawRoundedRect(box, 3, 3);
        if (m_kind == PassKind::BW) {
            painter.setBrush(color(Role::Weight));
            painter.drawRect(box.adjusted(0, box.height() - 4, 0, -1));
        }
        QFont bold = painter.font();
        bold.setWeight(QFont::DemiBold);
        painter.setFont(bold);
        painter.setPen(wantsWhiteText(colorOf(role, ground())) ? QColor(Qt::white)
                                                               : QColor(31, 41, 51));
        painter.drawText(box, Qt::AlignCenter, text());
    }

    PassKind m_kind;
    QPoint m_pressed;
};

} // namespace

PassTiles::PassTiles(QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    const std::pair<PassKind, QString> kinds[] = {{PassKind::F, tr("forward")},
                                                  {PassKind::B, tr("backward for the input")},
                                                  {PassKind::W, tr("backward for the weights")},
                                                  {PassKind::BW, tr("backward for both")},
                                                  {PassKind::R, tr("recompute")},
                                                  {PassKind::U, tr("optimizer update")}};
    for (const auto& [kind, meaning] : kinds) {
        auto* tile = new PassTile(kind, meaning, this);
        layout->addWidget(tile);
        m_tiles.emplace_back(kind, tile);
        connect(tile, &QAbstractButton::clicked, this,
                [this, tile] { Q_EMIT chosen(tile->item()); });
    }
}

void PassTiles::setKinds(const std::vector<PassKind>& kinds)
{
    for (const auto& [kind, tile] : m_tiles)
        tile->setVisible(kinds.empty() ||
                         std::find(kinds.begin(), kinds.end(), kind) != kinds.end());
}

void dragItem(QWidget& source, const PaletteItem& item, const QPixmap& picture)
{
    auto* drag = new QDrag(&source);
    drag->setMimeData(item.mimeData());
    drag->setPixmap(picture);
    const QSizeF size = picture.deviceIndependentSize();
    drag->setHotSpot(
        QPoint(static_cast<int>(size.width()) + 6, static_cast<int>(size.height()) + 6));
    drag->exec(Qt::CopyAction);
}

} // namespace pw::ui
