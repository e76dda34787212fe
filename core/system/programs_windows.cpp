// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/programs.h"
#include "core/system/windows_words.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>

namespace pw::sys {

const char listSeparator = ';';

namespace {

/// A word so that a program finds it again in its command line.
std::wstring quoted(const std::wstring& word)
{
    if (!word.empty() && word.find_first_of(L" \t\"") == std::wstring::npos)
        return word;
    std::wstring text = L"\"";
    std::size_t backslashes = 0;
    for (const wchar_t c : word) {
        // Before a quotation mark each backslash counts twice.
        if (c == L'"')
            text.append(backslashes + 1, L'\\');
        backslashes = c == L'\\' ? backslashes + 1 : 0;
        text += c;
    }
    text.append(backslashes, L'\\');
    return text + L"\"";
}

std::wstring commandLine(const std::filesystem::path& program,
                         const std::vector<std::string>& arguments)
{
    std::wstring line = quoted(program.wstring());
    for (const std::string& word : arguments)
        line += L" " + quoted(wideText(word));
    return line;
}

/// A pipe of which the program that is started gets one end.
struct ChildPipe
{
    Handle read;
    Handle write;

    bool make(bool childReads)
    {
        SECURITY_ATTRIBUTES inherited = {sizeof inherited, nullptr, TRUE};
        return ::CreatePipe(read.slot(), write.slot(), &inherited, 0) != 0 &&
               ::SetHandleInformation((childReads ? write : read).get(), HANDLE_FLAG_INHERIT, 0) !=
                   0;
    }
};

/// Takes all that comes, and keeps the first `most` bytes.
void takeAll(HANDLE from, std::string& into, std::size_t most)
{
    std::array<char, 1 << 14> buffer{};
    DWORD got = 0;
    while (::ReadFile(from, buffer.data(), buffer.size(), &got, nullptr) != 0 && got > 0)
        into.append(buffer.data(), std::min<std::size_t>(got, most - std::min(most, into.size())));
}

std::filesystem::path withSuffix(const std::filesystem::path& path)
{
    std::filesystem::path named = path;
    if (!named.has_extension())
        named += ".exe";
    return named;
}

std::wstring_view nameOf(std::wstring_view variable)
{
    return variable.substr(0, variable.find(L'=', 1));
}

/// This program's surroundings with other values, as a block of texts.
std::wstring surroundings(const std::vector<std::string>& variables)
{
    std::wstring block;
    std::vector<std::wstring> given;
    for (const std::string& variable : variables) {
        given.push_back(wideText(variable));
        block += given.back() + L'\0';
    }
    wchar_t* const own = ::GetEnvironmentStringsW();
    for (const wchar_t* one = own; one != nullptr && *one != L'\0';) {
        const std::wstring_view text(one);
        if (std::none_of(given.begin(), given.end(), [text](const std::wstring& variable) {
                return nameOf(variable) == nameOf(text);
            }))
            block.append(text).push_back(L'\0');
        one += text.size() + 1;
    }
    if (own != nullptr)
        ::FreeEnvironmentStringsW(own);
    return block + L'\0';
}

} // namespace

bool isProgram(const std::filesystem::path& path)
{
    std::error_code unreadable;
    return std::filesystem::is_regular_file(withSuffix(path), unreadable);
}

std::filesystem::path programOnPath(std::string_view name)
{
    const wchar_t* const variable = ::_wgetenv(L"PATH");
    std::wstring_view rest = variable == nullptr ? L"" : variable;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(L';'), rest.size());
        const std::filesystem::path found =
            withSuffix(std::filesystem::path(rest.substr(0, end)) / wideText(name));
        if (end > 0 && isProgram(found))
            return found;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

ProgramRun runProgram(const std::vector<std::string>& words, std::chrono::milliseconds limit,
                      std::string_view input, std::size_t most)
{
    ProgramRun run;
    ChildPipe in, out, err;
    if (!in.make(true) || !out.make(false) || !err.make(false)) {
        run.ending = Ending::NoPipes;
        run.problem = lastReason();
        return run;
    }
    const std::filesystem::path named(words.front());
    const std::filesystem::path program =
        named.has_parent_path() ? withSuffix(named) : programOnPath(words.front());
    STARTUPINFOW start = {};
    start.cb = sizeof start;
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = in.read.get();
    start.hStdOutput = out.write.get();
    start.hStdError = err.write.get();
    PROCESS_INFORMATION told = {};
    std::wstring line = commandLine(program, {words.begin() + 1, words.end()});
    if (program.empty() || ::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, 0,
                                            nullptr, nullptr, &start, &told) == 0) {
        run.ending = Ending::NotStarted;
        run.problem = program.empty() ? ENOENT : lastReason();
        return run;
    }
    const Handle process(told.hProcess), first(told.hThread);
    in.read.close();
    out.write.close();
    err.write.close();
    std::thread outReader(takeAll, out.read.get(), std::ref(run.out), most);
    std::thread errReader(takeAll, err.read.get(), std::ref(run.err), most);
    DWORD written = 0;
    ::WriteFile(in.write.get(), input.data(), static_cast<DWORD>(input.size()), &written, nullptr);
    in.write.close();
    if (::WaitForSingleObject(process.get(), static_cast<DWORD>(limit.count())) != WAIT_OBJECT_0) {
        run.ending = Ending::TooLong;
        ::TerminateProcess(process.get(), 1);
        ::WaitForSingleObject(process.get(), INFINITE);
    }
    outReader.join();
    errReader.join();
    DWORD code = 0;
    ::GetExitCodeProcess(process.get(), &code);
    run.code = static_cast<int>(code);
    return run;
}

int runAttached(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                const std::vector<std::string>& variables, int& code)
{
    STARTUPINFOW start = {};
    start.cb = sizeof start;
    PROCESS_INFORMATION told = {};
    std::wstring line = commandLine(program, arguments);
    std::wstring all = surroundings(variables);
    if (::CreateProcessW(withSuffix(program).c_str(), line.data(), nullptr, nullptr, TRUE,
                         CREATE_UNICODE_ENVIRONMENT, all.data(), nullptr, &start, &told) == 0)
        return lastReason();
    const Handle process(told.hProcess), first(told.hThread);
    ::WaitForSingleObject(process.get(), INFINITE);
    DWORD ended = 0;
    ::GetExitCodeProcess(process.get(), &ended);
    code = static_cast<int>(ended);
    return 0;
}

} // namespace pw::sys
