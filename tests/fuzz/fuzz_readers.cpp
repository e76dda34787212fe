// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Feeds damaged input to everything that reads what people give: files of every format, the options
// of the command line, and numbers that no pipeline has. Run it in the preset checked:
//
//     build/checked/tests/fuzz/fuzz_readers INPUTS [SEED]
//
// Inputs are shared out over the readers. It ends with 0 when no input crashed, hung (20 s) or
// broke a round trip; the sanitizers end it otherwise. The input that was read last lies in
// fuzz_readers.last. `fuzz_readers --seeds FOLDER` writes the sound inputs that it begins with, a
// folder a reader. `fuzz_readers --replay FOLDER` reads the stored inputs of every reader, as they
// are (corpus_file.h); `--unpack FILE FOLDER` and `--pack FOLDER FILE` are for libFuzzer.

#include "tests/fuzz/corpus_file.h"
#include "tests/fuzz/readers.h"

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

// Where a sanitizer is built in, it calls this before it ends the program.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

using pw::fuzz::Reader;

/// 0.000…1 with 350 zeros, which no table of powers reaches.
constexpr const char* longDecimal =
    "0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000000000000000000000000000000001";

/// Changes a seed text in one to eight places.
class Mutator
{
public:
    explicit Mutator(std::uint64_t seed)
        : m_random(seed)
    {
    }

    std::size_t below(std::size_t bound) { return bound == 0 ? 0 : m_random() % bound; }

    std::string mutated(const std::vector<std::string>& seeds)
    {
        std::string text = seeds[below(seeds.size())];
        for (std::size_t changes = 1 + below(8); changes > 0; --changes)
            change(text, seeds);
        // Long inputs are slow and find little that short ones do not.
        constexpr std::size_t mostBytes = 20'000;
        if (text.size() > mostBytes)
            text.resize(mostBytes);
        return text;
    }

private:
    void change(std::string& text, const std::vector<std::string>& seeds)
    {
        const std::size_t at = below(text.size() + 1);
        switch (below(9)) {
        case 0:
            if (at < text.size())
                text[at] = static_cast<char>(below(256));
            break;
        case 1:
            text.erase(at, 1 + below(20));
            break;
        case 2:
            text.insert(at, text.substr(below(text.size() + 1), below(60)));
            break;
        case 3:
            text.resize(at);
            break;
        case 4:
            text.insert(at, token());
            break;
        case 5: {
            const std::string& other = seeds[below(seeds.size())];
            text.insert(at, other.substr(below(other.size() + 1), below(200)));
            break;
        }
        case 6:
            replaceNumber(text, at);
            break;
        case 7:
            text.insert(at, std::string(1 + below(300), "[({,;\n0"[below(7)]));
            break;
        default:
            if (at < text.size())
                text[at] =
                    static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << below(8)));
        }
    }

    std::string token()
    {
        static const char* const tokens[] = {"F0",
                                             "BW1",
                                             "(F1+BW0)",
                                             "U0",
                                             "@2",
                                             "/1",
                                             ".1",
                                             "0F0",
                                             "1I2",
                                             "2W2",
                                             "OVERLAP_F_B",
                                             "SEND_F",
                                             "null",
                                             "true",
                                             "-1",
                                             "1e308",
                                             "nan",
                                             "\"\"",
                                             "\\u0000",
                                             "\xff",
                                             "--devices",
                                             "=",
                                             "--",
                                             "\r\n",
                                             "d0:",
                                             "4294967296",
                                             "segments: 9999999",
                                             "placement: 0 1 2 3",
                                             longDecimal};
        return tokens[below(sizeof tokens / sizeof *tokens)];
    }

    void replaceNumber(std::string& text, std::size_t from)
    {
        const std::size_t at = text.find_first_of("0123456789", from);
        if (at == std::string::npos)
            return;
        static const char* const numbers[] = {"0",
                                              "-1",
                                              "1",
                                              "2147483647",
                                              "2147483648",
                                              "9223372036854775807",
                                              "99999999999999999999999",
                                              "0.5",
                                              "1e400",
                                              "1000000",
                                              longDecimal};
        std::size_t end = at;
        while (end < text.size() && text[end] >= '0' && text[end] <= '9')
            ++end;
        text.replace(at, end - at, numbers[below(sizeof numbers / sizeof *numbers)]);
    }

    std::mt19937_64 m_random;
};

