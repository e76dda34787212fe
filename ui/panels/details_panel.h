// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/panels/number_rows.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QLabel;

namespace pw::ui {

/// Figures under a heading, or a sentence where there are none.
struct DetailsPart
{
    QString heading;
    std::vector<NumberRow> rows;
    QString none;                 ///< what is said where there are no rows
    std::function<void()> open{}; ///< leads to what it is about, from its heading; may be empty
};

/// What a page has to say beside itself, part by part.
struct PageDetails
{
    QString kind; ///< of the page, as a title: "Run"
    std::vector<DetailsPart> parts;

    bool empty() const { return parts.empty(); }
};

/// The figures of a page and of what is selected in it, to be read.
class DetailsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit DetailsPanel(QWidget* parent = nullptr);

    void setDetails(const PageDetails& details);
    /// All of it as plain words, line by line.
    QString words() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Labels
    {
        QLabel* heading;
        QLabel* body;
    };

    void write();

    PageDetails m_details;
    std::vector<Labels> m_labels; ///< as many as were ever needed
};

} // namespace pw::ui
