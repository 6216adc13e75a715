import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { EventEmitter, once } from 'node:events'

const headerBytes = 12
const typeA = 1

/** A DNS server on this machine (RFC 1035), for resolvers of tests. */
export class NameServer implements AsyncDisposable {
  /** Names that were asked for. */
  readonly asked = new Set<string>()
  readonly #socket = createSocket('udp4')
  readonly #events = new EventEmitter()

  /** Responds with the IPv4 address that `addressOf` returns for a name, or never. */
  static async start(addressOf: (name: string) => string | undefined): Promise<NameServer> {
    const server = new NameServer()
    const socket = server.#socket
    socket.on('message', (query, { port, address }) => {
      const { name, end } = questionIn(query)
      server.asked.add(name)
      server.#events.emit('asked')
      const found = addressOf(name)
      if (found !== undefined) socket.send(responseTo(query, end, found), port, address)
    })
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return server
  }

  /** A resolver that asks only this server. */
  resolver(timeout = 2000): Resolver {
    const resolver = new Resolver({ timeout, tries: 1 })
    resolver.setServers([`127.0.0.1:${this.#socket.address().port}`])
    return resolver
  }

  /** Resolves once this many names were asked for. */
  async untilAsked(count: number) {
    while (this.asked.size < count) await once(this.#events, 'asked')
  }

  async [Symbol.asyncDispose]() {
    this.#socket.close()
    await once(this.#socket, 'close')
  }
}

/** Reads the labels of the only question. */
function questionIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = headerBytes
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 5 }
}

/** Answers a question for an IPv4 address, and no other one. */
function responseTo(query: Buffer, end: number, address: string): Buffer {
  const isForIpv4 = query.readUInt16BE(end - 4) === typeA
  const head = Buffer.from(query.subarray(0, end))
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(isForIpv4 ? 1 : 0, 6)
  head.writeUInt32BE(0, 8)
  if (!isForIpv4) return head
  const answer = Buffer.from('c00c00010001000000000004', 'hex')
  return Buffer.concat([head, answer, Buffer.from(address.split('.').map(Number))])
}
