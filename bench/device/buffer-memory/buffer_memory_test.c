/*
 * Drives the layer as the loader does, above a driver that is not there: `buffer_memory_test CASE` runs one case of the list at the end.
 * A requirement is that a line of this file names which did not hold; nothing that the layer allocates may be left at the end.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

/* The layer's memory: counted, and refused when a case says so. */
static int refuse, held;
static void *counted(void *memory) {
  if (memory) __atomic_fetch_add(&held, 1, __ATOMIC_RELAXED);
  return memory;
}
#define malloc(size) (refuse ? NULL : counted(malloc(size)))
#define calloc(count, size) (refuse ? NULL : counted(calloc(count, size)))
#define free(memory) (__atomic_fetch_sub(&held, 1, __ATOMIC_RELAXED), free(memory))
#include "buffer_memory.c"

#define CHECK(condition) check(condition, #condition, __LINE__)
static void check(int holds, const char *text, int line) {
  if (holds) return;
  fprintf(stderr, "line %d: %s\n", line, text);
  exit(1);
}

/* The driver. A buffer or image number has its size in MiB in the upper bits; all may be in memory of types 0 and 1. */

enum { MIB = 1 << 20, IMAGE_TYPES = 2 };
#define BUFFER(mib, number) ((uint64_t)(mib) << 16 | (number))
static const char *const table = "dispatch";
static struct Dispatchable instance_object = {&table}, physical_object = {&table}, device_objects[2];
static uint32_t device_version = VULKAN_1_1 | 1 << 13;
static VkResult dedicated_result, plain_result, create_result;
static int lacks_khr;
static VkBuffer destroyed;

/* What the last allocation of the thread that reached the driver was. */
static _Thread_local struct { int calls; VkDevice device; VkBuffer dedicated_to; uint32_t type; const VkMemoryAllocateInfo *info; const Chained *behind; } got;

static VkResult driver_allocate(VkDevice device, const VkMemoryAllocateInfo *info, const void *allocator, VkDeviceMemory *memory) {
  (void)allocator;
  const VkMemoryDedicatedAllocateInfo *dedicated = (const void *)info->head.next;
  const int is_dedicated = dedicated && dedicated->head.type == MEMORY_DEDICATED_ALLOCATE_INFO && dedicated->image == 0;
  got.calls++;
  got.device = device;
  got.info = info;
  got.type = info->memory_type;
  got.dedicated_to = is_dedicated ? dedicated->buffer : 0;
  got.behind = is_dedicated ? dedicated->head.next : info->head.next;
  *memory = 7;
  return is_dedicated ? dedicated_result : plain_result;
}

static void driver_requirements(VkDevice device, uint64_t object, VkMemoryRequirements *out) {
  (void)device;
  *out = (VkMemoryRequirements){(object >> 16) * MIB, 256, 3};
}

static void driver_requirements2(VkDevice device, const VkMemoryRequirementsInfo2 *info, VkMemoryRequirements2 *out) {
  driver_requirements(device, info->object, &out->requirements);
}

static void driver_destroy_buffer(VkDevice device, VkBuffer buffer, const void *allocator) {
  (void)device, (void)allocator;
  __atomic_store_n(&destroyed, buffer, __ATOMIC_RELAXED);
}

static void driver_other(void) {}
static void driver_destroy(const void *handle, const void *allocator) { (void)handle, (void)allocator; }
static int without_host_type;
static void driver_memory_properties(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *out) {
  (void)device;
  out->type_count = 3; /* Of the device, of the host, and of the device where the host sees it. */
  out->types[0].flags = MEMORY_DEVICE_LOCAL;
  out->types[1].flags = without_host_type ? MEMORY_DEVICE_LOCAL : MEMORY_HOST_VISIBLE | MEMORY_HOST_COHERENT | 8;
  out->types[2].flags = MEMORY_DEVICE_LOCAL | MEMORY_HOST_VISIBLE | MEMORY_HOST_COHERENT;
}
static void driver_properties(VkPhysicalDevice device, VkPhysicalDeviceProperties *out) { (void)device, out->api_version = device_version; }

