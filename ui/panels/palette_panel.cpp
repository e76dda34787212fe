// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/palette_panel.h"

#include "ui/presentation.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QPixmap>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace pw::ui {

namespace {

/// Finds a text in title, id, summary and citation; headings stay while something under them does.
class PaletteFilter : public QSortFilterProxyModel
{
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        const QAbstractItemModel* source = sourceModel();
        const auto matches = [&](int at) {
            const QModelIndex index = source->index(at, 0, parent);
            const QString text = filterRegularExpression().pattern();
            for (const int role :
                 {static_cast<int>(Qt::DisplayRole), static_cast<int>(PaletteModel::IdRole),
                  static_cast<int>(PaletteModel::SummaryRole),
                  static_cast<int>(PaletteModel::CitationRole)}) {
                const QString value = index.data(role).toString();
                if (filterRegularExpression().match(value).hasMatch() || text.isEmpty())
                    return true;
            }
            return false;
        };
        const auto isSection = [&](int at) {
            return source->index(at, 0, parent).data(PaletteModel::KindRole).toInt() ==
                   static_cast<int>(PaletteKind::Section);
        };
        if (!isSection(row))
            return matches(row);
        for (int at = row + 1; at < source->rowCount(parent) && !isSection(at); ++at)
            if (matches(at))
                return true;
        return false;
    }
};

class PaletteDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        switch (static_cast<PaletteKind>(index.data(PaletteModel::KindRole).toInt())) {
        case PaletteKind::Section:
            return {180, 28};
        case PaletteKind::Pass:
            return {180, 32};
        default:
            return {180, 44};
        }
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRectF box = option.rect;
        const auto kind = static_cast<PaletteKind>(index.data(PaletteModel::KindRole).toInt());
        QFont font = option.font;
        if (kind == PaletteKind::Section) {
            font.setPixelSize(11);
            font.setWeight(QFont::DemiBold);
            font.setCapitalization(QFont::AllUppercase);
            painter->setFont(font);
            painter->setPen(color(Role::Secondary));
            painter->drawText(box.adjusted(12, 6, 0, 0), Qt::AlignVCenter, index.data().toString());
            painter->restore();
            return;
        }
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        if (selected || (option.state & QStyle::State_MouseOver) != 0) {
            painter->setPen(selected ? QPen(color(Role::Accent), 1) : QPen(Qt::NoPen));
            painter->setBrush(color(selected ? Role::Paper : Role::Lane));
            painter->drawRoundedRect(box.adjusted(6.5, 1.5, -6.5, -1.5), 4, 4);
        }
        const auto picture = index.data(PaletteModel::PictureRole).value<QPixmap>();
        painter->drawPixmap(QPointF(box.left() + 14, box.center().y() - 15), picture);
        const double left = box.left() + 76;
        const QRectF text(left, box.top(), box.right() - left - 10, box.height());
        font.setPixelSize(12);
        painter->setFont(font);
        painter->setPen(color(Role::Text));
        const QString title = index.data().toString();
        const QString summary = index.data(PaletteModel::SummaryRole).toString();
        QFont small = font;
        small.setPixelSize(11);
        const QString shortened =
            QFontMetricsF(small).elidedText(summary, Qt::ElideRight, text.width());
        if (kind == PaletteKind::Pass) {
            painter->drawText(text, Qt::AlignVCenter, title);
            painter->setFont(small);
            painter->setPen(color(Role::Secondary));
            painter->drawText(
                text.adjusted(28, 0, 0, 0), Qt::AlignVCenter,
                QFontMetricsF(small).elidedText(summary, Qt::ElideRight, text.width() - 28));
        } else {
            painter->drawText(text.adjusted(0, 6, 0, 0), Qt::AlignTop, title);
            painter->setFont(small);
            painter->setPen(color(Role::Secondary));
            painter->drawText(text.adjusted(0, 22, 0, 0), Qt::AlignTop, shortened);
        }
        painter->restore();
    }
};

} // namespace

PalettePanel::PalettePanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new PaletteModel(this))
    , m_filter(new PaletteFilter(this))
    , m_search(new QLineEdit(this))
    , m_list(new QListView(this))
{
    m_filter->setSourceModel(m_model);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_search->setPlaceholderText(tr("Search families, blocks, papers"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search the palette"));
    m_search->installEventFilter(this);
    m_list->setModel(m_filter);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->setMouseTracking(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setDragEnabled(true);
    m_list->setDragDropMode(QAbstractItemView::DragOnly);
    m_list->setAccessibleName(tr("Palette"));
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setSpacing(0);
    QPalette quiet = m_list->palette();
    quiet.setColor(QPalette::Base, Qt::transparent);
    m_list->setPalette(quiet);
    auto* hint = new QLabel(tr("Drag onto the timeline, or press Enter."), this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    hint->setContentsMargins(12, 4, 12, 8);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(4);
    auto* searchRow = new QHBoxLayout;
    searchRow->setContentsMargins(12, 0, 12, 0);
    searchRow->addWidget(m_search);
    layout->addLayout(searchRow);
    layout->addWidget(m_list, 1);
    layout->addWidget(hint);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setFilterRegularExpression(QRegularExpression(
            QRegularExpression::escape(text.trimmed()), QRegularExpression::CaseInsensitiveOption));
    });
    connect(m_list, &QListView::activated, this, &PalettePanel::choose);
}

void PalettePanel::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

/// The row that a search means: the one of that name, else one whose name begins so, else the
/// first.
QModelIndex PalettePanel::best() const
{
    const QString wanted = m_search->text().trimmed();
    QModelIndex begins, first;
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        const QModelIndex index = m_filter->index(row, 0);
        if ((index.flags() & Qt::ItemIsSelectable) == 0)
            continue;
        for (const int role :
             {static_cast<int>(PaletteModel::IdRole), static_cast<int>(Qt::DisplayRole)}) {
            const QString name = index.data(role).toString();
            if (name.compare(wanted, Qt::CaseInsensitive) == 0)
                return index;
            if (!begins.isValid() && name.startsWith(wanted, Qt::CaseInsensitive))
                begins = index;
        }
        if (!first.isValid())
            first = index;
    }
    return begins.isValid() ? begins : first;
}

void PalettePanel::choose(const QModelIndex& index)
{
    const auto kind = static_cast<PaletteKind>(index.data(PaletteModel::KindRole).toInt());
    if (index.isValid() && kind != PaletteKind::Section)
        Q_EMIT chosen(kind, index.data(PaletteModel::IdRole).toString());
}

void PalettePanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_model->forgetPictures();
    QWidget::changeEvent(event);
}

/// From the search field the arrow keys go on into the list, and Enter takes the first that fits.
bool PalettePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) {
            if (const QModelIndex index = best(); index.isValid()) {
                m_list->setCurrentIndex(index);
                if (key == Qt::Key_Down)
                    m_list->setFocus(Qt::OtherFocusReason);
                else
                    choose(index);
                return true;
            }
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace pw::ui
