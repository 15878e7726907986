// Threads for tables on the CPU: they wait between operations, so that an operation's time has no start of threads in it.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hashbench {

class Workers {
 public:
  /// So many threads, of which the caller of `each` is one.
  explicit Workers(unsigned count) {
    for (unsigned i = 1; i < count; i++) threads.emplace_back([this] { serve(); });
  }

  ~Workers() {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      ending = true;
    }
    begun.notify_all();
    for (auto& thread : threads) thread.join();
  }

  /// Calls work(begin, end) for chunks of 0 … n - 1, on all threads, and returns when all is done; what one throws, it throws.
  void each(std::size_t n, const std::function<void(std::size_t, std::size_t)>& work) {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      job = &work;
      items = n;
      next = 0;
      busy = threads.size();
      failure = nullptr;
      jobs++;
    }
    begun.notify_all();
    take();
    std::unique_lock<std::mutex> lock(mutex);
    ended.wait(lock, [this] { return busy == 0; });
    if (failure) std::rethrow_exception(failure);
  }

 private:
  static constexpr std::size_t CHUNK = 1024;

  void serve() {
    for (std::size_t done = 0;;) {
      {
        std::unique_lock<std::mutex> lock(mutex);
        begun.wait(lock, [&] { return ending || jobs > done; });
        if (ending) return;
        done = jobs;
      }
      take();
      const std::lock_guard<std::mutex> lock(mutex);
      if (--busy == 0) ended.notify_one();
    }
  }

  void take() {
    try {
      for (std::size_t begin = next.fetch_add(CHUNK); begin < items; begin = next.fetch_add(CHUNK))
        (*job)(begin, std::min(begin + CHUNK, items));
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      failure = std::current_exception();
    }
  }

  std::vector<std::thread> threads;
  std::mutex mutex;
  std::condition_variable begun, ended;
  const std::function<void(std::size_t, std::size_t)>* job = nullptr;
  std::size_t items = 0;
  std::atomic<std::size_t> next{0};
  std::size_t busy = 0;
  std::size_t jobs = 0;
  bool ending = false;
  std::exception_ptr failure;
};

}  // namespace hashbench
