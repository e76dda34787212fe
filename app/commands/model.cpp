// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/model_options.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/model_file.h"

#include <ostream>

namespace pw::app::commands {

namespace {

std::string listOf(const Screen& screen)
{
    TextTable table(screen, {{"model", "", TextTable::Align::Left},
                             {"parameters"},
                             {"layers"},
                             {"hidden"},
                             {"heads"},
                             {"sequence"},
                             {"vocabulary"},
                             {"tensor parallel"},
                             {"experts"}});
    for (const LanguageModel& model : modelPresets()) {
        constexpr double billion = 1e9;
        const TransformerModel& dense = model.dense;
        table.append({dense.name, plainNumber(weightCount(model) / billion, 3) + " B",
                      std::to_string(dense.layers), std::to_string(dense.hidden),
                      std::to_string(dense.heads), std::to_string(dense.sequence),
                      std::to_string(dense.vocabulary), std::to_string(dense.tensorParallel),
                      model.experts.count > 0 ? std::to_string(model.experts.count) : ""});
    }
    return table.text(0);
}

Outcome runModel(const Arguments& arguments, Console& console)
{
    if (arguments.words().empty()) {
        if (const std::string fields = modelFieldsText(arguments); !fields.empty())
            return usage("no model is named that could have" + fields.substr(1));
        console.out << listOf(console.screen);
        return ExitCode::Good;
    }
    PW_TRY(const LanguageModel model, modelOf(arguments.words().front(), arguments));
    console.out << modelText(model);
    return ExitCode::Good;
}

} // namespace

Command model()
{
    Command command;
    command.name = "model";
    command.group = CommandGroup::Plan;
    command.summary = "the transformers that --model takes, and one of them as a file";
    command.words = "[PRESET|FILE]";
    command.about =
        "Without a name it lists the presets. With one it prints that model as the JSON that "
        "--model reads, with every field; options replace single fields. A field that a file "
        "leaves out has its default.";
    command.examples = {"pipewright model", "pipewright model gpt-22b",
                        "pipewright model seq1f1b-30b --tensor-parallel 8 --sequence-parallel yes"};
    command.wordKind = WordKind::File;
    command.maximumWords = 1;
    command.options = modelFieldOptions;
    command.run = runModel;
    return command;
}

} // namespace pw::app::commands
