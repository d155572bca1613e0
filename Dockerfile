# syntax=docker/dockerfile:1
# Node 24 is supported until April 2028.
FROM node:24.21.0-bookworm-slim AS node

FROM node AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contracts/package.json packages/contracts/
COPY packages/client/package.json packages/client/
COPY packages/otel/package.json packages/otel/
COPY packages/mcp/package.json packages/mcp/
COPY packages/cli/package.json packages/cli/
COPY packages/dashboard/package.json packages/dashboard/
COPY packages/testing/package.json packages/testing/

FROM manifests AS build
RUN npm ci
COPY . .
RUN npm run build

# Without the optional packages: in production Postgres is a server of its own, named by DATABASE_URL.
FROM manifests AS packages
RUN npm ci --omit=dev --omit=optional

FROM node
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/package.json ./
COPY --from=build /app/packages packages
COPY --from=build /app/presets presets
COPY --from=build /app/dist dist
USER node
EXPOSE 3000
CMD ["node", "dist/main.js"]
