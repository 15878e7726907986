// A table on the CPU whose library has one operation a key: bulk operations spread them over all cores.
//
// `Map` wraps the library: insert, assign, erase (whether they did), find (the value or EMPTY), clear, slots, bytes.
#pragma once

#include <atomic>

#include "../hashbench.hpp"
#include "../workers.hpp"

namespace hashbench {

template <class Map>
class Concurrent : public Table {
 public:
  explicit Concurrent(const Making& making) : map(making), workers(threads()) {}

  std::size_t slots() const override { return map.slots(); }
  std::size_t bytes() const override { return map.bytes(); }
  void clear() override { map.clear(); }

  Done insert(ConstWords keys, ConstWords values, std::size_t n) override {
    return count(n, [&](std::size_t i) { return map.insert(keys[i], values[i]) ? 0 : 1; });
  }
  Done upsert(ConstWords keys, ConstWords values, std::size_t n) override {
    return count(n, [&](std::size_t i) { return map.assign(keys[i], values[i]), 0; });
  }
  Done find(ConstWords keys, Words answers, std::size_t n) override {
    return count(n, [&](std::size_t i) { return answers[i] = map.find(keys[i]), 0; });
  }
  Done erase(ConstWords keys, std::size_t n) override {
    return count(n, [&](std::size_t i) { return map.erase(keys[i]) ? 1 : 0; });
  }
  Done mixed(ConstWords kinds, ConstWords keys, ConstWords values, Words answers, std::size_t n) override {
    return count(n, [&](std::size_t i) {
      if (kinds[i] == 0) map.assign(keys[i], values[i]);
      answers[i] = kinds[i] == 0 ? 1 : kinds[i] == 1 ? map.find(keys[i]) : map.erase(keys[i]);
      return 0;
    });
  }

 private:
  /// Does `one` for 0 … n - 1; `count` is the sum of what it returns.
  template <class One>
  Done count(std::size_t n, const One& one) {
    std::atomic<std::size_t> sum{0};
    const double ns = timed([&] {
      workers.each(n, [&](std::size_t begin, std::size_t end) {
        std::size_t own = 0;
        for (std::size_t i = begin; i < end; i++) own += one(i);
        if (own > 0) sum += own;
      });
    });
    return {ns, sum};
  }

  Map map;
  Workers workers;
};

/// The program of such a table. @param library its name and version
template <class Map>
int serveOnCpu(const std::string& library) {
  Program program;
  program.device = processor();
  program.library = library;
  program.create = [](const Making& making) { return std::make_unique<Concurrent<Map>>(making); };
  return serve(program);
}

}  // namespace hashbench
