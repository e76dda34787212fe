// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/files_beside.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

namespace pw {

namespace {

/// A file that another thread reads.
struct FileBeside
{
    std::unique_ptr<FileReading> reading; ///< null: not read, and left to whoever takes over
    std::atomic<std::int64_t> bytes{0};   ///< read so far
    bool ready = false;
};

/// Hands files to threads in their order, and what they read to the one that takes over.
class FilesBeside
{
public:
    FilesBeside(const ImportOptions& options, const std::vector<ImportFile>& files,
                std::size_t threads)
        : m_options(options)
        , m_files(files)
        , m_beside(files.size())
        , m_ahead(2 * threads)
    {
        m_threads.reserve(threads);
        try {
            for (std::size_t i = 0; i < threads; ++i)
                m_threads.emplace_back([this] { read(); });
        } catch (const std::system_error&) {
            // Where there is no room for another thread the others read, or the one that calls.
        }
    }
    FilesBeside(const FilesBeside&) = delete;
    FilesBeside& operator=(const FilesBeside&) = delete;
    ~FilesBeside()
    {
        stop();
        for (std::thread& thread : m_threads)
            thread.join();
    }

    Result<void> takeAll(FileReading& into)
    {
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            std::unique_ptr<FileReading> part;
            if (!m_threads.empty()) {
                PW_TRY(part, wait(into, i));
            }
            bool taken = false;
            if (part) {
                PW_TRY(taken, into.takeOver(*part));
            }
            if (!taken)
                PW_DO(into.take(m_files[i]));
            const std::lock_guard lock(m_mutex);
            m_spans = static_cast<std::int64_t>(into.trace().spans.size());
            m_tracks = static_cast<std::int64_t>(into.trace().tracks.size());
            ++m_taken;
            m_changed.notify_all();
        }
        return {};
    }

private:
    void stop()
    {
        m_stopped = true;
        const std::lock_guard lock(m_mutex);
        m_changed.notify_all();
    }

    /// Waits for a file, and says now and then how far reading is.
    /// @error Cancelled  it is to stop
    Result<std::unique_ptr<FileReading>> wait(const FileReading& into, std::size_t file)
    {
        constexpr std::chrono::milliseconds often(50);
        for (;;) {
            ImportProgress progress = into.progress();
            progress.bytesRead = into.bytesTaken();
            for (std::size_t i = file; i < std::min(file + m_ahead, m_files.size()); ++i)
                progress.bytesRead += m_beside[i].bytes;
            if (m_options.progress && !m_options.progress(progress))
                return fail(ErrorCode::Cancelled, "%1: reading was stopped", m_files[file].name());
            std::unique_lock lock(m_mutex);
            if (m_changed.wait_for(lock, often, [&] { return m_beside[file].ready; }))
                return std::move(m_beside[file].reading);
        }
    }

    void read()
    {
        for (;;) {
            std::size_t file = 0;
            ImportOptions options = m_options;
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait(lock, [this] {
                    return m_stopped || m_next == m_files.size() || m_next < m_taken + m_ahead;
                });
                if (m_stopped || m_next == m_files.size())
                    return;
                file = m_next++;
                options.budget.spans -= m_spans;
                options.budget.tracks -= m_tracks;
            }
            options.progress = [this, file](const ImportProgress& progress) {
                m_beside[file].bytes = progress.bytesRead;
                return !m_stopped;
            };
            std::unique_ptr<FileReading> part = readOne(m_files[file], options);
            const std::lock_guard lock(m_mutex);
            m_beside[file].reading = std::move(part);
            m_beside[file].ready = true;
            m_changed.notify_all();
        }
    }

    /// Null where it cannot be read: whoever takes over says why, in its turn.
    static std::unique_ptr<FileReading> readOne(const ImportFile& file,
                                                const ImportOptions& options)
    {
        // A pipe can be read once.
        if (!file.member && fileKind(file.path) != FileKind::Regular)
            return nullptr;
        try {
            ImportFiles one;
            one.files.push_back(file);
            auto reading = std::make_unique<FileReading>(options, one);
            return reading->take(file) ? std::move(reading) : nullptr;
        } catch (const std::exception&) {
            return nullptr;
        }
    }

    const ImportOptions& m_options;
    const std::vector<ImportFile>& m_files;
    std::vector<FileBeside> m_beside;
    std::size_t m_ahead; // so many files beyond those taken over are begun
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_next = 0;                 // file to be read
    std::size_t m_taken = 0;                // files taken over
    std::int64_t m_spans = 0, m_tracks = 0; // of them
    std::atomic<bool> m_stopped{false};
    std::vector<std::thread> m_threads; // last: they use the others
};

} // namespace

std::size_t readingThreads(const ImportOptions& options, std::size_t files)
{
    constexpr std::size_t most = 16;
    const std::size_t wanted = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                                   : std::thread::hardware_concurrency();
    const std::size_t threads = std::min({wanted, files, most});
    return threads > 1 ? threads : 0;
}

Result<void> takeBesideEachOther(FileReading& reading, const ImportOptions& options,
                                 const std::vector<ImportFile>& files, std::size_t threads)
{
    return FilesBeside(options, files, threads).takeAll(reading);
}

} // namespace pw
