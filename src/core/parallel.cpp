#include "parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace firsthit {

void run_parallel(std::size_t jobs, std::size_t threads, const std::function<void(std::size_t, std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    std::exception_ptr error;
    std::mutex error_lock;
    auto take_jobs = [&](std::size_t worker) noexcept {
        try {
            for (std::size_t job = next++; job < jobs; job = next++) work(job, worker);
        } catch (...) {
            std::scoped_lock lock(error_lock);
            error = std::current_exception();
            next = jobs;
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t worker = 1; worker < std::min(jobs, threads); ++worker) helpers.emplace_back(take_jobs, worker);
        take_jobs(0);
    }
    if (error) std::rethrow_exception(error);
}

}  // namespace firsthit
