import { resolveTxt } from 'node:dns/promises'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Clock } from '#contract/shared/clock.ts'
import { hourMs } from '#contract/shared/durations.ts'
import type { Challenge } from './acme.ts'
import type { TlsCertificate } from './authority.ts'
import type { PlainAnswer } from './plainServer.ts'
import { pathOf } from './plainServer.ts'

const filePrefix = '/.well-known/acme-challenge/'
const alpnProtocol = 'acme-tls/1'

const checkIntervalMs = 5000
/** How long somebody may take to set a TXT record by hand. */
const longestLookMs = hourMs

interface Context {
  clock: Pick<Clock, 'after' | 'monotonicMs'>
  print(text: string): void
  /** The server with HTTPS, which answers `tls-alpn-01`. */
  server(): Server
  /** Looks up the TXT records of a name; a test passes its own. */
  lookUp?: (name: string) => Promise<string[][]>
}

/** Serves the one challenge of the order that is under way. */
export class Challenges {
  readonly #context: Context
  #file: { path: string; content: string } | undefined
  #stopDiverting: (() => void) | undefined

  constructor(context: Context) {
    this.#context = context
  }

  async present(challenge: Challenge): Promise<void> {
    const { token, keyAuthorization, host } = challenge
    switch (challenge.type) {
      case 'http-01':
        this.#file = { path: filePrefix + token, content: keyAuthorization }
        return
      case 'tls-alpn-01':
        this.#stopDiverting = divertChecks(this.#context.server(), await challenge.certificate())
        return
      case 'dns-01':
        return this.#waitForRecord(`_acme-challenge.${host}`, keyAuthorization)
    }
  }

  async withdraw(): Promise<void> {
    this.#file = undefined
    this.#stopDiverting?.()
    this.#stopDiverting = undefined
  }

  /** Answers a request for the file of `http-01`. Returns false for any other request. */
  answer(...[request, response]: Parameters<PlainAnswer>): boolean {
    if (this.#file?.path !== pathOf(request)) return false
    response.setHeader('content-type', 'application/octet-stream').end(this.#file.content)
    return true
  }

  async #waitForRecord(name: string, value: string) {
    const { clock, print, lookUp = resolveTxt } = this.#context
    print(`\nSet this TXT record, then wait:\n  ${name}  ${value}\n`)
    const startedAt = clock.monotonicMs()
    while (clock.monotonicMs() - startedAt < longestLookMs) {
      const records = await lookUp(name).catch((): string[][] => [])
      if (records.some(parts => parts.join('') === value)) return
      await new Promise<void>(resolve => clock.after(checkIntervalMs, resolve))
    }
    throw new Error(`The TXT record ${name} was not found within an hour`)
  }
}

/**
 * Answers the connections with which an authority checks `tls-alpn-01`, and passes all others on. Node chooses a
 * certificate before it reads the protocols that a client offers, so they are read here first.
 */
function divertChecks(server: Server, certificate: TlsCertificate): () => void {
  const answering = createTlsServer({ ...certificate, ALPNProtocols: [alpnProtocol] }, socket =>
    socket.on('error', () => socket.destroy()).end(),
  )
  const usual = server.listeners('connection')
  const passOn = (socket: Socket) => {
    for (const listener of usual) listener.call(server, socket)
  }
  const divert = (socket: Socket) => {
    const giveUp = () => void socket.destroy()
    socket.once('error', giveUp).setTimeout(10_000, giveUp)
    socket.once('readable', () => {
      socket.off('error', giveUp).setTimeout(0).off('timeout', giveUp)
      const hello: Buffer | null = socket.read()
      if (hello === null) return giveUp()
      socket.unshift(hello)
      if (hello.includes(alpnProtocol)) answering.emit('connection', socket)
      else passOn(socket)
    })
  }
  server.removeAllListeners('connection').on('connection', divert)
  return () => {
    server.removeAllListeners('connection')
    for (const listener of usual) server.on('connection', listener as (socket: Socket) => void)
  }
}
