import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

interface Weather {
  /** One way, in milliseconds: evenly spread around the middle. */
  readonly delayMs: number
  readonly spreadMs: number
  /** Share of the packets that are lost. */
  readonly loss: number
}

/** A way to a server of this machine that can be made slow, lossy, or cut, and counts what passes. */
export interface SlowNetwork extends AsyncDisposable {
  readonly url: string
  /** Bytes from and to the phone so far. */
  readonly bytes: { up: number; down: number }
  setWeather(weather: Weather): void
  /** Nothing passes any more, and nobody is told, as in a tunnel. */
  cut(): void
  restore(): void
}

/**
 * What a lost packet costs: the sender waits for its retransmission timer, and all that comes after
 * waits too. The smallest timer of Linux (RFC 6298 with TCP_RTO_MIN) is 200 ms on top of a round trip.
 */
const retransmissionMs = 200
/** Payload of one packet on Ethernet. */
const packetBytes = 1460

export async function slowNetwork(serverUrl: string): Promise<SlowNetwork> {
  const port = Number(new URL(serverUrl).port)
  const bytes = { up: 0, down: 0 }
  const sockets = new Set<Socket>()
  let weather: Weather = { delayMs: 0, spreadMs: 0, loss: 0 }
  let isCut = false

  /** What tries to pass meanwhile is tried again by the network itself, and comes through at the end. */
  const waiting: (() => void)[] = []
  function whenOpen(act: () => void) {
    if (isCut) waiting.push(act)
    else act()
  }

  function carry(from: Socket, to: Socket, way: keyof typeof bytes) {
    let arrivesAt = 0
    const pass = (chunk: Buffer) => {
      bytes[way] += chunk.length
      const { delayMs, spreadMs, loss } = weather
      const packets = Math.ceil(chunk.length / packetBytes)
      const isLost = Math.random() < 1 - (1 - loss) ** packets
      const ownMs =
        delayMs + (Math.random() * 2 - 1) * spreadMs + (isLost ? retransmissionMs + 2 * delayMs : 0)
      // Nothing overtakes on a TCP connection.
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
    setWeather(next) {
      weather = next
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