static VkResult driver_create_instance(const VkInstanceCreateInfo *info, const void *allocator, VkInstance *out) {
  (void)allocator;
  CHECK(((const LinkInfo *)info->head.next)->links == NULL); /* The next layer finds its own link. */
  *out = &instance_object;
  return create_result;
}

static VkResult driver_create_device(VkPhysicalDevice physical, const Chained *info, const void *allocator, VkDevice *out) {
  static int count;
  (void)allocator;
  CHECK(physical == &physical_object && ((const LinkInfo *)info->next)->links == NULL);
  *out = &device_objects[count++ % 2];
  return create_result;
}

static Function driver_device_function(VkDevice device, const char *name) {
  (void)device;
  const size_t length = strlen(name);
  if (lacks_khr && length > 3 && strcmp(name + length - 3, "KHR") == 0) return NULL;
  if (strcmp(name, "vkAllocateMemory") == 0) return (Function)driver_allocate;
  if (strcmp(name, "vkDestroyBuffer") == 0) return (Function)driver_destroy_buffer;
  if (strcmp(name, "vkDestroyDevice") == 0) return (Function)driver_destroy;
  if (strstr(name, "MemoryRequirements2")) return (Function)driver_requirements2;
  if (strstr(name, "MemoryRequirements")) return (Function)driver_requirements;
  return strcmp(name, "vkQueueSubmit") == 0 ? driver_other : NULL;
}

static Function driver_function(VkInstance instance, const char *name) {
  if (strcmp(name, "vkCreateInstance") == 0) return instance ? NULL : (Function)driver_create_instance;
  if (strcmp(name, "vkDestroyInstance") == 0) return (Function)driver_destroy;
  if (strcmp(name, "vkCreateDevice") == 0) return (Function)driver_create_device;
  if (strcmp(name, "vkGetPhysicalDeviceProperties") == 0) return (Function)driver_properties;
  if (strcmp(name, "vkGetPhysicalDeviceMemoryProperties") == 0) return (Function)driver_memory_properties;
  return driver_device_function(NULL, name);
}

/* The loader: it reaches the layer by the functions that the negotiation gave. */

static VkNegotiateLayerInterface layer = {.version = 2};
static VkInstance instance;
static uint32_t application_version = VULKAN_1_1;

static VkResult make_instance(void) {
  Link link = {NULL, driver_function, NULL};
  const LinkInfo callback = {{LOADER_INSTANCE_CREATE_INFO, NULL}, 1, NULL};
  LinkInfo info = {{LOADER_INSTANCE_CREATE_INFO, &callback.head}, LINK_INFO, &link};
  const VkApplicationInfo application = {.api_version = application_version};
  const VkInstanceCreateInfo create = {{1, &info.head}, 0, &application};
  return ((CreateInstance)layer.get_instance_proc_addr(NULL, "vkCreateInstance"))(&create, NULL, &instance);
}

static VkResult make_device(VkDevice *out) {
  Link link = {NULL, driver_function, (Function)driver_device_function};
  LinkInfo info = {{LOADER_DEVICE_CREATE_INFO, NULL}, LINK_INFO, &link};
  const Chained create = {3, &info.head};
  return ((CreateDevice)layer.get_instance_proc_addr(instance, "vkCreateDevice"))(&physical_object, &create, NULL, out);
}

static VkDevice start(void) {
  VkDevice device = NULL;
  CHECK(make_instance() == VK_SUCCESS && instance == &instance_object);
  CHECK(make_device(&device) == VK_SUCCESS && device != NULL);
  return device;
}

#define CALL(device, type, name) ((type)layer.get_device_proc_addr(device, name))
static void end(VkDevice device) { CALL(device, DestroyDevice, "vkDestroyDevice")(device, NULL); }

static void ask(VkDevice device, VkBuffer buffer) {
  VkMemoryRequirements out;
  CALL(device, GetRequirements, "vkGetBufferMemoryRequirements")(device, buffer, &out);
  CHECK(out.size == (buffer >> 16) * MIB && out.memory_types == 3);
}

