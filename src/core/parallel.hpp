// A loop over independent jobs on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace firsthit {

// Calls work(job, worker) once for each job below `jobs`, in any order, on `threads` threads, the calling one among
// them; `worker` is below `threads` and names the thread. Returns when all are done; throws what a job threw.
void run_parallel(std::size_t jobs, std::size_t threads, const std::function<void(std::size_t job, std::size_t worker)>& work);

}  // namespace firsthit
