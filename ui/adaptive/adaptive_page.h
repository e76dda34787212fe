// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/adaptive/adaptive_client.h"
#include "ui/adaptive/adaptive_fields.h"
#include "ui/document/latest_work.h"
#include "ui/pages/page.h"

#include <QTimer>

#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace pw::ui {

class AdaptiveCharts;

/// kFkB whose k follows the network: k, the network and the iterations over time, simulated as the
/// fields change, and as it is really run beside that, iteration by iteration.
class AdaptivePage : public Page
{
    Q_OBJECT

public:
    explicit AdaptivePage(QWidget* parent = nullptr);
    ~AdaptivePage() override;

    AdaptiveFields& fields() { return *m_fields; }
    /// Null: not there yet, or refused.
    const std::shared_ptr<const AdaptComparison>& simulated() const { return m_simulated; }
    /// Iterations of the run that have ended.
    const std::vector<AdaptivePoint>& points() const { return m_points; }
    const std::optional<AdaptiveTotals>& totals() const { return m_totals; }
    bool busy() const { return m_work.busy() || m_delay.isActive(); }
    bool running() const { return m_client.running(); }
    /// What is said below the fields.
    QString sentence() const;

    /// Runs what the fields say. @param program  as of `commandWords`
    void run(const QStringList& program);
    void stop();

    QString title() const override;
    QString figures() const override;
    PageDetails details() const override;

Q_SIGNALS:
    /// The button was pressed while nothing runs.
    void runAsked();
    void refused(const QString& why);
    /// The simulation or the run is further.
    void changed();

private:
    QWidget* makeHead();
    void makeTable();
    void simulateAgain();
    void hear(const AdaptiveLine& line);
    void finish(const Trouble& trouble);
    void refresh();
    void showTable();
    void showSentence();
    bool modelled() const;

    AdaptiveFields* m_fields;
    AdaptiveCharts* m_charts;
    QTableWidget* m_table;
    QLabel* m_sentence = nullptr;
    QComboBox* m_backend = nullptr;
    QCheckBox* m_eachFixed = nullptr;
    QPushButton* m_button = nullptr;
    QTimer m_delay;     ///< while somebody types there is no hurry
    QTimer m_showDelay; ///< iterations may come faster than they can be seen
    LatestWork m_work;
    AdaptiveClient m_client;
    std::shared_ptr<const AdaptComparison> m_simulated;
    std::optional<AdaptiveOutline> m_outline;
    std::vector<AdaptivePoint> m_points;
    std::optional<AdaptiveTotals> m_totals;
    QString m_saying;
};

} // namespace pw::ui
