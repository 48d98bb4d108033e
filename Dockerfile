FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts: `prepare` would build before the sources are here.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
# Certificates for a cluster with TLS, git for plans that use worktrees. Add what your plans' commands need.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/bin ./bin
COPY --from=build /app/dist ./dist
COPY --from=build /app/src/temporal/dev-server ./src/temporal/dev-server
ENV NODE_ENV=production HOLDPOINT_HOME=/data
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
CMD ["node", "bin/holdpoint.js", "up"]
