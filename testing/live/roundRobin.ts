import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Starts a TCP proxy that connects each client to the next available server, and closes with it. */
export async function roundRobin(ports: readonly number[], port: number) {
  let turn = 0
  const open = new Set<Socket>()

  function pass(client: Socket, triesLeft: number) {
    const server = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1')
    let connected = false
    server.once('connect', () => {
      connected = true
      client.pipe(server).pipe(client)
      client.once('close', () => server.destroy())
      server.once('close', () => client.destroy())
    })
    server.on('error', () => {
      if (!connected && triesLeft > 0) pass(client, triesLeft - 1)
      else client.destroy()
    })
  }

  const proxy = createServer(client => {
    open.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => open.delete(client))
    pass(client, ports.length)
  })
  proxy.listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const client of open) client.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
