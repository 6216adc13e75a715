import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** A server on a free port of this machine. */
export interface Listening extends AsyncDisposable {
  readonly port: number
  readonly url: string
}

/** Lets a server listen. Disposing of it closes its connections by HTTP; others must have ended. */
export async function listening(server: Server | HttpServer): Promise<Listening> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
