import { X509Certificate } from 'node:crypto'
import type { Server } from 'node:http'
import { z } from 'zod'
import type { EpochMs } from '#contract/ids.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { dayMs, hourMs, minuteMs } from '#contract/shared/durations.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { type ChallengeType, createKey, orderCertificate, suggestedRenewal } from './acme.ts'
import { selfSigned, type TlsCertificate } from './authority.ts'
import { Challenges } from './challenges.ts'
import type { Https } from './https.ts'
import { listenPlainly, type PlainAnswer, type PlainServer, pathOf } from './plainServer.ts'
import { keyFile, readIfExists, writePrivately } from './privateFiles.ts'
import { type Setup, setupPath } from './setup.ts'

/** Interval at which the schedule is checked: it follows the clock even after the machine was suspended. */
const checkIntervalMs = minuteMs
/** Interval at which the authority is asked whether to renew earlier (RFC 9773), as after a revocation. */
const renewalInfoIntervalMs = 6 * hourMs
/** Pause after the first failure; each further one doubles it. Let's Encrypt allows five failures an hour. */
const firstPauseMs = 2 * minuteMs
const maxPauseMs = 6 * hourMs

const Stored = z.object({ host: z.string(), cert: z.string(), key: z.string() })

interface Context {
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
  readonly #context: Context
  readonly #host: string
  readonly #challenges: Challenges
  readonly #listeners: ((certificate: TlsCertificate) => void)[] = []
  #certificate: TlsCertificate
  /** False while the current certificate is the one that no browser trusts. */
  #isIssued: boolean
  #failures = 0
  #lastFailure: string | undefined
  #nextOrderAt: EpochMs
  #renewalInfoAt: EpochMs = 0
  #checking: Promise<void> | undefined
  #server: Server | undefined
  #plain: PlainServer | undefined
  #stopChecking: (() => void) | undefined

  private constructor(
    context: Context,
    host: string,
    { certificate, isIssued }: { certificate: TlsCertificate; isIssued: boolean },
  ) {
    this.#context = context
    this.#host = host
    this.#certificate = certificate
    this.#isIssued = isIssued
    this.#nextOrderAt = isIssued ? dueAt(certificate) : 0
    this.#challenges = new Challenges({
      ...context,
      server: () => {
        if (!this.#server) throw new Error('The server does not listen yet')
        return this.#server
      },
    })
  }

  /** Reads the certificate of PUBLIC_URL from the data folder, if there is one. */
  static async open(context: Context): Promise<AutomaticHttps> {
    const { config, clock } = context
    const host = new URL(config.publicUrl ?? '').hostname
    const text = await readIfExists(certificateFile(config))
    const stored = text === undefined ? undefined : Stored.parse(JSON.parse(text))
    const isIssued = stored?.host === host
    const certificate = isIssued ? stored : await selfSigned(host, clock.now())
    return new AutomaticHttps(context, host, { certificate, isIssued })
  }

  get setup(): Setup | undefined {
    return this.#context.setup
  }

  current(): TlsCertificate {
    return this.#certificate
  }

  onReplaced(listener: (certificate: TlsCertificate) => void) {
    this.#listeners.push(listener)
  }

  publicUrl(): string {
    return this.#context.config.publicUrl ?? ''
  }

  async start(server: Server) {
    const { config, clock, print } = this.#context
    this.#server = server
    const { host, httpPort: port } = config
    this.#plain = await listenPlainly({ host, port }, this.#answer)
    this.#stopChecking = clock.every(checkIntervalMs, () => void this.check())
    print(`\n  Certificate      ${this.state()}`)
    if (this.setup)
      print(
        `  Set up           http://localhost:${this.#plain.port}${setupPath}?token=${this.setup.token}\n`,
      )
    void this.check()
  }

  close() {
    this.#stopChecking?.()
    this.#plain?.close()
  }

  /** Days until the certificate ends; 0 if none was issued yet. */
  daysLeft(): number {
    if (!this.#isIssued) return 0
    return (datesOf(this.#certificate).endsAt - this.#context.clock.now()) / dayMs
  }

  /** State of the certificate for the operator, in a sentence. */
  state(): string {
    const days = Math.floor(this.daysLeft())
    const has = this.#isIssued ? `${days} ${days === 1 ? 'day' : 'days'} left` : 'none yet'
    return this.#lastFailure === undefined ? has : `${has}. Last try: ${this.#lastFailure}`
  }

  /** Orders a certificate if it is time to. Resolves when that has succeeded or failed; never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#renewIfDue().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #renewIfDue() {
    const { clock, log, print } = this.#context
    if (clock.now() < this.#nextOrderAt && !(await this.#isWantedEarlier())) return
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
    const { config, clock } = this.#context
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
    this.#nextOrderAt = dueAt(certificate)
  }

  /** Delays the next order: exponential backoff. */
  #pause() {
    this.#failures += 1
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (this.#failures - 1))
    this.#nextOrderAt = this.#context.clock.now() + pauseMs
  }

  /** Alternates between the two ports: if one cannot be reached from the internet, the other may be. */
  #nextChallenge(): ChallengeType {
    if (this.#context.config.acmeChallenge === 'dns') return 'dns-01'
    return this.#failures % 2 === 0 ? 'http-01' : 'tls-alpn-01'
  }

  /** Asks the authority, at most each `renewalInfoIntervalMs`, whether the certificate should be renewed earlier. */
  async #isWantedEarlier(): Promise<boolean> {
    const { config, clock, log } = this.#context
    const now = clock.now()
    if (!this.#isIssued || this.#failures > 0 || now < this.#renewalInfoAt) return false
    this.#renewalInfoAt = now + renewalInfoIntervalMs
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
