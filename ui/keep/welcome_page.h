// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/pages/page.h"

#include <QStringList>

class QGridLayout;
class QLayout;
class QVBoxLayout;

namespace pw::ui {

class Recovery;
class SampleCard;

/// What is shown while nothing is open: what to do, recent files, samples, and what a crash left.
class WelcomePage : public Page
{
    Q_OBJECT

public:
    explicit WelcomePage(Recovery& recovery, QWidget* parent = nullptr);

    QString title() const override { return tr("Welcome"); }
    QString figures() const override;

    /// Reads the list of recent files again.
    void showRecent();

Q_SIGNALS:
    void learnAsked();
    void newAsked();
    void openAsked();
    void traceAsked();
    void fileChosen(const QString& path);
    void sampleChosen(const QString& name);
    void recoverAsked(const QString& file);
    void discardAsked(const QString& file);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeColumn();
    QLayout* startPart(QWidget* column);
    QLayout* recentPart(QWidget* column);
    QLayout* samplesPart(QWidget* column);
    void placeCards();
    void showRecovery();
    void drawNext();

    Recovery& m_recovery;
    QWidget* m_recoverBox;
    QVBoxLayout* m_recoverList;
    QVBoxLayout* m_recentList;
    QGridLayout* m_samples = nullptr;
    int m_columns = 0; ///< of samples
    std::vector<SampleCard*> m_cards;
    std::size_t m_drawn = 0;
};

} // namespace pw::ui
