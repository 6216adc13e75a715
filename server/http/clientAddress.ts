import type { IncomingMessage, Server } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** Finds the client's IP address of a request, even after its connection was reset. */
export class ClientAddresses {
  readonly #isTrusted: ((address: string, index: number) => boolean) | undefined

  /** `trustProxy` lists IP addresses and ranges of proxies whose X-Forwarded-For is trusted. */
  constructor(trustProxy: readonly string[]) {
    if (trustProxy.length > 0) this.#isTrusted = proxyAddr.compile([...trustProxy])
  }

  /**
   * Reads the IP address of each new connection, which makes Node cache it: after a reset it is not
   * available.
   */
  watch(server: Server) {
    server.on('connection', socket => void socket.remoteAddress)
  }

  /** True for the IP address of a trusted proxy. */
  isProxy(address: string): boolean {
    return this.#isTrusted?.(address, 0) ?? false
  }

  of(request: IncomingMessage): string | undefined {
    const { remoteAddress } = request.socket
    if (!this.#isTrusted || remoteAddress === undefined) return remoteAddress
    return proxyAddr(request, this.#isTrusted)
  }
}
