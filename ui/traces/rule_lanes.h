// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/name_rule.h"
#include "ui/traces/shown_activity.h"

#include <QWidget>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pw::ui {

/// What rules read of a trace over time: a lane a thread or stream with passes.
struct RulePicture
{
    static constexpr std::size_t columns = 800;
    static constexpr std::size_t mostLanes = 12;

    struct RuleLane
    {
        std::string title;
        std::array<std::int8_t, columns> kind; ///< of a pass there; −1: none
    };

    std::vector<RuleLane> lanes; ///< at most `mostLanes`
    std::int64_t left = 0;       ///< lanes with passes that are not among them
};

using RulePicturePtr = std::shared_ptr<const RulePicture>;

/// @param rules  the first that reads a name counts
/// @complexity  O(spans + names · rules)
RulePicturePtr pictureOf(const ShownActivity& activity, const std::vector<NameRule>& rules);

/// Lanes that colour while a rule is made.
class RuleLanes : public QWidget
{
    Q_OBJECT

public:
    explicit RuleLanes(QWidget* parent = nullptr);

    void setPicture(RulePicturePtr picture);
    const RulePicturePtr& picture() const { return m_picture; }

    QSize sizeHint() const override { return {400, 88}; }
    QSize minimumSizeHint() const override { return {200, 60}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    RulePicturePtr m_picture;
};

} // namespace pw::ui