/* The buffer that the allocation is dedicated to, 0 for a plain one. */
static VkBuffer allocate_of(VkDevice device, VkDeviceSize mib, const Chained *chain, uint32_t type, VkResult expected) {
  const VkMemoryAllocateInfo info = {{5, chain}, mib * MIB, type};
  VkDeviceMemory memory = 0;
  CHECK(CALL(device, AllocateMemory, "vkAllocateMemory")(device, &info, NULL, &memory) == expected && memory == 7);
  CHECK(got.device == device && got.behind == chain && (got.dedicated_to != 0 || got.info == &info));
  return got.dedicated_to;
}
static VkBuffer allocate(VkDevice device, VkDeviceSize mib) { return allocate_of(device, mib, NULL, 0, VK_SUCCESS); }

/* The memory type that the driver was asked for; it may be another one than the application's, 0. */
static uint32_t allocate_moved(VkDevice device, VkDeviceSize mib, VkResult expected) {
  const VkMemoryAllocateInfo info = {{5, NULL}, mib * MIB, 0};
  VkDeviceMemory memory = 0;
  got.info = &info;
  CHECK(CALL(device, AllocateMemory, "vkAllocateMemory")(device, &info, NULL, &memory) == expected);
  CHECK(got.dedicated_to == 0 && got.behind == NULL);
  return got.type;
}

/* Cases */

static void dedicated_to_the_last(VkDevice device) {
  ask(device, BUFFER(64, 1));
  ask(device, BUFFER(64, 2));
  CHECK(allocate(device, 64) == BUFFER(64, 2) && got.calls == 1);
}

static void once(VkDevice device) {
  ask(device, BUFFER(64, 1));
  allocate(device, 64);
  CHECK(allocate(device, 64) == 0);
  ask(device, BUFFER(64, 2));
  allocate(device, 1);
  CHECK(allocate(device, 64) == 0);
}

static void by_structures(VkDevice device) {
  for (int khr = 0; khr < 2; khr++) {
    const VkMemoryRequirementsInfo2 info = {{1000146000, NULL}, BUFFER(32, 1)};
    VkMemoryRequirements2 out;
    CALL(device, GetRequirements2, khr ? "vkGetBufferMemoryRequirements2KHR" : "vkGetBufferMemoryRequirements2")(device, &info, &out);
    CHECK(allocate(device, 32) == BUFFER(32, 1));
  }
}

static void threshold(VkDevice device) {
  ask(device, BUFFER(15, 1));
  CHECK(allocate(device, 15) == 0);
  ask(device, BUFFER(16, 1));
  CHECK(allocate(device, 16) == BUFFER(16, 1));
}

static void own_threshold(VkDevice device) {
  ask(device, BUFFER(31, 1));
  CHECK(allocate(device, 31) == 0);
  ask(device, BUFFER(32, 1));
  CHECK(allocate(device, 32) == BUFFER(32, 1));
}

static void threshold_between(VkDevice device) {
  const char *const from = "HASHBENCH_LARGE_PAGES_FROM";
  setenv(from, "18446744073709551615", 1);
  ask(device, BUFFER(64, 1));
  CHECK(allocate(device, 64) == 0);
  setenv(from, "1048576", 1);
  ask(device, BUFFER(1, 2));
  CHECK(allocate(device, 1) == BUFFER(1, 2));
  unsetenv(from);
  ask(device, BUFFER(1, 3));
  CHECK(allocate(device, 1) == 0);
  ask(device, BUFFER(64, 4));
  CHECK(allocate(device, 64) == BUFFER(64, 4));
}

static const char *const HOST = "HASHBENCH_HOST_MEMORY";

static void in_host_memory(VkDevice device) {
  for (uint64_t mib = 1; mib <= 64; mib *= 64) {
    setenv(HOST, "1", 1);
    ask(device, BUFFER(mib, 1));
    unsetenv(HOST);
    CHECK(allocate_moved(device, mib, VK_SUCCESS) == 1);
    ask(device, BUFFER(mib, 2));
    CHECK(allocate(device, mib) == (mib == 64 ? BUFFER(mib, 2) : 0) && got.type == 0);
  }
}

