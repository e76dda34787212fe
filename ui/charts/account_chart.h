// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/account.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace pw::ui {

/// By rank and cause, the time whose begin or end is guessed; empty: none is.
using GuessedParts = std::vector<std::array<Ticks, lossCauseCount>>;

/// Where the time of each rank went: a bar a rank, as long as the wall time, in parts by cause. The
/// legend has the part of all ranks together; what is unexplained always stands there, also where
/// it is nothing. A tool tip says the part under the pointer.
class AccountChart : public QWidget
{
    Q_OBJECT

public:
    explicit AccountChart(QWidget* parent = nullptr);

    /// @param ranks    names, by device
    /// @param note     a line below the bars
    /// @param guessed  is hatched
    void setAccount(std::shared_ptr<const Account> account, const QStringList& ranks,
                    const QString& note, GuessedParts guessed = {});
    /// A sentence in the place of the bars.
    void setSentence(const QString& sentence);

    /// The part under a point, in words; empty: none.
    QString partAt(QPointF point) const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Entry
    {
        LossCause cause = LossCause::Unexplained;
        QString text;
        QRectF area;
    };

    void fitHeight();
    QFont smallFont() const;
    QRectF area() const;
    std::vector<Entry> legend(double& bottom) const;
    double noteHeight(double top) const;
    QRectF barOf(std::size_t rank, double top) const;
    Ticks guessed(std::size_t rank, LossCause cause) const;
    void paintPart(QPainter& painter, const QRectF& part, LossCause cause) const;

    std::shared_ptr<const Account> m_account;
    GuessedParts m_guessed;
    QStringList m_ranks;
    QString m_note;
};

} // namespace pw::ui
