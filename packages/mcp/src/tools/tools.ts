import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Waybill } from '@waybill/client';

/** What every tool uses. */
export interface Tools {
  readonly server: McpServer;
  /** The client of the assistant that has connected. */
  readonly waybill: () => Waybill;
}
