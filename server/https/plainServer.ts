import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type PlainAnswer = (request: IncomingMessage, response: ServerResponse) => void

/** The port for what is needed before HTTPS works. */
export interface PlainServer {
  port: number
  close(): void
}

/** Time for a request to arrive, and for an idle connection. */
const timeoutMs = 10_000

/** Listens without HTTPS. The app has none of its pages here, and no cookie is ever set. */
export async function listenPlainly(
  { host, port }: { host: string; port: number },
  answer: PlainAnswer,
): Promise<PlainServer> {
  const server = createServer(
    { requestTimeout: timeoutMs, headersTimeout: timeoutMs, keepAliveTimeout: timeoutMs },
    (request, response) => {
      response.setHeader('x-content-type-options', 'nosniff')
      response.setHeader('referrer-policy', 'no-referrer')
      response.setHeader('cache-control', 'no-store')
      answer(request, response)
    },
  )
  server.maxConnections = 500
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The path of a request, without its query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/'
}
