// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/palette_panel.h"

#include "ui/panels/palette_filter.h"
#include "ui/panels/pass_tiles.h"
#include "ui/presentation.h"

#include <QAction>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

/// A list whose drags leave the place under the pointer in sight.
class PaletteList : public QListView
{
public:
    using QListView::QListView;

protected:
    void startDrag(Qt::DropActions) override
    {
        const QModelIndex index = currentIndex();
        const auto item = index.data(PaletteModel::ItemRole).value<PaletteItem>();
        if (item.kind != PaletteKind::Section)
            dragItem(*this, item, index.data(PaletteModel::PictureRole).value<QPixmap>());
    }
};

QFont smallFont(const QFont& font)
{
    QFont small = font;
    if (font.pixelSize() > 0)
        small.setPixelSize(std::max(8, font.pixelSize() * 7 / 8));
    else
        small.setPointSizeF(font.pointSizeF() * 0.88);
    return small;
}

class PaletteDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const int line = option.fontMetrics.height();
        switch (static_cast<PaletteKind>(index.data(PaletteModel::KindRole).toInt())) {
        case PaletteKind::Section:
            return {180, line + 14};
        case PaletteKind::Pass:
            return {180, std::max(30, line + 12)};
        default:
            return {180, std::max(40, 2 * line + 12)};
        }
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const auto kind = static_cast<PaletteKind>(index.data(PaletteModel::KindRole).toInt());
        if (kind == PaletteKind::Section)
            paintSection(*painter, option, index.data().toString());
        else
            paintItem(*painter, option, index, kind);
        painter->restore();
    }

    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex&) const override
    {
        const int height = editor->sizeHint().height();
        const QRect text = textArea(option.rect).toRect();
        editor->setGeometry(text.left() - 4, text.center().y() - height / 2, text.width() + 8,
                            height);
    }

private:
    static QRectF textArea(const QRectF& box)
    {
        constexpr double left = 76;
        return {box.left() + left, box.top(), box.width() - left - 12, box.height()};
    }

    static void paintSection(QPainter& painter, const QStyleOptionViewItem& option,
                             const QString& title)
    {
        QFont font = smallFont(option.font);
        font.setWeight(QFont::DemiBold);
        font.setCapitalization(QFont::AllUppercase);
        painter.setFont(font);
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRectF(option.rect).adjusted(12, 6, -12, 0), Qt::AlignVCenter, title);
    }

    static void paintItem(QPainter& painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index, PaletteKind kind)
    {
        const QRectF box = option.rect;
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        if (selected || (option.state & QStyle::State_MouseOver) != 0) {
            painter.setPen(selected ? QPen(color(Role::Accent), 1) : QPen(Qt::NoPen));
            painter.setBrush(color(selected ? Role::Paper : Role::Lane));
            painter.drawRoundedRect(box.adjusted(6.5, 1.5, -6.5, -1.5), 4, 4);
        }
        const auto picture = index.data(PaletteModel::PictureRole).value<QPixmap>();
        painter.drawPixmap(QPointF(box.left() + 14, box.center().y() - 15), picture);
        const QRectF text = textArea(box);
        const QString title = index.data().toString();
        const QString summary = index.data(PaletteModel::SummaryRole).toString();
        const QFont small = smallFont(option.font);
        const QFontMetricsF metrics(option.font), smallMetrics(small);
        painter.setFont(option.font);
        painter.setPen(color(Role::Text));
        if (kind == PaletteKind::Pass) {
            const double letter = metrics.horizontalAdvance(QStringLiteral("BW")) + 12;
            painter.drawText(text, Qt::AlignVCenter, title);
            painter.setFont(small);
            painter.setPen(color(Role::Secondary));
            painter.drawText(
                text.adjusted(letter, 0, 0, 0), Qt::AlignVCenter,
                smallMetrics.elidedText(summary, Qt::ElideRight, text.width() - letter));
            return;
        }
        const double top = text.center().y() - (metrics.height() + smallMetrics.height()) / 2;
        painter.drawText(QRectF(text.left(), top, text.width(), metrics.height()), Qt::AlignVCenter,
                         metrics.elidedText(title, Qt::ElideRight, text.width()));
        painter.setFont(small);
        painter.setPen(color(Role::Secondary));
        painter.drawText(
            QRectF(text.left(), top + metrics.height(), text.width(), smallMetrics.height()),
            Qt::AlignVCenter, smallMetrics.elidedText(summary, Qt::ElideRight, text.width()));
    }
};

} // namespace

