/*
 * A Vulkan layer that makes large device allocations dedicated to their buffer, and takes memory of the host for marked buffers.
 *
 * Random accesses to more than 2 GiB are fast on NVIDIA's driver only in dedicated allocations (VkMemoryDedicatedAllocateInfo,
 * Vulkan 1.1), which Dawn does not make for buffers. Dawn asks for the memory requirements of a buffer and then, on the same thread,
 * allocates exactly that many bytes for this buffer alone: the layer remembers the buffer, and adds the structure.
 *
 *   application -> loader -> this layer -> driver
 *   vkGetBufferMemoryRequirements[2]   remembers (device, thread) -> buffer, size, memory types
 *   vkAllocateMemory                   forgets it; dedicated if it is of that size and type, and large; if that fails, plain
 *                                      of a marked buffer: in memory of the host
 *   vkGetImageMemoryRequirements[2]    forgets it: what is allocated next may be the image's
 *   vkDestroyBuffer                    forgets the buffer, whichever thread asked for it
 *
 * WebGPU gives kernels no buffers in host memory. A buffer is marked by HASHBENCH_HOST_MEMORY=1 while it is made: its allocation then
 * gets the first memory type that the buffer allows, the host sees coherently, and is not the device's own. Where there is none, the
 * allocation fails.
 *
 * Smaller buffers Dawn puts together into heaps of 8 MiB, which may serve others later: the threshold has to be above that, or
 * the sizes differ. Sparse buffers, which must not have dedicated memory, Dawn does not make.
 *
 * 64-bit Linux.
 */
#define _POSIX_C_SOURCE 200809L
#include "vulkan.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the layer keeps. One lock guards the lists; large allocations hold it, so that no buffer goes away meanwhile. */

typedef struct Instance {
  struct Instance *next;
  VkInstance handle;
  GetInstanceProcAddr get_proc_addr;
  uint32_t api_version;
} Instance;

typedef struct Asked {
  struct Asked *next;
  pthread_t thread;
  VkBuffer buffer;
  VkDeviceSize size;
  uint32_t memory_types;
  int in_host;
} Asked;

typedef struct Device {
  struct Device *next;
  VkDevice handle;
  GetDeviceProcAddr get_proc_addr;
  int has_dedicated;
  uint32_t host_types; /* bits of the memory types in host memory */
  Asked *asked; /* at most one of a thread */
  AllocateMemory allocate;
  DestroyBuffer destroy_buffer;
  GetRequirements buffer_requirements, image_requirements;
  GetRequirements2 buffer_requirements2, image_requirements2;
} Device;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Instance *instances;
static Device *devices;

/*
 * Smallest allocation that is made dedicated. Read whenever a buffer's requirements are asked for, as the application may change it
 * between two of its buffers.
 */
static const VkDeviceSize DEFAULT_FROM = 16 << 20;

static VkDeviceSize from_bytes(void) {
  const char *from = getenv("HASHBENCH_LARGE_PAGES_FROM");
  char *end = NULL;
  const VkDeviceSize given = from ? strtoull(from, &end, 10) : 0;
  return from && end != from && *end == '\0' ? given : DEFAULT_FROM;
}

/* Whether the buffer that is made now belongs in host memory. Read as often. */
static int host_is_wanted(void) {
  const char *wanted = getenv("HASHBENCH_HOST_MEMORY");
  return wanted && strcmp(wanted, "1") == 0;
}

/* Environment, read when an instance is made. */
static char log_file[4096];
static int failing; /* 1: dedicated allocations, 2: plain ones too */

static void read_environment(void) {
  const char *log = getenv("HASHBENCH_LARGE_PAGES_LOG");
  const char *fail = getenv("HASHBENCH_LARGE_PAGES_FAIL");
  snprintf(log_file, sizeof log_file, "%s", log ? log : "");
  failing = fail ? (int)strtoul(fail, NULL, 10) : 0;
}

