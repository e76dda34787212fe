// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "app/study.h"
#include "app/training.h"
#include "executor/api/backend.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pw::app {

/// --iterations, --warmup, --inject, --patience.
std::vector<Option> planOptions();

/// Shape, costs, files, model and plan: everything that says what is run.
std::vector<Option> allRunOptions();

/// A plan with what there is to say about it.
struct PreparedRun
{
    exec::RunPlan plan;
    std::string title;
    std::string costsText;               ///< where the prediction comes from
    std::string modelText;               ///< what is trained; empty: nothing
    std::vector<MeasuredRound> rounds{}; ///< that the forecast was made from
    /// Measures as before the run, so that what is forecast can be compared with a machine that
    /// has drifted; empty where the costs were not measured here.
    std::function<Result<std::vector<MeasuredRound>>()> measureAgain{};
};

/// The faults of --inject, with commas between them.
tl::expected<std::vector<exec::InjectedFault>, Failure> faultsOf(const Arguments& arguments);

/// Makes the plan of a command line for a backend.
///
/// A backend that trains is calibrated first, unless the command line says what passes take; its
/// bytes are those that it really allocates. An emulated one takes the costs of the study as they
/// are.
///
/// Times that were measured give a forecast. What measures again refers to the backend and to
/// `stop`.
///
/// @param study  of the word of the command line, made with `CostSource::trains`
/// @param say    told what is going on while it takes long; may be empty
tl::expected<PreparedRun, Failure> prepareRun(const std::string& word, Study study,
                                              const Arguments& arguments, exec::Backend& backend,
                                              const exec::Stop& stop,
                                              const std::function<void(std::string_view)>& say);

} // namespace pw::app
