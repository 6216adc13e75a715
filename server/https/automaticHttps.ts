import { X509Certificate } from 'node:crypto'
import type { Server } from 'node:http'
import { z } from 'zod'
import type { EpochMs } from '#contract/ids.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { type ChallengeType, createKey, orderCertificate, suggestedRenewal } from './acme.ts'
import { selfSigned, type TlsCertificate } from './authority.ts'
import { Challenges } from './challenges.ts'
import type { Https } from './https.ts'
import { listenPlainly, type PlainAnswer, type PlainServer, pathOf } from './plainServer.ts'
import { keyFile, readIfExists, writePrivately } from './privateFiles.ts'
import { type Setup, setupPath } from './setup.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How often the schedule is looked at: it follows the clock even after a suspended night. */
const lookIntervalMs = minuteMs
/** How often the authority is asked whether a certificate should be renewed earlier, such as a revoked one. */
const askIntervalMs = 6 * hourMs
/** Pause after the first failure; each further one doubles it. Authorities allow about five failures an hour. */
const firstPauseMs = 2 * minuteMs
const longestPauseMs = 6 * hourMs

const Stored = z.object({ host: z.string(), cert: z.string(), key: z.string() })

interface Surroundings {
  config: Pick<Config, 'dataDir' | 'host' | 'publicUrl' | 'httpPort' | 'acmeUrl' | 'acmeChallenge'>
  log: Log
  clock: Clock
  /** Prints to the terminal. */
  print(text: string): void
  /** The operator's page, without a mail server. */
  setup?: Setup | undefined
  /** Looks up TXT records; a test passes its own. */
  lookUp?: (name: string) => Promise<string[][]>
}

/**
 * HTTPS with a certificate that a public authority issues by ACME, and that is renewed when a third of its lifetime is
 * left. The server listens from the start: with a certificate that no browser trusts until the first one has arrived,
 * and with the old one while renewals fail.
 */
export class AutomaticHttps implements Https {
  readonly isPublic = true
  readonly #around: Surroundings
  readonly #host: string
  readonly #challenges: Challenges
  readonly #listeners: ((certificate: TlsCertificate) => void)[] = []
  #certificate: TlsCertificate
  /** False while the current certificate is the one that no browser trusts. */
  #isIssued: boolean
  #failures = 0
  #lastFailure: string | undefined
  #nextAt: EpochMs
  #askAt: EpochMs = 0
  #looking: Promise<void> | undefined
  #server: Server | undefined
  #plain: PlainServer | undefined
  #stopLooking: (() => void) | undefined

