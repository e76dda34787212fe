// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/lowering.h"
#include "core/communication/play.h"
#include "ui/communication/listing_lanes.h"
#include "ui/panels/field_bar.h"

#include <memory>

namespace pw::ui {

/// Where the sends and receives of a schedule are placed, and how its messages travel.
class CommunicationFields : public FieldBar
{
    Q_OBJECT

public:
    /// @param given  costs as the schedule has them
    /// @param file   whether the schedule's file has sends and receives, which then are the choice
    CommunicationFields(std::shared_ptr<const Schedule> schedule, Costs given, bool file,
                        QWidget* parent = nullptr);

    /// Whether sends and receives stand where the file has them.
    bool asFile() const;
    communication::Lowering lowering() const;
    communication::Transport transport() const;
    /// The given costs with what is said of messages.
    Costs costs() const;
    /// Passes of the chosen model with experts, in parts; empty: of none. Says why they cannot be.
    StageLayers layers();

Q_SIGNALS:
    /// Everything has to be placed anew.
    void placesChanged();
    /// The same order takes other times.
    void timesChanged();

private:
    void addPlaces(bool file);
    void addMessages();
    void addWeights();
    void addExperts();
    void enablePlaces();

    std::shared_ptr<const Schedule> m_schedule;
    Costs m_given;
    QComboBox* m_receives = nullptr;
    QSpinBox* m_early = nullptr;
    QComboBox* m_sends = nullptr;
    QComboBox* m_communicators = nullptr;
    QDoubleSpinBox* m_hop = nullptr;
    QDoubleSpinBox* m_size = nullptr;
    QDoubleSpinBox* m_eager = nullptr;
    QCheckBox* m_sharded = nullptr;
    QComboBox* m_exchanges = nullptr; ///< null: no stage has copies
    QSpinBox* m_lookAhead = nullptr;
    QDoubleSpinBox* m_gather = nullptr;
    QComboBox* m_experts = nullptr;
    QSpinBox* m_expertGroup = nullptr;
};

} // namespace pw::ui
