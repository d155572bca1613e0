export { type ClientOptions, type Rights, serverFor } from './server.js';
export { serveStdio } from './stdio.js';
export { type HttpOptions, type McpService, serveHttp } from './http.js';