  private constructor(
    around: Surroundings,
    host: string,
    { certificate, isIssued }: { certificate: TlsCertificate; isIssued: boolean },
  ) {
    this.#around = around
    this.#host = host
    this.#certificate = certificate
    this.#isIssued = isIssued
    this.#nextAt = isIssued ? dueAt(certificate) : 0
    this.#challenges = new Challenges({
      ...around,
      server: () => {
        if (!this.#server) throw new Error('The server does not listen yet')
        return this.#server
      },
    })
  }

  /** Reads the certificate of PUBLIC_URL from the data folder, if there is one. */
  static async open(around: Surroundings): Promise<AutomaticHttps> {
    const { config, clock } = around
    const host = new URL(config.publicUrl ?? '').hostname
    const text = await readIfExists(certificateFile(config))
    const stored = text === undefined ? undefined : Stored.parse(JSON.parse(text))
    const isIssued = stored?.host === host
    const certificate = isIssued ? stored : await selfSigned(host, clock.now())
    return new AutomaticHttps(around, host, { certificate, isIssued })
  }

  get setup(): Setup | undefined {
    return this.#around.setup
  }

  current(): TlsCertificate {
    return this.#certificate
  }

  onReplaced(listener: (certificate: TlsCertificate) => void) {
    this.#listeners.push(listener)
  }

  publicUrl(): string {
    return this.#around.config.publicUrl ?? ''
  }

  async start(server: Server) {
    const { config, clock, print } = this.#around
    this.#server = server
    const { host, httpPort: port } = config
    this.#plain = await listenPlainly({ host, port }, this.#answer)
    this.#stopLooking = clock.every(lookIntervalMs, () => void this.look())
    print(`\n  Certificate      ${this.state()}`)
    if (this.setup)
      print(
        `  Set up           http://localhost:${this.#plain.port}${setupPath}?token=${this.setup.token}\n`,
      )
    void this.look()
  }

  close() {
    this.#stopLooking?.()
    this.#plain?.close()
  }

  /** Days until the certificate ends; 0 if none was issued yet. */
  daysLeft(): number {
    if (!this.#isIssued) return 0
    return (datesOf(this.#certificate).endsAt - this.#around.clock.now()) / dayMs
  }

  /** State of the certificate for the operator, in a sentence. */
  state(): string {
    const days = Math.floor(this.daysLeft())
    const has = this.#isIssued ? `${days} ${days === 1 ? 'day' : 'days'} left` : 'none yet'
    return this.#lastFailure === undefined ? has : `${has}. Last try: ${this.#lastFailure}`
  }

  /** Orders a certificate if it is time to. Resolves when that has succeeded or failed; never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#renewIfDue().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #renewIfDue() {
    const { clock, log, print } = this.#around
    if (clock.now() < this.#nextAt && !(await this.#isWantedEarlier())) return
    try {
      await this.#renew()
      this.#lastFailure = undefined
      print(`\n  Certificate      ${this.state()}\n`)
    } catch (error) {
      this.#lastFailure = error instanceof Error && error.message ? error.message : String(error)
      const daysLeft = Math.floor(this.daysLeft())
      log.error({ err: error, daysLeft }, `failed to obtain a certificate: ${this.#lastFailure}`)
      print(`\n  Certificate      ${this.state()}\n`)
      this.#pause()
    }
  }

  async #renew() {
    const { config, clock } = this.#around
    const certificate = await orderCertificate({
      directoryUrl: config.acmeUrl,
      host: this.#host,
      accountKey: await accountKey(config),
      challenge: this.#nextChallenge(),
      present: challenge => this.#challenges.present(challenge),
      withdraw: () => this.#challenges.withdraw(),
    })
    await writePrivately(
      certificateFile(config),
      JSON.stringify({ host: this.#host, ...certificate }),
    )
    this.#certificate = certificate
    this.#isIssued = true
    for (const replaced of this.#listeners) replaced(certificate)
    if (dueAt(certificate) <= clock.now())
      throw new Error("The new certificate ends too soon: is this machine's clock right?")
    this.#failures = 0
    this.#nextAt = dueAt(certificate)
  }

  /** The next order waits for twice as long as the last one. */
  #pause() {
    this.#failures += 1
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#failures - 1))
    this.#nextAt = this.#around.clock.now() + pauseMs
  }

  /** If one port cannot be reached from the internet, the other may be. */
  #nextChallenge(): ChallengeType {
    if (this.#around.config.acmeChallenge === 'dns') return 'dns-01'
    return this.#failures % 2 === 0 ? 'http-01' : 'tls-alpn-01'
  }

  /** Asks the authority, now and then, whether the certificate should be renewed earlier. */
  async #isWantedEarlier(): Promise<boolean> {
    const { config, clock, log } = this.#around
    const now = clock.now()
    if (!this.#isIssued || this.#failures > 0 || now < this.#askAt) return false
    this.#askAt = now + askIntervalMs
    const suggestedAt = await suggestedRenewal(config.acmeUrl, this.#certificate.cert).catch(
      (err: unknown) => {
        log.debug({ err }, 'failed to ask when to renew the certificate')
        return undefined
      },
    )
    return suggestedAt !== undefined && suggestedAt <= now
  }

  #answer: PlainAnswer = (request, response) => {
    if (this.#challenges.answer(request, response)) return
    const shown = { publicUrl: this.publicUrl(), certificate: this.state() }
    if (this.setup?.answer(request, response, shown)) return
    if (pathOf(request).startsWith('/.well-known/')) return void response.writeHead(404).end()
    response.writeHead(308, { location: this.publicUrl() + pathInside(request.url) }).end()
  }
}

/** The path and query of a request, without another host. */
function pathInside(url = '/'): string {
  return url.startsWith('/') ? url : '/'
}

function certificateFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return keyFile(dataDir, 'certificate.json')
}

/** Reads the key of the account with the authority, or makes it at the first order. */
async function accountKey({ dataDir }: Pick<Config, 'dataDir'>): Promise<string> {
  const path = keyFile(dataDir, 'account.pem')
  const stored = await readIfExists(path)
  if (stored !== undefined) return stored
  const made = await createKey()
  await writePrivately(path, made)
  return made
}

/** A certificate is due for renewal when a third of its lifetime is left. */
function dueAt(certificate: TlsCertificate): EpochMs {
  const { beginsAt, endsAt } = datesOf(certificate)
  return endsAt - (endsAt - beginsAt) / 3
}

function datesOf({ cert }: TlsCertificate) {
  const { validFrom, validTo } = new X509Certificate(cert)
  return { beginsAt: Date.parse(validFrom), endsAt: Date.parse(validTo) }
}
