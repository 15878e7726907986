/*
 * What Vulkan 1.3 and version 2 of its loader's interface to layers define, as far as buffer_memory.c uses it, so that no headers have
 * to be installed. 64-bit systems only: handles of objects are 64-bit integers there.
 */
#pragma once
#include <stdint.h>

/* Of the Vulkan specification. Dispatchable handles point at an object that begins with the loader's dispatch table. */

typedef void (*Function)(void);
typedef int32_t VkResult;
typedef struct Dispatchable { const void *dispatch; } *VkInstance, *VkPhysicalDevice, *VkDevice;
typedef uint64_t VkBuffer, VkImage, VkDeviceMemory, VkDeviceSize;

enum { VK_SUCCESS = 0, VK_ERROR_OUT_OF_HOST_MEMORY = -1, VK_ERROR_OUT_OF_DEVICE_MEMORY = -2, VK_ERROR_INITIALIZATION_FAILED = -3 };
enum { MEMORY_DEVICE_LOCAL = 1, MEMORY_HOST_VISIBLE = 2, MEMORY_HOST_COHERENT = 4 };
enum { VULKAN_1_1 = (1 << 22) | (1 << 12) };
enum {
  LOADER_INSTANCE_CREATE_INFO = 47,
  LOADER_DEVICE_CREATE_INFO = 48,
  MEMORY_ALLOCATE_FLAGS_INFO = 1000060000,
  MEMORY_DEDICATED_ALLOCATE_INFO = 1000127001,
  MEMORY_PRIORITY_ALLOCATE_INFO = 1000238001,
};

/* How every structure with a chain begins. */
typedef struct Chained { int32_t type; const struct Chained *next; } Chained;

typedef struct { VkDeviceSize size, alignment; uint32_t memory_types; } VkMemoryRequirements;
typedef struct { Chained head; VkMemoryRequirements requirements; } VkMemoryRequirements2;
typedef struct { Chained head; uint64_t object; } VkMemoryRequirementsInfo2; /* of a buffer or an image */
typedef struct { Chained head; VkDeviceSize size; uint32_t memory_type; } VkMemoryAllocateInfo;
typedef struct { Chained head; VkImage image; VkBuffer buffer; } VkMemoryDedicatedAllocateInfo;
typedef struct { uint32_t flags, heap; } VkMemoryType;
typedef struct { VkDeviceSize size; uint32_t flags; } VkMemoryHeap;
typedef struct {
  uint32_t type_count;
  VkMemoryType types[32];
  uint32_t heap_count;
  VkMemoryHeap heaps[16];
} VkPhysicalDeviceMemoryProperties;
typedef struct { uint32_t api_version; uint64_t rest[127]; } VkPhysicalDeviceProperties; /* it has 824 bytes */
typedef struct {
  Chained head;
  const char *name; uint32_t version;
  const char *engine; uint32_t engine_version;
  uint32_t api_version;
} VkApplicationInfo;
typedef struct { Chained head; uint32_t flags; const VkApplicationInfo *application; } VkInstanceCreateInfo; /* its beginning */

typedef Function (*GetInstanceProcAddr)(VkInstance, const char *);
typedef Function (*GetDeviceProcAddr)(VkDevice, const char *);
typedef VkResult (*CreateInstance)(const VkInstanceCreateInfo *, const void *, VkInstance *);
typedef VkResult (*CreateDevice)(VkPhysicalDevice, const Chained *, const void *, VkDevice *);
typedef void (*DestroyInstance)(VkInstance, const void *);
typedef void (*DestroyDevice)(VkDevice, const void *);
typedef void (*DestroyBuffer)(VkDevice, VkBuffer, const void *);
typedef void (*GetProperties)(VkPhysicalDevice, VkPhysicalDeviceProperties *);
typedef void (*GetMemoryProperties)(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties *);
typedef void (*GetRequirements)(VkDevice, uint64_t, VkMemoryRequirements *);
typedef void (*GetRequirements2)(VkDevice, const VkMemoryRequirementsInfo2 *, VkMemoryRequirements2 *);
typedef VkResult (*AllocateMemory)(VkDevice, const VkMemoryAllocateInfo *, const void *, VkDeviceMemory *);

/* Of the loader's interface to layers, version 2. Each layer takes its link and leaves the rest of the list to the next one. */

enum { INTERFACE_VERSION = 2, LINK_INFO = 0 };
typedef struct Link {
  struct Link *next;
  GetInstanceProcAddr get_instance_proc_addr;
  Function second; /* For a device GetDeviceProcAddr, for an instance that of physical devices. */
} Link;
typedef struct { Chained head; int32_t function; Link *links; } LinkInfo;
typedef struct {
  int32_t type;
  void *next;
  uint32_t version;
  GetInstanceProcAddr get_instance_proc_addr;
  GetDeviceProcAddr get_device_proc_addr;
  Function get_physical_device_proc_addr;
} VkNegotiateLayerInterface;
