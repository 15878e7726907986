# hashbench on lavapipe, Mesa's Vulkan driver on the CPU: docker build -t hashbench . && docker run --rm hashbench
FROM node:22-trixie-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends libvulkan1 mesa-vulkan-drivers \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /hashbench
COPY . .
RUN npm ci
CMD ["npx", "hashbench", "run"]
