# Builds and runs as an unprivileged user. The image contains only the built app and its runtime dependencies.
ARG NODE_IMAGE=node:22-bookworm-slim
FROM ${NODE_IMAGE} AS build
RUN install -d -o node -g node /home/node/pitboard
USER node
WORKDIR /home/node/pitboard
COPY --chown=node:node package.json package-lock.json ./
COPY --chown=node:node patches ./patches
COPY --chown=node:node scripts/packages/applyPatches.mjs scripts/run.mjs ./scripts/
RUN npm ci --include=dev --no-audit --no-fund
COPY --chown=node:node . .
RUN node scripts/buildOnly.mjs
RUN npm prune --omit=dev --no-audit --no-fund

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
RUN install -d -o node -g node -m 0700 /data
USER node
WORKDIR /home/node/pitboard
COPY --from=build /home/node/pitboard/package.json ./
COPY --from=build /home/node/pitboard/node_modules ./node_modules
COPY --from=build /home/node/pitboard/dist ./dist
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/server/main.js"]
