import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

interface NetworkConditions {
  /** One-way delay in milliseconds, spread evenly around the mean. */
  readonly delayMs: number
  readonly spreadMs: number
  /** Packet loss as a share. */
  readonly loss: number
}

/** A proxy to a server of this machine that can be made slow, lossy or blocked, and counts bytes. */
export interface SlowNetwork extends AsyncDisposable {
  readonly url: string
  /** Bytes from and to the phone so far. */
  readonly bytes: { up: number; down: number }
  setConditions(conditions: NetworkConditions): void
  /** Blocks all data without closing connections, as in a tunnel. */
  cut(): void
  restore(): void
}

/**
 * Delay of a lost packet: the sender waits for its retransmission timeout, and all later data waits too.
 * The smallest timeout of Linux (RFC 6298 with TCP_RTO_MIN) is 200 ms on top of a round trip.
 */
const retransmissionMs = 200
/** Payload of one packet on Ethernet. */
const packetBytes = 1460

export async function slowNetwork(serverUrl: string): Promise<SlowNetwork> {
  const port = Number(new URL(serverUrl).port)
  const bytes = { up: 0, down: 0 }
  const sockets = new Set<Socket>()
  let conditions: NetworkConditions = { delayMs: 0, spreadMs: 0, loss: 0 }
  let isCut = false

  /** Blocked data, which TCP would retransmit: it is delivered after the restore. */
  const waiting: (() => void)[] = []
  function whenOpen(act: () => void) {
    if (isCut) waiting.push(act)
    else act()
  }

  function carry(from: Socket, to: Socket, way: keyof typeof bytes) {
    let arrivesAt = 0
    const pass = (chunk: Buffer) => {
      bytes[way] += chunk.length
      const { delayMs, spreadMs, loss } = conditions
      const packets = Math.ceil(chunk.length / packetBytes)
      const isLost = Math.random() < 1 - (1 - loss) ** packets
      const ownMs =
        delayMs + (Math.random() * 2 - 1) * spreadMs + (isLost ? retransmissionMs + 2 * delayMs : 0)
      // TCP delivers in order.
      arrivesAt = Math.max(arrivesAt, performance.now() + ownMs)
      setTimeout(() => to.write(chunk), arrivesAt - performance.now())
    }
    from.on('data', (chunk: Buffer) => whenOpen(() => pass(chunk)))
    from.on('close', () => whenOpen(() => to.destroy()))
    from.on('error', () => undefined)
  }

  function join(phone: Socket) {
    if (phone.destroyed) return
    const server = connect(port, '127.0.0.1')
    sockets.add(server)
    server.setNoDelay(true)
    server.on('close', () => sockets.delete(server))
    carry(phone, server, 'up')
    carry(server, phone, 'down')
  }

  const proxy = createServer(phone => {
    sockets.add(phone)
    phone.setNoDelay(true)
    phone.on('close', () => sockets.delete(phone))
    phone.on('error', () => undefined)
    whenOpen(() => join(phone))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    bytes,
    setConditions(next) {
      conditions = next
    },
    cut() {
      isCut = true
    },
    restore() {
      isCut = false
      for (const act of waiting.splice(0)) act()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
