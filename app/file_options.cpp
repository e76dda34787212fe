// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/file_options.h"

#include "app/standard_input.h"
#include "core/base/try.h"
#include "core/reading/sniff.h"

namespace pw::app {

std::vector<Option> fileOptions()
{
    constexpr const char* section = "Files";
    return {{.name = "from",
             .kind = ValueKind::Text,
             .placeholder = "FORMAT",
             .summary = "format of the file that is read (default: by its name)",
             .section = section,
             .choices = readableFormats()},
            {.name = "dialect",
             .kind = ValueKind::Text,
             .placeholder = "WHICH",
             .summary = "of a PyTorch CSV: in the older one, B is only the backward for the input",
             .section = section,
             .choices = {"current", "older"}}};
}

tl::expected<ScheduleFile, Failure> readScheduleFile(const std::string& path,
                                                     const Arguments& arguments)
{
    std::optional<FileFormat> format;
    if (arguments.has("from"))
        format = formatOfName(arguments.text("from"));
    std::optional<TorchDialect> dialect;
    if (arguments.has("dialect"))
        dialect =
            arguments.text("dialect") == "older" ? TorchDialect::Older : TorchDialect::Current;
    const auto read = [&]() -> Result<ScheduleFile> {
        if (path != standardInput)
            return pw::readScheduleFile(path, format, dialect);
        PW_TRY(const std::string content,
               readStandardInput(maxProjectBytes, arguments.has("attended")));
        return readScheduleContent(content, "standard input", format, dialect);
    };
    Result<ScheduleFile> file = read();
    if (!file && file.error().code == ErrorCode::BadValue)
        return wrong(file.error().message + "; --from says what it is if it is something else");
    if (!file) {
        // What is known and yet is no schedule says what helps.
        if (const std::optional<Sentence> strange = strangeFile(path))
            return wrong(path + ": no schedule: " + *strange);
        return wrong(file.error());
    }
    if (file->olderDialect)
        file->notes.emplace_back("to read the older dialect: --dialect older");
    return std::move(*file);
}

} // namespace pw::app
