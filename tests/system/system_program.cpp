// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Asks core/system for all that it promises, on the system that this runs on: here by ctest, for
// Windows by tests/checks/windows.sh. Needs nothing but that folder. Ends with 0 where all held;
// says what did not.
//
//   system_program            all of it
//   system_program words …    what runProgram starts: says its words and its standard input, ends
//                             with 7
//   system_program wait       what runProgram ends
//   system_program leave      ends with 3, and what is called at the end makes 13 of it, or 19
//   where
//                             it is not told
#include "core/system/clocks.h"
#include "core/system/files.h"
#include "core/system/machine.h"
#include "core/system/memory.h"
#include "core/system/passing.h"
#include "core/system/process.h"
#include "core/system/programs.h"
#include "core/system/standard_input.h"
#include "core/system/terminal.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>

namespace {

namespace fs = std::filesystem;
namespace sys = pw::sys;

int failures = 0;

#define HOLDS(claim) holds(static_cast<bool>(claim), #claim, __LINE__)

void holds(bool truth, const char* claim, int line)
{
    if (truth)
        return;
    std::printf("line %d does not hold: %s\n", line, claim);
    ++failures;
}

std::string contentOf(const fs::path& path)
{
    sys::OpenFile file(path, sys::Open::Read);
    std::string content;
    std::array<char, 100> piece{};
    for (std::size_t got = 1; file.problem() == 0 && got > 0;) {
        if (file.read(piece.data(), piece.size(), got) != 0)
            return "unreadable";
        content.append(piece.data(), got);
    }
    return file.problem() == 0 ? content : "not there";
}

void write(const fs::path& path, std::string_view content)
{
    sys::OpenFile file(path, sys::Open::New);
    HOLDS(file.problem() == 0 && file.write(content) == 0 && file.sync() == 0 && file.close() == 0);
}

bool isPart(std::string_view name)
{
    return name.ends_with(".part");
}

/// A file appears whole, under a name that nobody else has taken.
void filesAreWhole(const fs::path& folder)
{
    const fs::path file = folder / "größe 1.txt", other = folder / "other";
    HOLDS(sys::kindOf(file) == pw::FileKind::Missing);
    write(file, "one\r\ntwo\n");
    HOLDS(contentOf(file) == "one\r\ntwo\n");
    HOLDS(sys::OpenFile(file, sys::Open::New).problem() == EEXIST);
    HOLDS(sys::OpenFile(folder / "no" / "file", sys::Open::New).problem() == ENOENT);
    HOLDS(sys::OpenFile(folder / "none", sys::Open::Read).problem() == ENOENT);
    HOLDS(sys::OpenFile(folder / "none", sys::Open::Over).problem() == ENOENT);
    write(other, "new");
    HOLDS(sys::rename(other, file) == 0 && contentOf(file) == "new");
    HOLDS(sys::kindOf(other) == pw::FileKind::Missing && sys::rename(other, file) == ENOENT);
    sys::syncFolder(folder);
    sys::OpenFile over(file, sys::Open::Over);
    HOLDS(over.write("short") == 0 && over.close() == 0 && contentOf(file) == "short");
    HOLDS(sys::makeWhole(other, "first") == 0 && sys::makeWhole(other, "second") == 0);
    HOLDS(contentOf(other) == "first");
    HOLDS(sys::makeWhole(folder / "no" / "file", "x") == ENOENT);
    HOLDS(sys::kindOf(file) == pw::FileKind::Regular &&
          sys::kindOf(folder) == pw::FileKind::Folder);
    HOLDS(sys::mayWrite(file));
    fs::permissions(file, fs::perms::owner_read);
    HOLDS(!sys::mayWrite(file));
    fs::permissions(file, fs::perms::owner_all);
    HOLDS(sys::removeEmptyFolder(folder) == ENOTEMPTY);
    HOLDS(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 2);
}

/// A file that is open can get another name, and one that is locked is not taken for an orphan.
/// Text is UTF-8, whatever it is made of.
void namesAreText(const fs::path& folder)
{
    for (const std::string name : {"größe", "日本", "𝛑 3"}) {
        const fs::path path(name), told(std::u8string(name.begin(), name.end()));
        HOLDS(path == told && path.string() == name);
        write(folder / name, "x");
        HOLDS(fs::exists(folder / told));
        HOLDS(fs::directory_iterator(folder)->path().filename().string() == name);
        fs::remove(folder / name);
    }
}

void locksAreKept(const fs::path& folder)
{
    const fs::path held = folder / "held.part", left = folder / "left.part", kept = folder / "kept";
    write(left, "left");
    write(kept, "kept");
    {
        sys::OpenFile file(held, sys::Open::New);
        HOLDS(file.lock() == sys::Lock::Mine && file.hasName());
        sys::OpenFile second(held, sys::Open::Read);
        HOLDS(second.lock() == sys::Lock::Taken);
        HOLDS(file.write("held") == 0 && contentOf(held) == "held");
        sys::removeUnlocked(folder, isPart);
        HOLDS(sys::kindOf(left) == pw::FileKind::Missing);
        HOLDS(sys::kindOf(held) == pw::FileKind::Regular);
        HOLDS(sys::kindOf(kept) == pw::FileKind::Regular);
        HOLDS(file.takeRightsOf(kept) == 0);
        HOLDS(sys::rename(held, kept) == 0 && contentOf(kept) == "held" && file.hasName());
    }
    {
        sys::OpenFile file(left, sys::Open::New);
        HOLDS(file.hasName());
#ifndef _WIN32 // Wine does not tell what was removed while it is open
        fs::remove(left);
        HOLDS(!file.hasName());
#endif
    }
    const fs::path inner = folder / "inner";
    fs::create_directory(inner);
    sys::FolderLock lock, second;
    HOLDS(lock.take(inner) == 0 && second.take(inner) == EWOULDBLOCK && !second.taken());
    write(inner / "file", "x");
    lock.removeFolder();
    HOLDS(sys::kindOf(inner) == pw::FileKind::Missing && !lock.taken());
    HOLDS(second.take(inner) != 0);
}

/// What passes can be read again and again, and goes.
void whatPassesGoes(const fs::path& folder)
{
    std::string path;
    {
        sys::PassingFile file(folder);
        HOLDS(file.problem() == 0 && file.write("again") == 0 && file.write("!") == 0);
        path = file.path();
        HOLDS(contentOf(path) == "again!" && contentOf(path) == "again!");
        HOLDS(contentOf(file.pathForOthers()) == "again!");
    }
    HOLDS(sys::kindOf(path) == pw::FileKind::Missing);
    HOLDS(sys::PassingFile(folder / "none").problem() != 0);
    fs::path made, other;
    HOLDS(sys::makePassingFolder(folder, made) == 0 && sys::makePassingFolder(folder, other) == 0);
    HOLDS(made != other && sys::kindOf(made) == pw::FileKind::Folder);
    HOLDS(sys::removeEmptyFolder(made) == 0 && sys::removeEmptyFolder(other) == 0);
}

void programsRun(const std::string& self)
{
    using namespace std::chrono_literals;
    const std::vector<std::string> words = {"",       "a b",     "\"quoted\"", "back\\slash\\",
                                            "end \\", "größe",   "\\\"",       "*.txt",
                                            "%PATH%", "$(x) `y`"};
    std::vector<std::string> line = {self, "words"};
    line.insert(line.end(), words.begin(), words.end());
    std::string said;
    for (const std::string& word : words)
        said += "[" + word + "]\n";
    const sys::ProgramRun run = sys::runProgram(line, 60s, "to you\n", 10'000);
    HOLDS(run.ending == sys::Ending::Ended && run.code == 7);
    HOLDS(run.out == said && run.err == "to you\n");
    HOLDS(sys::runProgram(line, 60s, "", 5).out == said.substr(0, 5));
    const auto begin = std::chrono::steady_clock::now();
    HOLDS(sys::runProgram({self, "wait"}, 300ms, "", 100).ending == sys::Ending::TooLong);
    HOLDS(std::chrono::steady_clock::now() - begin < 20s);
    const sys::ProgramRun none = sys::runProgram({"pipewright-no-such-program"}, 1s, "", 100);
    HOLDS(none.ending == sys::Ending::NotStarted && none.problem == ENOENT);
    HOLDS(sys::isProgram(self) && !sys::isProgram(self + "-not"));
    HOLDS(sys::programOnPath("pipewright-no-such-program").empty());
    const sys::ProgramRun left = sys::runProgram({self, "leave"}, 60s, "", 100);
#ifdef __linux__
    HOLDS(left.code == 13 && left.out == "first");
#else
    HOLDS((left.code == 13 || left.code == 19) && left.out == "first");
#endif
    int code = 0;
    HOLDS(sys::runAttached(self, {"variable"}, {"PW_TOLD=größe"}, code) == 0 && code == 5);
    HOLDS(sys::runAttached(self + "-not", {}, {}, code) != 0);
}

void theMachineIsKnown()
{
    HOLDS(!sys::hostName().empty() && !sys::systemName().empty());
    HOLDS(sys::memoryBytes() > (1 << 24) && sys::coresOn() >= 1 && sys::load() >= 0);
    HOLDS(sys::hasBytes("a \"label\"", "\"label") && !sys::hasBytes("abc", "abd") &&
          sys::hasBytes("abc", ""));
    const std::string beginning = sys::beginningOf(sys::processNumber());
    HOLDS(!beginning.empty() && beginning == sys::beginningOf(sys::processNumber()));
    HOLDS(sys::beginningOf(2'147'483'646).empty());
    HOLDS(!sys::processPlace().empty());
#if defined(__linux__) || defined(_WIN32) || defined(__APPLE__) // elsewhere it need not be known
    HOLDS(sys::programFile().is_absolute() && sys::isProgram(sys::programFile()));
#endif
    HOLDS(!sys::isTerminal(sys::Stream::Output) || sys::terminalColumns());
    std::tm parts{};
    HOLDS(sys::universalTime(86'400, parts) && parts.tm_mday == 2 && parts.tm_year == 70);
    HOLDS(sys::localTime(86'400 * 365, parts) && parts.tm_year >= 70);
    const std::int64_t before = sys::steadyNow();
    sys::tightenSleeps();
    sys::sleepTight(20'000'000);
    const std::int64_t slept = sys::steadyNow() - before;
    HOLDS(slept >= 19'000'000 && slept < 10'000'000'000);
    // Its end, which nobody waits for, need not come.
    sys::InputWatch watch;
    HOLDS(watch.good());
    std::thread waiting([&watch] { (void)watch.waitForEnd(); });
    watch.wake();
    waiting.join();
}

int sayWords(const std::vector<std::string>& words)
{
    for (std::size_t i = 1; i < words.size(); ++i)
        std::printf("[%s]\n", words[i].c_str());
    std::array<char, 100> piece{};
    std::size_t got = 1;
    while (sys::readInput(piece.data(), piece.size(), got) == 0 && got > 0)
        sys::sayWithoutMemory({piece.data(), got});
    return 7;
}

/// What was to be done at the end before is not done.
int leave()
{
    std::atexit([] { std::printf("second"); });
    sys::atEnd(
        [](int status) {
            std::printf("first");
            std::fflush(nullptr);
            sys::endProcess(status + 10);
        },
        9);
    return 3;
}

} // namespace

int main(int argc, char** argv)
{
    sys::beginProgram();
    const std::vector<std::string> words = sys::programWords(argc, argv);
    if (!words.empty() && words[0] == "words")
        return sayWords(words);
    if (!words.empty() && words[0] == "leave")
        return leave();
    if (!words.empty() && words[0] == "wait")
        std::this_thread::sleep_for(std::chrono::minutes(1));
    if (!words.empty() &&
        words[0] == "variable") // in what encoding the C library has it, it does not say
        return std::getenv("PW_TOLD") != nullptr ? 5 : 6;
    std::error_code none;
    fs::path folder;
    HOLDS(sys::makePassingFolder(fs::temp_directory_path(none), folder) == 0);
    for (void (*const part)(const fs::path&) :
         {filesAreWhole, namesAreText, locksAreKept, whatPassesGoes}) {
        fs::create_directory(folder / "part");
        part(folder / "part");
        fs::remove_all(folder / "part", none);
    }
    programsRun(fs::absolute(argv[0]).string());
    theMachineIsKnown();
    fs::remove_all(folder, none);
    std::printf(failures == 0 ? "all holds\n" : "%d do not hold\n", failures);
    return failures == 0 ? 0 : 1;
}
