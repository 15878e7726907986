# For projects of native tables: release builds in C++17, and
#
#   hashbench_table(NAME SOURCE [LIBRARY…])   the program NAME, and beside it the manifest NAME.table.json of the source's folder
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
find_package(Threads REQUIRED)

function(hashbench_table name source)
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  target_link_libraries(${name} PRIVATE Threads::Threads ${ARGN})
  get_filename_component(folder ${source} DIRECTORY)
  configure_file(${folder}/${name}.table.json ${CMAKE_CURRENT_BINARY_DIR}/${name}.table.json COPYONLY)
endfunction()
