// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_port.h"

#include "core/base/try.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <iostream>
#include <mpi.h>
#include <unordered_map>
#include <vector>

namespace pw::exec {

namespace {

enum class AtExit
{
    Nothing,
    Leave,
    Abort
};

/// What the process does when it ends; MPI is started once in it.
AtExit& farewell()
{
    static AtExit what = AtExit::Nothing;
    return what;
}

/// Both can wait for a launcher that is ending the processes, or end this one on the spot, so they
/// come last: what there is to say has been said by then.
void sayFarewell()
{
    std::cout.flush();
    std::fflush(nullptr);
    if (farewell() == AtExit::Leave)
        MPI_Finalize();
    else if (farewell() == AtExit::Abort)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

/// Blocks of a message; one block's length is an int in MPI.
constexpr std::size_t longestBlock = std::size_t{1} << 30;

/// Up to so many processes, all pairs connect at the start; of more, each with rank 0.
constexpr int connectedSize = 128;

std::string reasonOf(int code)
{
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS)
        return "error " + std::to_string(code);
    return std::string(text.data(), static_cast<std::size_t>(length));
}

Result<void> good(int code, const char* call)
{
    if (code == MPI_SUCCESS)
        return {};
    return fail(ErrorCode::Fault, "MPI: %1: %2", call, reasonOf(code));
}

/// A type that describes head and body where they lie, so that neither is copied.
class TwoParts
{
public:
    TwoParts(const std::byte* head, std::size_t headSize, const std::byte* body,
             std::size_t bodySize)
    {
        add(head, headSize);
        add(body, bodySize);
        if (MPI_Type_create_hindexed(static_cast<int>(m_lengths.size()), m_lengths.data(),
                                     m_places.data(), MPI_BYTE, &m_type) == MPI_SUCCESS)
            MPI_Type_commit(&m_type);
    }
    ~TwoParts()
    {
        // Transfers under way keep what they need of it.
        if (m_type != MPI_DATATYPE_NULL)
            MPI_Type_free(&m_type);
    }
    TwoParts(const TwoParts&) = delete;
    TwoParts& operator=(const TwoParts&) = delete;

    MPI_Datatype type() const { return m_type; }

private:
    void add(const std::byte* from, std::size_t size)
    {
        for (std::size_t at = 0; at < size; at += longestBlock) {
            MPI_Aint place = 0;
            MPI_Get_address(from + at, &place);
            m_places.push_back(place);
            m_lengths.push_back(static_cast<int>(std::min(longestBlock, size - at)));
        }
    }

    std::vector<MPI_Aint> m_places;
    std::vector<int> m_lengths;
    MPI_Datatype m_type = MPI_DATATYPE_NULL;
};

class Port final : public MpiPort
{
public:
    ~Port() override = default;

