// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/query_page.h"

#include "core/store/store_query.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/panels/quiet_table.h"
#include "ui/text.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include <memory>

namespace pw::ui {

QueryPage::QueryPage(const QString& store, QWidget* parent)
    : Page(parent)
    , m_store(store)
    , m_examples(new QComboBox(this))
    , m_sql(new QPlainTextEdit(this))
    , m_ask(new QPushButton(tr("Ask"), this))
    , m_sentence(new QLabel(this))
    , m_table(new QTableWidget(this))
{
    m_examples->setObjectName(QStringLiteral("examples"));
    m_examples->addItem(tr("Examples…"));
    for (const ExampleQuery& one : exampleQueries())
        m_examples->addItem(text(one.title), text(one.sql));
    m_sql->setObjectName(QStringLiteral("sql"));
    m_sql->setAccessibleName(tr("Question in SQL"));
    m_sql->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_sql->setPlaceholderText(tr("SELECT … ; Ctrl+Enter asks"));
    m_sql->setFrameShape(QFrame::NoFrame);
    m_sql->installEventFilter(this);
    m_ask->setObjectName(QStringLiteral("ask"));
    m_sentence->setObjectName(QStringLiteral("answer"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_sentence->setText(tr("The store is only read. Times are milliseconds."));
    m_table->setObjectName(QStringLiteral("rows"));
    m_table->setAccessibleName(tr("Answer"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    makeQuiet(*m_table);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 6);
    bar->addWidget(m_examples);
    bar->addWidget(m_sentence, 1);
    bar->addWidget(m_ask);
    auto* top = new QWidget(this);
    auto* rows = new QVBoxLayout(top);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addWidget(m_sql, 1);
    rows->addLayout(bar);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->addWidget(top);
    parts->addWidget(m_table);
    parts->setSizes({180, 480});
    parts->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(parts);
    setFocusProxy(m_sql);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    connect(m_ask, &QPushButton::clicked, this, &QueryPage::ask);
    connect(m_examples, &QComboBox::activated, this, [this](int index) {
        if (index <= 0)
            return;
        setQuestion(m_examples->itemData(index).toString());
        ask();
    });
}

void QueryPage::setQuestion(const QString& sql)
{
    m_sql->setPlainText(sql);
}

bool QueryPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_sql && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter && (key->modifiers() & Qt::ControlModifier) != 0) {
            ask();
            return true;
        }
    }
    return Page::eventFilter(watched, event);
}

void QueryPage::ask()
{
    m_ask->setEnabled(false);
    m_sentence->setText(tr("Asking…"));
    inBackground(
        this,
        [this, store = m_store.toStdString(),
         sql = m_sql->toPlainText().toStdString()]() -> std::function<void()> {
            QElapsedTimer clock;
            clock.start();
            QueryLimits limits;
            limits.rows = mostRows;
            auto answer = std::make_shared<Result<QueryAnswer>>(queryStore(store, sql, limits));
            return [this, answer, took = clock.elapsed()] {
                m_ask->setEnabled(true);
                if (!*answer) {
                    m_sentence->setText(coreSentence(answer->error().message));
                    Q_EMIT answered();
                    return;
                }
                const QueryAnswer& found = **answer;
                m_table->clear();
                m_table->setColumnCount(static_cast<int>(found.columns.size()));
                m_table->setRowCount(static_cast<int>(found.rows.size()));
                QStringList heads;
                for (const std::string& column : found.columns)
                    heads += text(column);
                m_table->setHorizontalHeaderLabels(heads);
                for (std::size_t row = 0; row < found.rows.size(); ++row)
                    for (std::size_t column = 0; column < found.rows[row].size(); ++column) {
                        const QueryCell& cell = found.rows[row][column];
                        auto* item =
                            new QTableWidgetItem(cell.null ? QStringLiteral("–") : text(cell.text));
                        if (cell.number)
                            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
                        m_table->setItem(static_cast<int>(row), static_cast<int>(column), item);
                    }
                m_table->resizeColumnsToContents();
                constexpr int widest = 420;
                for (int column = 0; column < m_table->columnCount(); ++column)
                    if (m_table->columnWidth(column) > widest)
                        m_table->setColumnWidth(column, widest);
                m_sentence->setText(
                    found.cut ? tr("The first %1 rows, in %2 ms; there are more.")
                                    .arg(found.rows.size())
                                    .arg(took)
                              : tr("Rows: %1, in %2 ms.").arg(found.rows.size()).arg(took));
                Q_EMIT answered();
            };
        });
}

QString QueryPage::sentence() const
{
    return m_sentence->text();
}

PageDetails QueryPage::details() const
{
    PageDetails details;
    details.kind = tr("SQL");
    DetailsPart part;
    part.heading = tr("Views");
    for (const StoreView& view : storeViews())
        part.rows.push_back({text(view.name), text(view.about)});
    details.parts.push_back(part);
    return details;
}

} // namespace pw::ui