static void another_size_beside_host(VkDevice device) {
  setenv(HOST, "1", 1);
  ask(device, BUFFER(1, 1));
  unsetenv(HOST);
  CHECK(allocate(device, 8) == 0 && got.type == 0);
}

static void host_failures(VkDevice device) {
  setenv(HOST, "1", 1);
  ask(device, BUFFER(64, 1));
  plain_result = VK_ERROR_OUT_OF_HOST_MEMORY;
  CHECK(allocate_moved(device, 64, VK_ERROR_OUT_OF_HOST_MEMORY) == 1 && got.calls == 1);
  unsetenv(HOST);
}

static void no_host_type(VkDevice device) {
  setenv(HOST, "1", 1);
  ask(device, BUFFER(64, 1));
  CHECK(allocate_moved(device, 64, VK_ERROR_OUT_OF_DEVICE_MEMORY) == 0 && got.calls == 0);
  unsetenv(HOST);
}

static void another_size_or_type(VkDevice device) {
  ask(device, BUFFER(64, 1));
  CHECK(allocate(device, 65) == 0);
  ask(device, BUFFER(64, 1));
  CHECK(allocate_of(device, 64, NULL, 2, VK_SUCCESS) == 0);
  ask(device, BUFFER(64, 1));
  CHECK(allocate_of(device, 64, NULL, 1, VK_SUCCESS) == BUFFER(64, 1));
}

static void structures_of_others(VkDevice device) {
  const Chained priority = {MEMORY_PRIORITY_ALLOCATE_INFO, NULL}, flags = {MEMORY_ALLOCATE_FLAGS_INFO, &priority};
  ask(device, BUFFER(64, 1));
  CHECK(allocate_of(device, 64, &flags, 0, VK_SUCCESS) == BUFFER(64, 1));
  const Chained export = {1000072002, NULL}, behind_flags = {MEMORY_ALLOCATE_FLAGS_INFO, &export};
  ask(device, BUFFER(64, 1));
  CHECK(allocate_of(device, 64, &behind_flags, 0, VK_SUCCESS) == 0);
  const VkMemoryDedicatedAllocateInfo own = {{MEMORY_DEDICATED_ALLOCATE_INFO, NULL}, 0, BUFFER(64, 9)};
  const VkMemoryAllocateInfo info = {{5, &own.head}, 64 * MIB, 0};
  VkDeviceMemory memory;
  ask(device, BUFFER(64, 1));
  CALL(device, AllocateMemory, "vkAllocateMemory")(device, &info, NULL, &memory);
  CHECK(got.dedicated_to == BUFFER(64, 9) && got.info == &info);
}

static void failures(VkDevice device) {
  dedicated_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  ask(device, BUFFER(64, 1));
  CHECK(allocate(device, 64) == 0 && got.calls == 2);
  plain_result = VK_ERROR_OUT_OF_HOST_MEMORY;
  ask(device, BUFFER(64, 1));
  CHECK(allocate_of(device, 64, NULL, 0, VK_ERROR_OUT_OF_HOST_MEMORY) == 0 && got.calls == 4);
}

static void planted_failure(VkDevice device) {
  ask(device, BUFFER(64, 1));
  CHECK(allocate(device, 64) == 0 && got.calls == 1);
}

static void image_between(VkDevice device) {
  VkMemoryRequirements out;
  ask(device, BUFFER(64, 1));
  CALL(device, GetRequirements, "vkGetImageMemoryRequirements")(device, BUFFER(64, 2), &out);
  CHECK(out.size == 64 * MIB && allocate(device, 64) == 0);
  for (int khr = 0; khr < 2; khr++) {
    const VkMemoryRequirementsInfo2 info = {{1000146001, NULL}, BUFFER(64, 2)};
    VkMemoryRequirements2 out2;
    ask(device, BUFFER(64, 1));
    CALL(device, GetRequirements2, khr ? "vkGetImageMemoryRequirements2KHR" : "vkGetImageMemoryRequirements2")(device, &info, &out2);
    CHECK(out2.requirements.size == 64 * MIB && allocate(device, 64) == 0);
  }
}

