// The protocol of native tables, version 1 (README.md), for tables in C++17: one header, no dependencies.
//
// A program derives from hashbench::Table, says what it is by hashbench::Program, and calls hashbench::serve. Operations return
// what they took by a clock of their own; `timed` is a steady clock for tables on the CPU.
//
//   stdin   one request a line: {"do":"find","keys":1,"answers":2,"first":0,"n":1000}
//   stdout  one reply a line:   {"ns":52100,"answers":1000}
//   arrays  u32 words in files that the harness makes and both processes map
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace hashbench {

constexpr int PROTOCOL = 1;
/// Answer for an absent key. It and DELETED are no keys; a value is any word but EMPTY.
constexpr std::uint32_t EMPTY = 0xFFFFFFFF;
constexpr std::uint32_t DELETED = 0xFFFFFFFE;

/// To throw where the machine or the table cannot do what is asked: the cell is skipped, not failed.
struct Unfit : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Values of the manifest's parameters. A name that the harness did not send is an error of the manifest.
class Params {
 public:
  double number(const std::string& name) const {
    const std::string& text = at(name);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') throw std::invalid_argument(name + " is " + text + ", not a number");
    return value;
  }
  bool flag(const std::string& name) const { return at(name) == "true"; }
  const std::string& text(const std::string& name) const { return at(name); }
  bool has(const std::string& name) const { return values.count(name) > 0; }

  std::map<std::string, std::string> values;

 private:
  const std::string& at(const std::string& name) const {
    const auto found = values.find(name);
    if (found == values.end()) throw std::invalid_argument("no parameter " + name);
    return found->second;
  }
};

/// What a table is made for.
struct Making {
  /// Different keys that it holds at most.
  std::size_t n = 0;
  /// Insertions until it is cleared, for tables that do not reuse slots.
  std::size_t insertions = 0;
  /// Pairs / slots.
  double loadFactor = 0;
  std::uint32_t seed = 0;
  Params params;

  std::size_t slots() const { return static_cast<std::size_t>(std::ceil(static_cast<double>(n) / loadFactor)); }
};

/// What an operation took, and how many pairs were refused or keys erased.
struct Done {
  double ns = 0;
  std::size_t count = 0;
};

using Words = std::uint32_t*;
using ConstWords = const std::uint32_t*;

/// One table. Operations are bulk and synchronous: when one returns, its answers are there. They need not be thread-safe.
class Table {
 public:
  virtual ~Table() = default;
  virtual std::size_t slots() const = 0;
  /// Of the table as it is now.
  virtual std::size_t bytes() const = 0;
  virtual void clear() = 0;
  /// None of the keys is in the table, and none occurs twice. `count`: pairs that the table refused.
  virtual Done insert(ConstWords keys, ConstWords values, std::size_t n) = 0;
  /// Inserts, or replaces the value. A key that occurs twice has the same value twice.
  virtual Done upsert(ConstWords, ConstWords, std::size_t) { throw Unfit("no upsert"); }
  /// Writes n answers: the value, or EMPTY.
  virtual Done find(ConstWords keys, Words answers, std::size_t n) = 0;
  /// `count`: keys that were there; one that occurs twice counts once.
  virtual Done erase(ConstWords, std::size_t) { throw Unfit("no erase"); }
  /// Concurrent operations: kind 0 inserts, 1 finds, 2 erases. Writes n answers: of a find as above, else 1 if it succeeded, or 0.
  virtual Done mixed(ConstWords, ConstWords, ConstWords, Words, std::size_t) { throw Unfit("no mixed batches"); }
  /// Adds up the values of n rows by key, modulo 2^32: each key once, its sum beside it, in any order. There is room for as many as the table was made for. `count`: keys.
  virtual Done group(ConstWords, ConstWords, std::size_t, Words, Words) { throw Unfit("no group-by"); }
};

/// A program of `group` alone.
class GroupBy : public Table {
 public:
  std::size_t slots() const override { return 0; }
  std::size_t bytes() const override { return 0; }
  void clear() override {}
  Done insert(ConstWords, ConstWords, std::size_t) override { throw Unfit("no insert"); }
  Done find(ConstWords, Words, std::size_t) override { throw Unfit("no find"); }
  Done group(ConstWords keys, ConstWords values, std::size_t n, Words groups, Words sums) override = 0;
};

/// Where operations find the arrays. By default in the shared memory itself; a table on a device has copies there.
class Memory {
 public:
  virtual ~Memory() = default;
  /// A copy for so many words; its content comes by `send`.
  virtual Words make(Words shared, std::size_t) { return shared; }
  virtual void send(Words, ConstWords, std::size_t) {}
  virtual void fetch(Words, ConstWords, std::size_t) {}
  virtual void fill(Words own, int byte, std::size_t words) { std::memset(own, byte, words * 4); }
  virtual void drop(Words) {}
};

/// What the program says of itself; texts of one line.
struct Program {
  std::string device;
  std::string driver;
  std::string compiler;
  /// Name and version of the library that is measured.
  std::string library;
  /// What times operations: "steady clock", "CUDA events".
  std::string clock = "steady clock";
  std::function<std::unique_ptr<Table>(const Making&)> create;
  std::shared_ptr<Memory> memory = std::make_shared<Memory>();
};

/// Nanoseconds that the work took, by the steady clock.
template <class Work>
double timed(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

/// The compiler and its version.
inline std::string compiler() {
#if defined(__CUDACC_VER_MAJOR__)
  return "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__) + "." +
         std::to_string(__CUDACC_VER_BUILD__);
#elif defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

/// Threads that the process may run at a time.
inline unsigned threads() { return std::max(1U, std::thread::hardware_concurrency()); }

/// The processor's name and the threads that the process may run on it.
inline std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  std::string name = "CPU";
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (line.rfind("model name", 0) != 0 || colon == std::string::npos) continue;
    name = line.substr(colon + 2);
    break;
  }
  return name + ", " + std::to_string(threads()) + " threads";
}

namespace detail {

/// A flat JSON object: texts, numbers and flags by name, as texts. The members of an object inside it follow its name and a dot.
class Request {
 public:
  explicit Request(const std::string& line) : text(line) {
    object("");
    space();
    if (at < text.size()) fail();
  }

  const std::string& get(const std::string& name) const {
    const auto found = members.find(name);
    if (found == members.end()) throw std::invalid_argument("the request has no " + name);
    return found->second;
  }
  std::size_t count(const std::string& name) const { return std::stoull(get(name)); }
  Params params() const {
    Params own;
    const std::string prefix = "params.";
    for (const auto& [name, value] : members)
      if (name.rfind(prefix, 0) == 0) own.values[name.substr(prefix.size())] = value;
    return own;
  }

 private:
  [[noreturn]] void fail() const { throw std::invalid_argument("not a request: " + text); }
  void space() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r')) at++;
  }
  bool taken(char wanted) {
    space();
    if (at >= text.size() || text[at] != wanted) return false;
    at++;
    return true;
  }
  void expect(char wanted) {
    if (!taken(wanted)) fail();
  }
  void object(const std::string& prefix) {
    expect('{');
    if (taken('}')) return;
    do {
      space();
      const std::string name = prefix + string();
      expect(':');
      space();
      if (at >= text.size()) fail();
      if (text[at] == '{')
        object(name + ".");
      else
        members[name] = text[at] == '"' ? string() : word();
    } while (taken(','));
    expect('}');
  }
  /// Names, parameters and paths: no characters that have to be escaped but quotes and backslashes.
  std::string string() {
    expect('"');
    std::string value;
    while (at < text.size() && text[at] != '"') {
      if (text[at] == '\\') at++;
      if (at < text.size()) value += text[at++];
    }
    expect('"');
    return value;
  }
  std::string word() {
    const auto end = std::min(text.find_first_of(",} ", at), text.size());
    const std::string value = text.substr(at, end - at);
    if (value.empty()) fail();
    at = end;
    return value;
  }

  const std::string text;
  std::size_t at = 0;
  std::map<std::string, std::string> members;
};

/// Escapes what JSON does not take in a text.
inline std::string quoted(const std::string& text) {
  std::string escaped = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return escaped + "\"";
}

/// A reply of one object.
class Reply {
 public:
  Reply& add(const std::string& name, const std::string& text) { return raw(name, quoted(text)); }
  Reply& add(const std::string& name, std::size_t number) { return raw(name, std::to_string(number)); }
  Reply& add(const std::string& name, double number) {
    std::ostringstream text;
    text.precision(17);
    text << number;
    return raw(name, text.str());
  }
  std::string line() const { return "{" + members + "}\n"; }

 private:
  Reply& raw(const std::string& name, const std::string& value) {
    members += (members.empty() ? "" : ",") + quoted(name) + ":" + value;
    return *this;
  }
  std::string members;
};

/// A file of the harness, mapped, and what operations use in its place.
class Array {
 public:
  /// @param write whether operations write to it; if not, other programs may have it too
  Array(const std::string& file, std::size_t words, bool write, std::shared_ptr<Memory> memory)
      : words(words), memory(std::move(memory)) {
    const int descriptor = open(file.c_str(), (write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (descriptor < 0) throw std::runtime_error(file + " cannot be opened");
    void* mapped = mmap(nullptr, words * 4, write ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (mapped == MAP_FAILED) throw std::runtime_error(file + " cannot be mapped");
    shared = static_cast<Words>(mapped);
    try {
      own = this->memory->make(shared, words);
    } catch (...) {
      munmap(shared, words * 4);
      throw;
    }
  }
  ~Array() {
    memory->drop(own);
    munmap(shared, words * 4);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  void send() { memory->send(own, shared, words); }
  void fetch() { memory->fetch(shared, own, words); }
  void fill(int byte) { memory->fill(own, byte, words); }
  /// Words first … first + n - 1.
  Words part(std::size_t first, std::size_t n) const {
    if (first + n > words) throw std::invalid_argument("items beyond the end of an array");
    return own + first;
  }

 private:
  const std::size_t words;
  const std::shared_ptr<Memory> memory;
  Words shared = nullptr;
  Words own = nullptr;
};

class Server {
 public:
  explicit Server(const Program& program) : program(program) {}

  Reply answer(const Request& request) {
    const std::string& what = request.get("do");
    if (what == "hello") return hello();
    if (what == "share") return share(request);
    if (what == "send") return array(request, "array").send(), Reply();
    if (what == "fetch") return array(request, "array").fetch(), Reply();
    if (what == "fill") return array(request, "array").fill(static_cast<int>(request.count("byte"))), Reply();
    if (what == "drop") return arrays.erase(request.count("array")), Reply();
    if (what == "create") return create(request);
    if (what == "close") return table.reset(), Reply();
    if (!table) throw std::logic_error(what + " without a table");
    if (what == "clear") return table->clear(), Reply();
    if (what == "bytes") return Reply().add("bytes", table->bytes());
    return operation(what, request);
  }

 private:
  Reply hello() const {
    return Reply()
        .add("protocol", static_cast<std::size_t>(PROTOCOL))
        .add("fills", std::size_t{1})
        .add("device", program.device)
        .add("driver", program.driver)
        .add("compiler", program.compiler.empty() ? compiler() : program.compiler)
        .add("library", program.library)
        .add("clock", program.clock);
  }

  Reply share(const Request& request) {
    arrays[request.count("array")] =
        std::make_unique<Array>(request.get("file"), request.count("words"), request.get("write") == "true", program.memory);
    return Reply();
  }

  Reply create(const Request& request) {
    // The one before goes first: there may not be room for both.
    table.reset();
    Making making;
    room = making.n = request.count("n");
    making.insertions = request.count("insertions");
    making.loadFactor = std::stod(request.get("loadFactor"));
    making.seed = static_cast<std::uint32_t>(request.count("seed"));
    making.params = request.params();
    table = program.create(making);
    return Reply().add("slots", table->slots()).add("bytes", table->bytes());
  }

  Reply operation(const std::string& what, const Request& request) {
    const std::size_t first = request.count("first");
    const std::size_t n = request.count("n");
    const auto part = [&](const char* name) { return array(request, name).part(first, n); };
    const auto timed = [](const Done& done) { return Reply().add("ns", done.ns); };
    if (what == "insert" || what == "upsert") {
      const Done done = what == "insert" ? table->insert(part("keys"), part("values"), n)
                                         : table->upsert(part("keys"), part("values"), n);
      return timed(done).add("refused", done.count);
    }
    if (what == "find") return timed(table->find(part("keys"), part("answers"), n)).add("answers", n);
    if (what == "erase") {
      const Done done = table->erase(part("keys"), n);
      return timed(done).add("erased", done.count);
    }
    if (what == "mixed") {
      const Done done = table->mixed(part("kinds"), part("keys"), part("values"), part("answers"), n);
      return timed(done).add("refused", done.count).add("answers", n);
    }
    if (what == "group") {
      const auto start = [&](const char* name) { return array(request, name).part(0, room); };
      const Done done = table->group(part("keys"), part("values"), n, start("groups"), start("answers"));
      return timed(done).add("groups", done.count);
    }
    throw std::invalid_argument("no operation " + what);
  }

  Array& array(const Request& request, const char* name) const {
    const auto found = arrays.find(request.count(name));
    if (found == arrays.end()) throw std::invalid_argument("no array " + request.get(name));
    return *found->second;
  }

  const Program& program;
  std::map<std::size_t, std::unique_ptr<Array>> arrays;
  std::unique_ptr<Table> table;
  /// Different keys that it is made for.
  std::size_t room = 0;
};

}  // namespace detail

/// Answers requests until stdin ends. What libraries print on stdout goes to stderr. Returns the exit code.
inline int serve(const Program& program) {
  const int replies = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  detail::Server server(program);
  for (std::string line; std::getline(std::cin, line);) {
    std::string reply;
    try {
      reply = server.answer(detail::Request(line)).line();
    } catch (const Unfit& error) {
      reply = detail::Reply().add("unfit", std::string(error.what())).line();
    } catch (const std::bad_alloc&) {
      reply = detail::Reply().add("unfit", std::string("out of memory")).line();
    } catch (const std::exception& error) {
      reply = detail::Reply().add("error", std::string(error.what())).line();
    }
    for (std::size_t sent = 0; sent < reply.size();) {
      const ssize_t wrote = write(replies, reply.data() + sent, reply.size() - sent);
      if (wrote < 0) return 1;
      sent += static_cast<std::size_t>(wrote);
    }
  }
  return 0;
}

}  // namespace hashbench