PalettePanel::PalettePanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new PaletteModel(this))
    , m_filter(new PaletteFilter(this))
    , m_search(new QLineEdit(this))
    , m_list(new PaletteList(this))
    , m_detail(new QLabel(this))
    , m_count(new QSpinBox(this))
{
    m_filter->setSourceModel(m_model);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_search->setPlaceholderText(tr("Search families, blocks, papers"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search the palette"));
    m_search->installEventFilter(this);
    makeList();
    m_detail->setWordWrap(true);
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_detail->setForegroundRole(QPalette::PlaceholderText);
    m_detail->setContentsMargins(12, 8, 12, 4);
    m_detail->setFont(smallFont(font()));
    m_detail->setObjectName(QStringLiteral("palette-detail"));
    // As high whatever it says, so that the list keeps its size.
    m_detail->setFixedHeight(7 * QFontMetrics(m_detail->font()).lineSpacing() + 12);
    m_detail->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(4);
    auto* searchRow = new QHBoxLayout;
    searchRow->setContentsMargins(12, 0, 12, 0);
    searchRow->addWidget(m_search);
    layout->addLayout(searchRow);
    layout->addWidget(m_list, 1);
    auto* line = new QFrame(this);
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    layout->addWidget(line);
    m_words = {line, m_detail, m_count};
    layout->addLayout(makePassRow());
    layout->addLayout(makeCountRow());
    layout->addWidget(m_detail);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setFilterRegularExpression(QRegularExpression(
            QRegularExpression::escape(text.trimmed()), QRegularExpression::CaseInsensitiveOption));
        showDetail();
    });
    connect(m_model, &PaletteModel::renameAsked, this, &PalettePanel::renameAsked);
    showDetail();
}

void PalettePanel::makeList()
{
    m_list->setModel(m_filter);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->setMouseTracking(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setDragEnabled(true);
    m_list->setDragDropMode(QAbstractItemView::DragOnly);
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_list->setAccessibleName(tr("Palette"));
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setSpacing(0);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    QPalette quiet = m_list->palette();
    quiet.setColor(QPalette::Base, Qt::transparent);
    m_list->setPalette(quiet);
    m_list->installEventFilter(this);
    connect(m_list, &QListView::activated, this, &PalettePanel::choose);
    connect(m_list, &QListView::customContextMenuRequested, this, &PalettePanel::showMenu);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &PalettePanel::showDetail);
}

QVBoxLayout* PalettePanel::makePassRow()
{
    auto* title = new QLabel(tr("Passes"), this);
    QFont font = smallFont(title->font());
    font.setWeight(QFont::DemiBold);
    font.setCapitalization(QFont::AllUppercase);
    title->setFont(font);
    title->setForegroundRole(QPalette::PlaceholderText);
    m_tiles = new PassTiles(this);
    m_words.push_back(title);
    connect(m_tiles, &PassTiles::chosen, this, &PalettePanel::chosen);
    auto* row = new QVBoxLayout;
    row->setContentsMargins(12, 4, 12, 4);
    row->addWidget(title);
    row->addWidget(m_tiles);
    return row;
}

/// "A block is for the next [4] micro-batches"
QHBoxLayout* PalettePanel::makeCountRow()
{
    m_count->setRange(1, 100'000);
    m_count->setValue(4);
    m_count->setAccelerated(true);
    m_count->setAlignment(Qt::AlignRight);
    m_count->setObjectName(QStringLiteral("palette-count"));
    m_count->setAccessibleName(tr("Micro-batches of a block"));
    m_count->setToolTip(tr("A building block that is placed is repeated for so many micro-batches, "
                           "behind those that are there."));
    auto* before = new QLabel(tr("&Block for the next"), this);
    before->setBuddy(m_count);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 0, 12, 4);
    row->addWidget(before);
    row->addWidget(m_count);
    auto* behind = new QLabel(tr("micro-batches"), this);
    row->addWidget(behind);
    m_words.insert(m_words.end(), {before, behind});
    row->addStretch(1);
    m_model->setMicroBatches(m_count->value());
    connect(m_count, &QSpinBox::valueChanged, m_model, &PaletteModel::setMicroBatches);
    return row;
}

PaletteItem PalettePanel::itemOf(const QModelIndex& index)
{
    return index.data(PaletteModel::ItemRole).value<PaletteItem>();
}

void PalettePanel::setOwnBlocks(const std::vector<BuildingBlock>& blocks)
{
    m_model->setOwnBlocks(blocks);
    showDetail();
}

