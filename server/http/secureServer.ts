import type { Server } from 'node:http'
import { type Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { FastifyServerOptions } from 'fastify'

/** The certificate of a server that speaks HTTPS itself. */
export interface ServerCertificate {
  /** False for one of this machine's own authority: the page that hands it out must be reachable without HTTPS. */
  readonly isPublic: boolean
  /** Chain and private key, in PEM. */
  current(): { cert: string; key: string }
  /** Calls `listener` with each later certificate. */
  onReplaced(listener: (certificate: { cert: string; key: string }) => void): void
}

/** How many requests of one connection are served at once. */
const maxConcurrentStreams = 100

/**
 * Options with which Fastify serves HTTPS: HTTP/2 for pages and calls, HTTP/1.1 for WebSockets and for clients
 * that speak only that. They are typed as those of a plain server, whose requests, responses and events it has.
 */
export function secureOptions(certificate: ServerCertificate): FastifyServerOptions {
  const options = {
    http2: true,
    https: {
      ...certificate.current(),
      allowHTTP1: true,
      settings: { maxConcurrentStreams },
      Http2ServerRequest: Request,
      Http2ServerResponse: Response,
    },
  }
  return options as FastifyServerOptions
}

/** Sets the timeouts, which are no options of Fastify, and serves each later certificate. */
export function secure(
  server: Server,
  certificate: ServerCertificate,
  timeouts: Pick<Server, 'headersTimeout' | 'requestTimeout'>,
) {
  // They apply to HTTP/1.1 here; a session of HTTP/2 ends when it is idle.
  Object.assign(server, timeouts)
  const secureServer = server as unknown as Http2SecureServer
  certificate.onReplaced(next => secureServer.setSecureContext(next))
}

/** A request with the Host header that HTTP/2 replaces. */
class Request extends Http2ServerRequest {
  constructor(...given: ConstructorParameters<typeof Http2ServerRequest>) {
    super(...given)
    this.headers.host ??= this.headers[':authority']
  }
}

/** A response with the properties `destroyed` and `closed` of HTTP/1.1, which Node declares here but does not have. */
class Response extends Http2ServerResponse {}
Object.defineProperties(Response.prototype, {
  destroyed: { get: isStreamDestroyed },
  closed: { get: isStreamDestroyed },
})

function isStreamDestroyed(this: Response): boolean {
  return this.stream.destroyed
}
