// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plain_text.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QStringList>

namespace pw::ui {

namespace {

/// Sees every label before its first layout: tool tips are labels of Qt's own.
class PlainTextKeeper : public QObject
{
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Polish) {
            if (auto* const label = qobject_cast<QLabel*>(watched);
                label != nullptr && label->textFormat() == Qt::AutoText)
                label->setTextFormat(Qt::PlainText);
        }
        return false;
    }
};

} // namespace

void keepTextPlain(QApplication& application)
{
    // It goes with its application.
    static QPointer<PlainTextKeeper> keeper;
    if (keeper != nullptr)
        return;
    keeper = new PlainTextKeeper(&application);
    application.installEventFilter(keeper);
}

QString tipLines(const QString& tip)
{
    constexpr int width = 76;
    constexpr qsizetype longest = 2000;
    QStringList lines;
    const QStringList given = tip.left(longest).split(QLatin1Char('\n'));
    for (const QString& paragraph : given) {
        QString line;
        const QStringList words = paragraph.split(QLatin1Char(' '));
        for (const QString& word : words) {
            if (!line.isEmpty() && line.size() + 1 + word.size() > width) {
                lines << line;
                line.clear();
            }
            line += line.isEmpty() ? word : QLatin1Char(' ') + word;
        }
        lines << line;
    }
    if (tip.size() > longest)
        lines << QStringLiteral("…");
    return lines.join(QLatin1Char('\n'));
}

QMessageBox* plainBox(QWidget* parent, const QString& title, const QString& text)
{
    auto* const box = new QMessageBox(parent);
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(title);
    box->setText(text);
    return box;
}

} // namespace pw::ui