static VkDevice shared;
static void *destroy_from_thread(void *buffer) {
  CALL(shared, DestroyBuffer, "vkDestroyBuffer")(shared, (VkBuffer)(uintptr_t)buffer, NULL);
  return NULL;
}
static void *allocate_from_thread(void *result) {
  *(VkBuffer *)result = allocate(shared, 64);
  return NULL;
}
static void in_thread(void *(*work)(void *), void *with) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, work, with) == 0 && pthread_join(thread, NULL) == 0);
}

static void destroyed_elsewhere(VkDevice device) {
  shared = device;
  ask(device, BUFFER(64, 1));
  in_thread(destroy_from_thread, (void *)(uintptr_t)BUFFER(64, 2));
  CHECK(destroyed == BUFFER(64, 2) && allocate(device, 64) == BUFFER(64, 1));
  ask(device, BUFFER(64, 1));
  in_thread(destroy_from_thread, (void *)(uintptr_t)BUFFER(64, 1));
  CHECK(destroyed == BUFFER(64, 1) && allocate(device, 64) == 0);
  ask(device, BUFFER(64, 1));
  destroy_from_thread(NULL);
  CHECK(allocate(device, 64) == BUFFER(64, 1));
}

static void another_thread(VkDevice device) {
  VkBuffer theirs = 1;
  shared = device;
  ask(device, BUFFER(64, 1));
  in_thread(allocate_from_thread, &theirs);
  CHECK(theirs == 0 && allocate(device, 64) == BUFFER(64, 1));
}

enum { THREADS = 8, ROUNDS = 2000 };
static void *many_buffers(void *number) {
  for (uint64_t i = 0; i < ROUNDS; i++) {
    const VkBuffer buffer = BUFFER(64 + i % 3, (uintptr_t)number);
    ask(shared, buffer);
    CHECK(allocate(shared, 64 + i % 3) == buffer);
    CALL(shared, DestroyBuffer, "vkDestroyBuffer")(shared, buffer, NULL);
  }
  return NULL;
}

static void many_threads(VkDevice device) {
  pthread_t threads[THREADS];
  shared = device;
  for (uintptr_t i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, many_buffers, (void *)(i + 1)) == 0);
  for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

static void two_devices(VkDevice device) {
  VkDevice other = NULL;
  CHECK(make_device(&other) == VK_SUCCESS && other != device);
  ask(device, BUFFER(64, 1));
  ask(other, BUFFER(64, 2));
  CHECK(allocate(device, 64) == BUFFER(64, 1) && allocate(other, 64) == BUFFER(64, 2));
  ask(device, BUFFER(64, 1));
  ask(other, BUFFER(64, 1)); /* Numbers of buffers are a device's own. */
  CALL(other, DestroyBuffer, "vkDestroyBuffer")(other, BUFFER(64, 1), NULL);
  end(other);
  CHECK(allocate(device, 64) == BUFFER(64, 1));
}

static void old_vulkan(VkDevice device) {
  ask(device, BUFFER(64, 1));
  CHECK(allocate(device, 64) == 0);
}

static void without_memory(VkDevice device) {
  refuse = 1;
  ask(device, BUFFER(64, 1));
  CHECK(allocate(device, 64) == 0);
  VkDevice none = NULL;
  CHECK(make_device(&none) == VK_ERROR_OUT_OF_HOST_MEMORY && none == NULL);
  const VkInstance before = instance;
  CHECK(make_instance() == VK_ERROR_OUT_OF_HOST_MEMORY);
  instance = before;
  refuse = 0;
  ask(device, BUFFER(64, 1));
  CHECK(allocate(device, 64) == BUFFER(64, 1));
}

