// DuckDB's GROUP BY over all cores: rows in a table in memory, sums in a result in memory.
#include <duckdb.h>

#include "../hashbench.hpp"

namespace {

using namespace hashbench;

class DuckDb : public GroupBy {
 public:
  DuckDb() {
    if (duckdb_open(nullptr, &database) != DuckDBSuccess || duckdb_connect(database, &connection) != DuckDBSuccess)
      throw std::runtime_error("no database in memory");
    // Groups come in any order, by all threads.
    run("SET preserve_insertion_order = false");
  }
  ~DuckDb() override {
    duckdb_disconnect(&connection);
    duckdb_close(&database);
  }

  Done group(ConstWords keys, ConstWords values, std::size_t n, Words groups, Words sums) override {
    load(keys, values, n);
    duckdb_result result;
    const double ns = timed([&] {
      result = query("SELECT key, (sum(value) & 4294967295)::UINTEGER FROM rows GROUP BY key");
    });
    std::size_t count = 0;
    while (duckdb_data_chunk chunk = duckdb_fetch_chunk(result)) {
      const std::size_t size = duckdb_data_chunk_get_size(chunk);
      std::copy_n(column(chunk, 0), size, groups + count);
      std::copy_n(column(chunk, 1), size, sums + count);
      count += size;
      duckdb_destroy_data_chunk(&chunk);
    }
    duckdb_destroy_result(&result);
    return {ns, count};
  }

 private:
  static Words column(duckdb_data_chunk chunk, idx_t number) {
    return static_cast<Words>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, number)));
  }

  duckdb_result query(const char* text) {
    duckdb_result result;
    if (duckdb_query(connection, text, &result) == DuckDBSuccess) return result;
    const std::string why = duckdb_result_error(&result);
    duckdb_destroy_result(&result);
    throw std::runtime_error(why);
  }
  void run(const char* text) {
    duckdb_result none = query(text);
    duckdb_destroy_result(&none);
  }

  /// Outside the time.
  void load(ConstWords keys, ConstWords values, std::size_t n) {
    run("CREATE OR REPLACE TABLE rows (key UINTEGER, value UINTEGER)");
    duckdb_appender appender;
    duckdb_logical_type type = duckdb_create_logical_type(DUCKDB_TYPE_UINTEGER);
    duckdb_logical_type types[] = {type, type};
    duckdb_data_chunk chunk = duckdb_create_data_chunk(types, 2);
    bool right = duckdb_appender_create(connection, nullptr, "rows", &appender) == DuckDBSuccess;
    const std::size_t most = duckdb_vector_size();
    for (std::size_t first = 0; right && first < n; first += most) {
      const std::size_t size = std::min(most, n - first);
      duckdb_data_chunk_reset(chunk);
      std::copy_n(keys + first, size, column(chunk, 0));
      std::copy_n(values + first, size, column(chunk, 1));
      duckdb_data_chunk_set_size(chunk, size);
      right = duckdb_append_data_chunk(appender, chunk) == DuckDBSuccess;
    }
    right = duckdb_appender_destroy(&appender) == DuckDBSuccess && right;
    duckdb_destroy_data_chunk(&chunk);
    duckdb_destroy_logical_type(&type);
    if (!right) throw std::runtime_error("rows cannot be appended");
  }

  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
};

}  // namespace

int main() {
  Program program;
  program.device = processor();
  program.library = std::string("DuckDB ") + duckdb_library_version();
  program.create = [](const Making&) { return std::make_unique<DuckDb>(); };
  return serve(program);
}