    /// What is wrong, or empty.
    std::string start()
    {
        // The library loads parts of its own that look for its symbols among the program's; the
        // module is private to the program, so they are made public here.
        Dl_info library{};
        if (dladdr(reinterpret_cast<const void*>(&MPI_Comm_rank), &library) != 0 &&
            library.dli_fname != nullptr)
            dlopen(library.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);

        std::atexit(sayFarewell);
        int level = MPI_THREAD_SINGLE;
        if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS)
            return "MPI does not start";
        if (level < MPI_THREAD_SERIALIZED)
            return "this MPI cannot be used by several threads in turn (it offers level " +
                   std::to_string(level) + ", MPI_THREAD_SERIALIZED is needed)";
        MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
        MPI_Comm_size(MPI_COMM_WORLD, &m_size);
        connect();
        for (MPI_Comm& channel : m_channels) {
            if (MPI_Comm_dup(MPI_COMM_WORLD, &channel) != MPI_SUCCESS)
                return "MPI has no further communicator";
            MPI_Comm_set_errhandler(channel, MPI_ERRORS_RETURN);
        }
        if (MPI_Comm_dup(MPI_COMM_WORLD, &m_together) != MPI_SUCCESS)
            return "MPI has no further communicator";
        MPI_Comm_set_errhandler(m_together, MPI_ERRORS_RETURN);
        int* limit = nullptr;
        int found = 0;
        MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&limit), &found);
        m_maxTag = found != 0 && limit != nullptr ? *limit : 32767;
        return {};
    }

    int rank() const override { return m_rank; }
    int size() const override { return m_size; }
    int maxTag() const override { return m_maxTag; }

    std::string host() const override
    {
        std::array<char, MPI_MAX_PROCESSOR_NAME> text{};
        int length = 0;
        MPI_Get_processor_name(text.data(), &length);
        return std::string(text.data(), static_cast<std::size_t>(length));
    }

    std::string library() const override
    {
        std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
        int length = 0;
        MPI_Get_library_version(text.data(), &length);
        const std::string whole(text.data(), static_cast<std::size_t>(length));
#ifdef OMPI_MAJOR_VERSION
        // "Open MPI v4.1.4, package: …"
        if (const std::size_t v = whole.find(" v"); whole.rfind("Open MPI v", 0) == 0)
            return whole.substr(0, v + 1) + whole.substr(v + 2, whole.find(',') - v - 2);
#endif
#ifdef MPICH_VERSION
        // "MPICH Version:      4.0.2\nMPICH Release date: …"
        constexpr std::string_view begin = "MPICH Version:";
        if (whole.rfind(begin, 0) == 0) {
            const std::size_t first = whole.find_first_not_of(" \t", begin.size());
            if (first != std::string::npos)
                return "MPICH " + whole.substr(first, whole.find_first_of(" \t\n", first) - first);
        }
#endif
        return whole.substr(0, whole.find_first_of(",\n"));
    }

    Result<Transfer> send(MpiChannel channel, int to, int tag, std::span<const std::byte> head,
                          std::span<const std::byte> body) override
    {
        const TwoParts parts(head.data(), head.size(), body.data(), body.size());
        MPI_Request request = MPI_REQUEST_NULL;
        PW_DO(good(MPI_Isend(MPI_BOTTOM, 1, parts.type(), to, tag, comm(channel), &request),
                   "sending"));
        return keep(request);
    }

    Result<std::optional<Incoming>> next(MpiChannel channel) override
    {
        int found = 0;
        MPI_Status status{};
        MPI_Message& message = m_found[static_cast<std::size_t>(channel)];
        PW_DO(
            good(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm(channel), &found, &message, &status),
                 "looking for messages"));
        if (found == 0)
            return std::nullopt;
        MPI_Count bytes = 0;
        MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
        return Incoming{status.MPI_SOURCE, status.MPI_TAG, static_cast<std::int64_t>(bytes)};
    }

    Result<Transfer> receive(MpiChannel channel, std::span<std::byte> head,
                             std::span<std::byte> body) override
    {
        const TwoParts parts(head.data(), head.size(), body.data(), body.size());
        MPI_Request request = MPI_REQUEST_NULL;
        PW_DO(good(MPI_Imrecv(MPI_BOTTOM, 1, parts.type(),
                              &m_found[static_cast<std::size_t>(channel)], &request),
                   "receiving"));
        return keep(request);
    }

    Result<Transfer> barrier() override
    {
        MPI_Request request = MPI_REQUEST_NULL;
        const Result<void> begun = good(MPI_Ibarrier(m_together, &request), "a barrier");
        return begun ? Result<Transfer>(keep(request)) : fail(begun.error());
    }

    Result<Transfer> broadcast(std::span<std::byte> bytes) override
    {
        if (bytes.size() > longestBlock)
            return tooLong(bytes.size());
        MPI_Request request = MPI_REQUEST_NULL;
        const Result<void> begun = good(MPI_Ibcast(bytes.data(), static_cast<int>(bytes.size()),
                                                   MPI_BYTE, 0, m_together, &request),
                                        "a broadcast");
        return begun ? Result<Transfer>(keep(request)) : fail(begun.error());
    }

    Result<Transfer> gather(std::span<const std::byte> own, std::span<std::byte> all) override
    {
        if (own.size() > longestBlock)
            return tooLong(own.size());
        MPI_Request request = MPI_REQUEST_NULL;
        const int count = static_cast<int>(own.size());
        const Result<void> begun = good(MPI_Igather(own.data(), count, MPI_BYTE, all.data(), count,
                                                    MPI_BYTE, 0, m_together, &request),
                                        "gathering");
        return begun ? Result<Transfer>(keep(request)) : fail(begun.error());
    }

    Result<bool> done(Transfer transfer) override
    {
        const auto found = m_requests.find(transfer);
        if (found == m_requests.end())
            return true;
        int finished = 0;
        PW_DO(good(MPI_Test(&found->second, &finished, MPI_STATUS_IGNORE), "a transfer"));
        if (finished != 0)
            m_requests.erase(found);
        return finished != 0;
    }

    void leave() noexcept override
    {
        for (MPI_Comm& channel : m_channels)
            MPI_Comm_free(&channel);
        MPI_Comm_free(&m_together);
        farewell() = AtExit::Leave;
    }

    void abort() noexcept override
    {
        farewell() = AtExit::Abort;
    }