void PalettePanel::showParts(const PaletteShown& shown)
{
    m_shown = shown;
    m_tiles->setKinds(shown.kinds);
    // What was looked for elsewhere hides nothing of the few.
    if (!shown.families.isEmpty())
        m_search->clear();
    m_filter->setFamilies(shown.families);
    const bool all = shown.parts == PaletteParts::All;
    const bool families = shown.parts == PaletteParts::Families;
    m_search->setVisible(all || (families && shown.families.isEmpty()));
    m_list->setVisible(all || families);
    m_tiles->setVisible(all || shown.parts == PaletteParts::Passes);
    for (QWidget* word : m_words)
        word->setVisible(all);
    fitList();
    layout()->activate();
    const bool low = shown.parts == PaletteParts::Passes || shown.parts == PaletteParts::Nothing ||
                     !shown.families.isEmpty();
    setMaximumHeight(low ? layout()->minimumSize().height() + 8 : QWIDGETSIZE_MAX);
}

/// A few families are as high as they are, as far as a low window has room beside a lesson.
void PalettePanel::fitList()
{
    constexpr int mostRows = 6, fewestRows = 3; // with the heading
    m_list->setMinimumHeight(0);
    m_list->setMaximumHeight(QWIDGETSIZE_MAX);
    if (m_shown.families.isEmpty())
        return;
    int high = 4;
    for (int row = 0; row < std::min(mostRows, m_filter->rowCount()); ++row)
        if (const int next = m_list->sizeHintForIndex(m_filter->index(row, 0)).height();
            row < fewestRows || high + next <= window()->height() / 5)
            high += next;
    m_list->setFixedHeight(high);
}

void PalettePanel::showDetail()
{
    const QModelIndex index = m_list->currentIndex();
    if (itemOf(index).kind == PaletteKind::Section) {
        m_detail->setText(m_filter->rowCount() > 0
                              ? tr("Drag onto the timeline, or press Enter.")
                              : tr("Nothing here has “%1” in its name, what it does, or its paper.")
                                    .arg(m_search->text().trimmed()));
        m_detail->setToolTip({});
        return;
    }
    QStringList parts;
    for (const int role :
         {static_cast<int>(PaletteModel::SummaryRole), static_cast<int>(PaletteModel::CitationRole),
          static_cast<int>(PaletteModel::DetailRole)})
        if (const QString part = index.data(role).toString(); !part.isEmpty())
            parts += part;
    m_detail->setText(parts.join(QLatin1Char('\n')));
    m_detail->setToolTip(index.data(Qt::ToolTipRole).toString());
}

void PalettePanel::showMenu(QPoint at)
{
    const QPersistentModelIndex index = m_list->indexAt(at);
    const PaletteItem item = itemOf(index);
    if (item.kind == PaletteKind::Section)
        return;
    auto* menu = new QMenu(m_list);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("palette-menu"));
    connect(menu->addAction(tr("&Place")), &QAction::triggered, this, [this, index] {
        if (index.isValid())
            choose(index);
    });
    if (item.kind == PaletteKind::OwnBlock) {
        connect(menu->addAction(tr("&Rename…")), &QAction::triggered, this, [this, index] {
            if (index.isValid())
                m_list->edit(index);
        });
        connect(menu->addAction(tr("&Delete")), &QAction::triggered, this, [this, index] {
            if (index.isValid())
                Q_EMIT deleteAsked(itemOf(index).block);
        });
    }
    menu->popup(m_list->viewport()->mapToGlobal(at));
}

void PalettePanel::focusSearch()
{
    // A level with few families has no search, but its list.
    QWidget* target =
        m_search->isHidden() && !m_list->isHidden() ? static_cast<QWidget*>(m_list) : m_search;
    target->setFocus(Qt::ShortcutFocusReason);
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
    if (const PaletteItem item = itemOf(index); item.kind != PaletteKind::Section)
        Q_EMIT chosen(item);
}

void PalettePanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_model->forgetPictures();
    QWidget::changeEvent(event);
}

/// From the search field the arrow keys go on into the list, and Enter takes the first that fits.
bool PalettePanel::searchKey(int key)
{
    if (key != Qt::Key_Down && key != Qt::Key_Return && key != Qt::Key_Enter)
        return false;
    const QModelIndex index = best();
    if (!index.isValid())
        return false;
    m_list->setCurrentIndex(index);
    if (key == Qt::Key_Down)
        m_list->setFocus(Qt::OtherFocusReason);
    else
        choose(index);
    return true;
}

bool PalettePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress &&
        searchKey(static_cast<QKeyEvent*>(event)->key()))
        return true;
    // In the list the key means the block under it, not what is selected in the timeline.
    const bool asks = event->type() == QEvent::ShortcutOverride;
    if (watched == m_list && (asks || event->type() == QEvent::KeyPress) &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Delete)) {
        const PaletteItem item = itemOf(m_list->currentIndex());
        if (asks)
            event->accept();
        else if (item.kind == PaletteKind::OwnBlock)
            Q_EMIT deleteAsked(item.block);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace pw::ui