static void refused_creation(VkDevice device) {
  VkDevice none;
  create_result = VK_ERROR_INITIALIZATION_FAILED;
  CHECK(make_device(&none) == VK_ERROR_INITIALIZATION_FAILED);
  CHECK(make_instance() == VK_ERROR_INITIALIZATION_FAILED);
  dedicated_to_the_last(device);
}

static void functions(VkDevice device) {
  lacks_khr = 1;
  CHECK(CALL(device, Function, "vkGetBufferMemoryRequirements2KHR") == NULL);
  CHECK(CALL(device, Function, "vkGetBufferMemoryRequirements2") == (Function)get_buffer_requirements2);
  CHECK(CALL(device, Function, "vkQueueSubmit") == driver_other && CALL(device, Function, "vkNone") == NULL);
  CHECK(layer.get_instance_proc_addr(instance, "vkQueueSubmit") == driver_other);
  CHECK(layer.get_instance_proc_addr(instance, "vkAllocateMemory") == (Function)allocate_memory);
  VkNegotiateLayerInterface old = {.version = 1}, newer = {.version = 9};
  CHECK(vkNegotiateLoaderLayerInterfaceVersion(&old) != VK_SUCCESS);
  CHECK(vkNegotiateLoaderLayerInterfaceVersion(&newer) == VK_SUCCESS && newer.version == 2);
}

static void left_over(VkDevice device) {
  ask(device, BUFFER(64, 1));
  CHECK(held == 3);
}

static const struct { const char *name; void (*run)(VkDevice); } cases[] = {
    {"a large allocation is dedicated to the buffer that was asked for last", dedicated_to_the_last},
    {"only the next allocation is", once},
    {"so is one whose buffer was asked for by structures", by_structures},
    {"the threshold is 16 MiB", threshold},
    {"another threshold is of the environment", own_threshold},
    {"the threshold is read anew between two buffers", threshold_between},
    {"a marked buffer lies in host memory, whatever its size, and no other does", in_host_memory},
    {"an allocation of another size than the marked buffer's is left alone", another_size_beside_host},
    {"where host memory fails, its result is the result", host_failures},
    {"without a memory type of the host, a marked buffer has no memory", no_host_type},
    {"an allocation of another size or memory type is plain", another_size_or_type},
    {"flags and a priority stay, an allocation with any other structure is left as it is", structures_of_others},
    {"where a dedicated allocation fails, the plain one is tried, and its result is the result", failures},
    {"a failure that the environment asks for takes the plain one", planted_failure},
    {"an image that was asked for in between makes it plain", image_between},
    {"a buffer that another thread destroys is forgotten", destroyed_elsewhere},
    {"a thread does not get the buffer of another", another_thread},
    {"eight threads at once get their own buffers", many_threads},
    {"two devices have their own buffers", two_devices},
    {"a device with Vulkan 1.0 is left alone", old_vulkan},
    {"an application that asked for Vulkan 1.0 is left alone", old_vulkan},
    {"without memory for the layer allocations are plain", without_memory},
    {"instances and devices that the driver refuses leave nothing", refused_creation},
    {"functions that the driver lacks are not there, others are passed on", functions},
    {"a buffer that nobody destroyed goes with its device", left_over},
};

int main(int count, char **words) {
  const char *name = count > 1 ? words[1] : "";
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (strcmp(cases[i].name, name) != 0) continue;
    CHECK(vkNegotiateLoaderLayerInterfaceVersion(&layer) == VK_SUCCESS);
    if (strstr(name, "device with Vulkan 1.0")) device_version = 1 << 22;
    if (strstr(name, "asked for Vulkan 1.0")) application_version = 0;
    without_host_type = strstr(name, "without a memory type") != NULL;
    VkDevice device = start();
    cases[i].run(device);
    end(device);
    ((DestroyInstance)layer.get_instance_proc_addr(instance, "vkDestroyInstance"))(instance, NULL);
    CHECK(held == 0);
    return 0;
  }
  fprintf(stderr, "no such case: %s\n", name);
  return 2;
}
