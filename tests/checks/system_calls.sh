#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Finds what is asked of the operating system outside core/system: headers of POSIX, Linux or Windows, their calls, and the
# files in which Linux tells of itself. All of it stands in that folder, once for Linux and its relatives (NAME_posix.cpp) and
# once for Windows (NAME_windows.cpp), so that the rest compiles wherever C++20 does. What is allowed elsewhere stands below
# with its reason. Of each pair both files are there, and each includes their header.
#
#   tests/checks/system_calls.sh [SOURCE_FOLDER]

set -u -o pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 1
bad=0

allowed=(
  # Starts what was unpacked on some Linux, and is linked to nothing: it is built for no other system.
  app/launcher.cpp
  # Modules that load NVIDIA's and MPI's libraries: they are built for Linux alone.
  executor/cuda/ executor/mpi/module/
)

headers='arpa/|direct\.h|dirent\.h|dlfcn\.h|err\.h|execinfo\.h|fcntl\.h|fnmatch\.h|fts\.h|ftw\.h|getopt\.h|glob\.h|grp\.h'
headers+='|ifaddrs\.h|io\.h|langinfo\.h|link\.h|linux/|mach|malloc\.h|net/|netdb\.h|netinet/|poll\.h|process\.h|pthread\.h'
headers+='|pwd\.h|regex\.h|sched\.h|semaphore\.h|shellapi\.h|signal\.h|spawn\.h|strings\.h|sys/|syslog\.h|termios\.h'
headers+='|ucontext\.h|unistd\.h|utime\.h|winsock2?\.h|windows\.h|wordexp\.h'

# Those that no class of ours has a function of; the others are found by the :: before them.
calls='aligned_alloc|dlopen|dlsym|execv[pe]*|geteuid|getpid|getppid|getpwuid(_r)?|getrlimit|getrusage|gethostname|getuid|gmtime_[rs]'
calls+='|isatty|localtime_[rs]|memfd_create|mkdtemp|mkfifo|mkostemp|mkstemp|mmap|munmap|nanosleep|clock_gettime|clock_nanosleep'
calls+='|pipe2|popen|posix_[a-z_]+|prctl|pthread_[a-z_]+|sched_[a-z]+|setenv|setrlimit|sigaction|sysconf|uname|unsetenv|usleep'
calls+='|waitpid|_exit|fileno|getloadavg|memmem|on_exit|timegm|strerror_r|putenv|sigemptyset|sigprocmask|realpath'
rooted='access|chmod|chown|close|dup2?|fchmod|fchown|flock|fork|fstat|fstatat|fsync|ftruncate|ioctl|kill|link|linkat|lseek|lstat|mkdir'
rooted+='|open|openat|opendir|pipe|poll|pread|pwrite|raise|read|readdir|readlink|rename|rmdir|signal|socket|stat|symlink|truncate'
rooted+='|umask|unlink|unlinkat|write|backtrace'

# WHAT PATTERN: places that are not allowed. Comments are words, and so is what a sentence says of a call.
find_places() {
  local hits
  hits=$(grep -rnE --include='*.cpp' --include='*.h' "$2" app core executor python ui |
    grep -vE '^[^:]*:[0-9]+: *(//|\*)' | grep -v '^core/system/')
  local place
  for place in "${allowed[@]}"; do
    hits=$(grep -v "^$place" <<<"$hits")
  done
  [[ -n $hits ]] || return
  echo "$1 outside core/system:"
  echo "$hits"
  bad=1
}

find_places "a header of the system" "^ *# *include <($headers)"
find_places "a call of the system" "(^|[^A-Za-z0-9_.>:\"])(::)?($calls)\("
find_places "a call of the system" "(^|[^A-Za-z0-9_>])::($rooted)\("
find_places "a type of the system" '(^|[^:])\b(ssize_t|pid_t|mode_t|uid_t|gid_t|off_t|pollfd|rlimit|winsize|struct (::)?(stat|sigaction|dirent))\b'
find_places "a place that only Linux has" '"/(proc|sys|dev/fd)/'
# One place asks which system it is.
find_places "a question which system this is" '^ *# *(if|ifdef|ifndef|elif).*\b(__linux__|__unix__|__APPLE__|_WIN32|_WIN64|__MINGW[0-9]*__)\b'

for place in "${allowed[@]}"; do
  if [[ ! -e $place ]]; then
    echo "$place is allowed, and is not there"
    bad=1
  fi
done

pairs=0
for file in core/system/*_posix.cpp core/system/*_windows.cpp; do
  name=$(basename "$file" .cpp)
  name=${name%_*}
  [[ -e core/system/$name.h ]] || continue # what only one side needs for itself
  pairs=$((pairs + 1))
  for one in "core/system/${name}_posix.cpp" "core/system/${name}_windows.cpp"; do
    if ! grep -qsF "#include \"core/system/$name.h\"" "$one"; then
      echo "$one is not there, or does not include core/system/$name.h"
      bad=1
    fi
  done
done

[[ $bad -ne 0 ]] || echo "what is asked of the system stands in core/system, $((pairs / 2)) headers with two files each"
exit $bad