private:
    /// Opens the connections between the processes, each from its higher rank.
    ///
    /// A library opens them with the first message. Where two processes send each other their first
    /// ones at the same time and the machine is busy, Open MPI 4 can take the connection that loses
    /// for a failed peer, and the job hangs. Pairs come in one order, so nobody waits in a ring.
    void connect() const
    {
        const int reach = m_size <= connectedSize ? m_size : 1;
        for (int lower = 0; lower < std::min(m_rank, reach); ++lower) {
            greet(lower);
            await(lower);
        }
        for (int higher = m_rank + 1; higher < m_size && m_rank < reach; ++higher) {
            await(higher);
            greet(higher);
        }
    }

    static void greet(int rank)
    {
        MPI_Send(nullptr, 0, MPI_BYTE, rank, 0, MPI_COMM_WORLD);
    }
    static void await(int rank)
    {
        MPI_Recv(nullptr, 0, MPI_BYTE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    MPI_Comm comm(MpiChannel channel) const
    {
        return m_channels[static_cast<std::size_t>(channel)];
    }

    static tl::unexpected<Error> tooLong(std::size_t bytes)
    {
        return fail(ErrorCode::BadValue, "MPI: %1 bytes for all processes; at most %2 go at once",
                    bytes, longestBlock);
    }

    Transfer keep(MPI_Request request)
    {
        m_requests.emplace(++m_last, request);
        return m_last;
    }

    int m_rank = 0;
    int m_size = 1;
    int m_maxTag = 0;
    Transfer m_last = 0;
    std::array<MPI_Comm, mpiChannelCount> m_channels = {MPI_COMM_NULL, MPI_COMM_NULL,
                                                        MPI_COMM_NULL};
    MPI_Comm m_together = MPI_COMM_NULL; ///< of calls that all make
    std::array<MPI_Message, mpiChannelCount> m_found = {MPI_MESSAGE_NULL, MPI_MESSAGE_NULL,
                                                        MPI_MESSAGE_NULL};
    std::unordered_map<Transfer, MPI_Request> m_requests;
};

} // namespace

} // namespace pw::exec

extern "C" __attribute__((visibility("default"))) pw::exec::MpiPort*
pw_mpi_port(int version, std::string* problem)
{
    if (version != pw::exec::mpiPortVersion) {
        *problem = "the module " PW_MPI_MODULE_NAME " is of another build of Pipewright";
        return nullptr;
    }
    auto port = std::make_unique<pw::exec::Port>();
    *problem = port->start();
    return problem->empty() ? port.release() : nullptr;
}
