import type { IncomingMessage, Server } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** Finds the address a request came from, also after its connection was reset. */
export class ClientAddresses {
  readonly #isTrusted: ((address: string, index: number) => boolean) | undefined

  /** `trustProxy`: addresses and ranges of proxies whose X-Forwarded-For is believed. */
  constructor(trustProxy: readonly string[]) {
    if (trustProxy.length > 0) this.#isTrusted = proxyAddr.compile([...trustProxy])
  }

  /** Reads each connection's address as it opens: Node keeps it then, but cannot read it after a reset. */
  watch(server: Server) {
    server.on('connection', socket => void socket.remoteAddress)
  }

  /** True for the address of a trusted proxy. */
  isProxy(address: string): boolean {
    return this.#isTrusted?.(address, 0) ?? false
  }

  of(request: IncomingMessage): string | undefined {
    const { remoteAddress } = request.socket
    if (!this.#isTrusted || remoteAddress === undefined) return remoteAddress
    return proxyAddr(request, this.#isTrusted)
  }
}