/* A line of the log: `how BYTES why`. */
static void note(const char *how, VkDeviceSize bytes, const char *why, long number) {
  if (log_file[0] == '\0') return;
  const int file = open(log_file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  dprintf(file, "%s %llu", how, (unsigned long long)bytes);
  if (why) dprintf(file, " %s", why);
  if (number != 0) dprintf(file, " %ld", number);
  dprintf(file, "\n");
  close(file);
}

/* The instance of this handle, or of this physical device: the loader gives both the same dispatch table. */
static Instance *instance_of(const struct Dispatchable *handle) {
  pthread_mutex_lock(&lock);
  Instance *found = instances;
  while (found && found->handle->dispatch != handle->dispatch) found = found->next;
  pthread_mutex_unlock(&lock);
  return found;
}

static Device *device_of(VkDevice handle) {
  pthread_mutex_lock(&lock);
  Device *found = devices;
  while (found && found->handle != handle) found = found->next;
  pthread_mutex_unlock(&lock);
  return found;
}

/* The layer's link of the chain that the loader passes along when an instance or a device is made; null without a loader. */
static const Link *take_link(const Chained *chain, int32_t type) {
  for (; chain; chain = chain->next) {
    LinkInfo *info = (LinkInfo *)(uintptr_t)chain;
    if (chain->type != type || info->function != LINK_INFO) continue;
    const Link *own = info->links;
    info->links = own->next;
    return own;
  }
  return NULL;
}

/* Drops what this thread asked for, or, with `buffer`, what any thread asked for it. Under the lock. */
static void forget(Device *device, VkBuffer buffer) {
  for (Asked **at = &device->asked; *at;) {
    Asked *one = *at;
    if (buffer ? one->buffer == buffer : pthread_equal(one->thread, pthread_self())) {
      *at = one->next;
      free(one);
    } else {
      at = &one->next;
    }
  }
}

/* Instances and devices */

static VkResult create_instance(const VkInstanceCreateInfo *info, const void *allocator, VkInstance *handle) {
  const Link *link = take_link(info->head.next, LOADER_INSTANCE_CREATE_INFO);
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  const CreateInstance create = (CreateInstance)link->get_instance_proc_addr(NULL, "vkCreateInstance");
  if (!create) return VK_ERROR_INITIALIZATION_FAILED;
  Instance *own = malloc(sizeof *own);
  if (!own) return VK_ERROR_OUT_OF_HOST_MEMORY;
  const GetInstanceProcAddr get_proc_addr = link->get_instance_proc_addr;
  const VkResult result = create(info, allocator, handle);
  if (result != VK_SUCCESS) {
    free(own);
    return result;
  }
  const uint32_t version = info->application ? info->application->api_version : 0;
  pthread_mutex_lock(&lock);
  read_environment();
  *own = (Instance){.next = instances, .handle = *handle, .get_proc_addr = get_proc_addr, .api_version = version};
  instances = own;
  pthread_mutex_unlock(&lock);
  return result;
}

static void destroy_instance(VkInstance handle, const void *allocator) {
  Instance *own = handle ? instance_of(handle) : NULL;
  if (!own) return;
  const DestroyInstance destroy = (DestroyInstance)own->get_proc_addr(handle, "vkDestroyInstance");
  pthread_mutex_lock(&lock);
  Instance **at = &instances;
  while (*at != own) at = &(*at)->next;
  *at = own->next;
  pthread_mutex_unlock(&lock);
  free(own);
  destroy(handle, allocator);
}

/* Whether the structure is defined for this device: by its version of Vulkan, and the one that the application asked for. */
static int has_dedicated(const Instance *instance, VkPhysicalDevice physical) {
  const GetProperties get = (GetProperties)instance->get_proc_addr(instance->handle, "vkGetPhysicalDeviceProperties");
  VkPhysicalDeviceProperties properties = {0};
  if (get) get(physical, &properties);
  return instance->api_version >= VULKAN_1_1 && properties.api_version >= VULKAN_1_1;
}

static uint32_t host_types(const Instance *instance, VkPhysicalDevice physical) {
  const char *said = getenv("HASHBENCH_HOST_MEMORY_TYPES");
  if (said) return (uint32_t)strtoul(said, NULL, 0);
  const Function get = instance->get_proc_addr(instance->handle, "vkGetPhysicalDeviceMemoryProperties");
  VkPhysicalDeviceMemoryProperties memory = {0};
  if (get) ((GetMemoryProperties)get)(physical, &memory);
  uint32_t found = 0;
  for (uint32_t i = 0; i < memory.type_count; i++) {
    const uint32_t flags = memory.types[i].flags & (MEMORY_DEVICE_LOCAL | MEMORY_HOST_VISIBLE | MEMORY_HOST_COHERENT);
    if (flags == (MEMORY_HOST_VISIBLE | MEMORY_HOST_COHERENT)) found |= 1u << i;
  }
  return found;
}

static VkResult create_device(VkPhysicalDevice physical, const Chained *info, const void *allocator, VkDevice *handle) {
  const Instance *instance = instance_of(physical);
  const Link *link = take_link(info->next, LOADER_DEVICE_CREATE_INFO);
  if (!instance || !link) return VK_ERROR_INITIALIZATION_FAILED;
  const CreateDevice create = (CreateDevice)link->get_instance_proc_addr(instance->handle, "vkCreateDevice");
  const GetDeviceProcAddr get = (GetDeviceProcAddr)link->second;
  if (!create) return VK_ERROR_INITIALIZATION_FAILED;
  Device *own = calloc(1, sizeof *own);
  if (!own) return VK_ERROR_OUT_OF_HOST_MEMORY;
  const VkResult result = create(physical, info, allocator, handle);
  if (result != VK_SUCCESS) {
    free(own);
    return result;
  }
  own->handle = *handle;
  own->get_proc_addr = get;
  own->has_dedicated = has_dedicated(instance, physical);
  own->host_types = host_types(instance, physical);
  own->allocate = (AllocateMemory)get(*handle, "vkAllocateMemory");
  own->destroy_buffer = (DestroyBuffer)get(*handle, "vkDestroyBuffer");
  own->buffer_requirements = (GetRequirements)get(*handle, "vkGetBufferMemoryRequirements");
  own->image_requirements = (GetRequirements)get(*handle, "vkGetImageMemoryRequirements");
  own->buffer_requirements2 = (GetRequirements2)get(*handle, "vkGetBufferMemoryRequirements2");
  own->image_requirements2 = (GetRequirements2)get(*handle, "vkGetImageMemoryRequirements2");
  if (!own->buffer_requirements2)
    own->buffer_requirements2 = (GetRequirements2)get(*handle, "vkGetBufferMemoryRequirements2KHR");
  if (!own->image_requirements2)
    own->image_requirements2 = (GetRequirements2)get(*handle, "vkGetImageMemoryRequirements2KHR");
  pthread_mutex_lock(&lock);
  own->next = devices;
  devices = own;
  pthread_mutex_unlock(&lock);
  return result;
}

static void destroy_device(VkDevice handle, const void *allocator) {
  Device *own = handle ? device_of(handle) : NULL;
  if (!own) return;
  const DestroyDevice destroy = (DestroyDevice)own->get_proc_addr(handle, "vkDestroyDevice");
  pthread_mutex_lock(&lock);
  Device **at = &devices;
  while (*at != own) at = &(*at)->next;
  *at = own->next;
  pthread_mutex_unlock(&lock);
  for (Asked *one = own->asked, *next; one; one = next) {
    next = one->next;
    free(one);
  }
  free(own);
  destroy(handle, allocator);
}

/* Buffers and their memory */

/* Without memory for what it has to remember, the layer remembers nothing: the allocation will be plain. */
static void remember(Device *device, VkBuffer buffer, const VkMemoryRequirements *requirements) {
  pthread_mutex_lock(&lock);
  forget(device, 0);
  const int in_host = host_is_wanted();
  Asked *one = buffer && (in_host || requirements->size >= from_bytes()) ? malloc(sizeof *one) : NULL;
  if (one) {
    *one = (Asked){device->asked, pthread_self(), buffer, requirements->size, requirements->memory_types, in_host};
    device->asked = one;
  }
  pthread_mutex_unlock(&lock);
}

static void get_buffer_requirements(VkDevice handle, VkBuffer buffer, VkMemoryRequirements *out) {
  Device *device = device_of(handle);
  device->buffer_requirements(handle, buffer, out);
  remember(device, buffer, out);
}

static void get_buffer_requirements2(VkDevice handle, const VkMemoryRequirementsInfo2 *info, VkMemoryRequirements2 *out) {
  Device *device = device_of(handle);
  device->buffer_requirements2(handle, info, out);
  remember(device, info->object, &out->requirements);
}

static void get_image_requirements(VkDevice handle, VkImage image, VkMemoryRequirements *out) {
  Device *device = device_of(handle);
  device->image_requirements(handle, image, out);
  remember(device, 0, out);
}

static void get_image_requirements2(VkDevice handle, const VkMemoryRequirementsInfo2 *info, VkMemoryRequirements2 *out) {
  Device *device = device_of(handle);
  device->image_requirements2(handle, info, out);
  remember(device, 0, &out->requirements);
}

static void destroy_buffer(VkDevice handle, VkBuffer buffer, const void *allocator) {
  Device *device = device_of(handle);
  pthread_mutex_lock(&lock);
  if (buffer) forget(device, buffer);
  pthread_mutex_unlock(&lock);
  device->destroy_buffer(handle, buffer, allocator);
}

/* The type of a structure behind an allocation's that may concern its memory (import, export, dedicated …), or 0. */
static int32_t stranger_in(const Chained *chain) {
  for (; chain; chain = chain->next) {
    if (chain->type != MEMORY_ALLOCATE_FLAGS_INFO && chain->type != MEMORY_PRIORITY_ALLOCATE_INFO) return chain->type;
  }
  return 0;
}

/* What this thread asked for last; null if nothing. Under the lock. */
static const Asked *asked_here(const Device *device) {
  const Asked *asked = device->asked;
  while (asked && !pthread_equal(asked->thread, pthread_self())) asked = asked->next;
  return asked;
}

/* Under the lock. */
static VkResult allocate_in_host(const Device *device, const Asked *asked, const VkMemoryAllocateInfo *info, const void *allocator,
                                 VkDeviceMemory *memory) {
  const uint32_t types = asked->memory_types & device->host_types;
  VkMemoryAllocateInfo elsewhere = *info;
  VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if (types != 0) {
    elsewhere.memory_type = (uint32_t)__builtin_ctz(types);
    if (failing < 2) result = device->allocate(device->handle, &elsewhere, allocator, memory);
  }
  const char *why = types == 0 ? "no memory type of the host" : "type";
  note(result == VK_SUCCESS ? "host" : "failed", info->size, why, types == 0 ? 0 : (long)elsewhere.memory_type);
  return result;
}

/* Under the lock. */
static VkResult allocate_large(const Device *device, const VkMemoryAllocateInfo *info, const void *allocator,
                               VkDeviceMemory *memory) {
  const Asked *asked = asked_here(device);
  const int fits = asked && asked->size == info->size && (asked->memory_types >> info->memory_type & 1);
  const int32_t stranger = stranger_in(info->head.next);
  const char *why = NULL;
  long number = 0;
  if (!device->has_dedicated) {
    why = "Vulkan 1.0";
  } else if (stranger != 0) {
    why = "structure";
    number = stranger;
  } else if (!fits) {
    why = "no buffer of this size and memory type was asked for";
  } else {
    const VkMemoryDedicatedAllocateInfo dedicated = {{MEMORY_DEDICATED_ALLOCATE_INFO, info->head.next}, 0, asked->buffer};
    VkMemoryAllocateInfo larger = *info;
    larger.head.next = &dedicated.head;
    const VkResult result =
        failing > 0 ? VK_ERROR_OUT_OF_DEVICE_MEMORY : device->allocate(device->handle, &larger, allocator, memory);
    if (result == VK_SUCCESS) {
      note("dedicated", info->size, NULL, 0);
      return result;
    }
    why = "dedicated failed:";
    number = result;
  }
  const VkResult result =
      failing > 1 ? VK_ERROR_OUT_OF_DEVICE_MEMORY : device->allocate(device->handle, info, allocator, memory);
  note(result == VK_SUCCESS ? "plain" : "failed", info->size, why, number);
  return result;
}

static VkResult allocate_memory(VkDevice handle, const VkMemoryAllocateInfo *info, const void *allocator,
                                VkDeviceMemory *memory) {
  Device *device = device_of(handle);
  pthread_mutex_lock(&lock);
  const Asked *asked = asked_here(device);
  const int in_host = asked && asked->in_host && asked->size == info->size;
  const int large = !in_host && info->size >= from_bytes();
  VkResult result = VK_SUCCESS;
  if (in_host) result = allocate_in_host(device, asked, info, allocator, memory);
  if (large) result = allocate_large(device, info, allocator, memory);
  forget(device, 0);
  pthread_mutex_unlock(&lock);
  return in_host || large ? result : device->allocate(handle, info, allocator, memory);
}

/* What the loader, and layers before this one, ask for by name. What the driver does not have, the layer does not have either. */

static Function get_instance_proc_addr(VkInstance instance, const char *name);
static Function get_device_proc_addr(VkDevice device, const char *name);

static Function own_function(const char *name) {
  static const struct { const char *name; Function function; } own[] = {
      {"vkGetInstanceProcAddr", (Function)get_instance_proc_addr},
      {"vkGetDeviceProcAddr", (Function)get_device_proc_addr},
      {"vkCreateInstance", (Function)create_instance},
      {"vkDestroyInstance", (Function)destroy_instance},
      {"vkCreateDevice", (Function)create_device},
      {"vkDestroyDevice", (Function)destroy_device},
      {"vkAllocateMemory", (Function)allocate_memory},
      {"vkDestroyBuffer", (Function)destroy_buffer},
      {"vkGetBufferMemoryRequirements", (Function)get_buffer_requirements},
      {"vkGetBufferMemoryRequirements2", (Function)get_buffer_requirements2},
      {"vkGetBufferMemoryRequirements2KHR", (Function)get_buffer_requirements2},
      {"vkGetImageMemoryRequirements", (Function)get_image_requirements},
      {"vkGetImageMemoryRequirements2", (Function)get_image_requirements2},
      {"vkGetImageMemoryRequirements2KHR", (Function)get_image_requirements2},
  };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(own[i].name, name) == 0) return own[i].function;
  return NULL;
}

/* For vkCreateInstance the loader names no instance or, above all other layers, one of its own that is not made yet. */
static Function get_instance_proc_addr(VkInstance instance, const char *name) {
  const Instance *known = instance ? instance_of(instance) : NULL;
  if (!known) return own_function(name);
  const Function next = known->get_proc_addr(instance, name);
  const Function own = next ? own_function(name) : NULL;
  return own ? own : next;
}

static Function get_device_proc_addr(VkDevice handle, const char *name) {
  const Device *known = device_of(handle);
  const Function next = known ? known->get_proc_addr(handle, name) : NULL;
  const Function own = next ? own_function(name) : NULL;
  return own ? own : next;
}

/* The one symbol that the library exports. */
__attribute__((visibility("default"))) VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface) {
  if (interface->version < INTERFACE_VERSION) return VK_ERROR_INITIALIZATION_FAILED;
  interface->version = INTERFACE_VERSION;
  interface->get_instance_proc_addr = get_instance_proc_addr;
  interface->get_device_proc_addr = get_device_proc_addr;
  interface->get_physical_device_proc_addr = NULL;
  return VK_SUCCESS;
}
