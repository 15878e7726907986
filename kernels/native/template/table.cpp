// TITLE: linear probing with one thread. Make it yours: the table is in class Table, what it says of itself in main.
#include <hashbench.hpp>

#include <algorithm>
#include <vector>

namespace {

using hashbench::ConstWords;
using hashbench::Done;
using hashbench::EMPTY;
using hashbench::Words;

class Table : public hashbench::Table {
 public:
  // One slot more than pairs, so that a search for an absent key ends.
  explicit Table(const hashbench::Making& making)
      : mixes(making.params.flag("mixes")), pairs(std::max(making.slots(), making.n + 1)) {}

  std::size_t slots() const override { return pairs.size(); }
  std::size_t bytes() const override { return pairs.size() * sizeof(Pair); }
  void clear() override { std::fill(pairs.begin(), pairs.end(), Pair()); }

  Done insert(ConstWords keys, ConstWords values, std::size_t n) override {
    Done done;
    done.ns = hashbench::timed([&] {
      for (std::size_t i = 0; i < n; i++) {
        Pair* pair = locate(keys[i], EMPTY);
        if (pair)
          *pair = {keys[i], values[i]};
        else
          done.count++;
      }
    });
    return done;
  }

  Done find(ConstWords keys, Words answers, std::size_t n) override {
    return {hashbench::timed([&] {
      for (std::size_t i = 0; i < n; i++) {
        const Pair* pair = locate(keys[i], keys[i]);
        answers[i] = pair ? pair->value : EMPTY;
      }
    })};
  }

 private:
  struct Pair {
    std::uint32_t key = EMPTY;
    std::uint32_t value = EMPTY;
  };

  /// The pair of the key, if its key is `wanted` now; null if another one, or all slots were seen. A key goes to the first free slot.
  Pair* locate(std::uint32_t key, std::uint32_t wanted) {
    std::size_t slot = (mixes ? key * 0x9E3779B97F4A7C15u >> 32 : key) % pairs.size();
    for (std::size_t probe = 0; probe < pairs.size(); probe++) {
      Pair& pair = pairs[slot];
      if (pair.key == wanted || pair.key == EMPTY) return pair.key == wanted ? &pair : nullptr;
      slot = (slot + 1) % pairs.size();
    }
    return nullptr;
  }

  const bool mixes;
  std::vector<Pair> pairs;
};

}  // namespace

int main() {
  hashbench::Program program;
  program.device = hashbench::processor();
  program.library = "NAME 1.0";
  program.create = [](const hashbench::Making& making) { return std::make_unique<Table>(making); };
  return hashbench::serve(program);
}