/// Seconds after which an input hangs.
constexpr unsigned longest = 20;

const std::string* current = nullptr;

/// Leaves the input that is being read behind in a file; from a signal, so only with system calls.
void keepCurrent()
{
    const int file =
        current == nullptr ? -1 : ::open("fuzz_readers.last", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (file < 0)
        return;
    if (::write(file, current->data(), current->size()) >= 0)
        ::close(file);
}

extern "C" void onSignal(int)
{
    keepCurrent();
    _exit(1);
}

[[noreturn]] void misused()
{
    std::fputs("usage: fuzz_readers INPUTS [SEED] | --seeds FOLDER | --replay FOLDER | "
               "--unpack FILE FOLDER | --pack FOLDER FILE\n",
               stderr);
    std::exit(2);
}

void writeSeeds(const std::filesystem::path& folder)
{
    for (const Reader& reader : pw::fuzz::allReaders()) {
        const std::filesystem::path own = folder / reader.name;
        std::filesystem::create_directories(own);
        int number = 0;
        for (std::string seed : reader.seeds()) {
            const std::string name = "seed-" + std::to_string(number++);
            std::ofstream(own / name, std::ios::binary) << seed;
            // libFuzzer's dictionary takes no word this long.
            const std::size_t digit = seed.find_first_of("0123456789");
            if (digit == std::string::npos || seed.find('\0') != std::string::npos)
                continue;
            seed.replace(digit, 1, longDecimal);
            std::ofstream(own / (name + "-decimal"), std::ios::binary) << seed;
        }
    }
}

/// Reads every stored input of every reader. A file that no reader has the name of ends it, and so
/// does a reader without an input: what was renamed would be tried no longer.
void replay(const std::filesystem::path& folder)
{
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        (void)pw::fuzz::readerOf(entry.path().stem().string());
    long total = 0;
    for (const Reader& reader : pw::fuzz::allReaders()) {
        const std::string name(reader.name);
        const std::vector<std::string> inputs = pw::fuzz::readCorpus(folder / (name + ".txt"));
        if (inputs.empty())
            pw::fuzz::broken("no input is stored for the reader " + name);
        for (const std::string& input : inputs) {
            current = &input;
            alarm(longest);
            reader.read(input);
            alarm(0);
            current = nullptr;
        }
        std::printf("%-16s %zu stored inputs\n", name.c_str(), inputs.size());
        std::fflush(stdout);
        total += static_cast<long>(inputs.size());
    }
    std::printf("%ld stored inputs, no crash, no hang\n", total);
}

void catchDeath()
{
    if (__sanitizer_set_death_callback != nullptr)
        __sanitizer_set_death_callback(keepCurrent);
    for (const int signal : {SIGALRM, SIGABRT, SIGSEGV})
        std::signal(signal, onSignal);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 3 && std::string_view(argv[1]) == "--seeds") {
        writeSeeds(argv[2]);
        return 0;
    }
    if (argc == 4 && std::string_view(argv[1]) == "--unpack") {
        pw::fuzz::unpackCorpus(argv[2], argv[3]);
        return 0;
    }
    if (argc == 4 && std::string_view(argv[1]) == "--pack") {
        pw::fuzz::packCorpus(argv[2], argv[3]);
        return 0;
    }
    catchDeath();
    if (argc == 3 && std::string_view(argv[1]) == "--replay") {
        replay(argv[2]);
        return 0;
    }
    const long inputs = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 20'000;
    const unsigned long long seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    if (inputs < 1)
        misused();
    std::printf("seed %llu\n", seed);
    const std::vector<Reader> readers = pw::fuzz::allReaders();
    const auto count = static_cast<long>(readers.size());
    const long each = (inputs + count - 1) / count;
    long total = 0;
    for (const Reader& reader : readers) {
        Mutator mutator(seed);
        const std::vector<std::string> seeds = reader.seeds();
        for (long i = 0; i < each; ++i) {
            const std::string input = mutator.mutated(seeds);
            current = &input;
            if (i % 64 == 0)
                alarm(longest);
            reader.read(input);
            ++total;
        }
        alarm(0);
        current = nullptr;
        std::printf("%-16s %ld inputs\n", std::string(reader.name).c_str(), each);
        std::fflush(stdout);
    }
    std::printf("%ld inputs, no crash, no hang\n", total);
    return 0;
}
