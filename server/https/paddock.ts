import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { join } from 'node:path'
import qrcode from 'qrcode-generator'
import type { Clock } from '#contract/shared/clock.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { type Config, isLoopback, SettingsRefused } from '../config.ts'
import type { Log } from '../log.ts'
import { Authority, isLocalAddress, type TlsCertificate } from './authority.ts'
import type { Https } from './https.ts'
import { localHostNames, localNetworkAddresses } from './localNames.ts'
import { listenPlainly, type PlainAnswer, type PlainServer, pathOf } from './plainServer.ts'
import { type Setup, setupPath } from './setup.ts'
import { certificatePath, fontPath, profile, profilePath, trustPage } from './trustPage.ts'

/** Interval at which this machine's addresses are read: it may join a network after its start, or change it. */
const checkIntervalMs = 5000
/** Age at which a certificate is replaced. */
const renewAfterMs = 30 * dayMs

interface Context {
  config: Pick<Config, 'dataDir' | 'host' | 'publicUrl' | 'httpPort' | 'httpsPort'>
  log: Log
  clock: Clock
  /** Prints to the terminal. */
  print(text: string): void
  /** The operator's page, without a mail server. */
  setup?: Setup | undefined
  /** Folder of the built app, from which the page has its font; without it, a font of the system. */
  webFolder?: string
  /** This machine's names and addresses in local networks; a test passes its own. */
  hostNames?: () => string[]
  addresses?: () => string[]
}

/**
 * HTTPS without internet: certificates of this machine's own authority for its names and addresses, issued again when
 * these change. The port without HTTPS has the page on which a phone learns to trust the authority.
 */
export class Paddock implements Https {
  readonly isPublic = false
  readonly #context: Context
  readonly #authority: Authority
  readonly #listeners: ((certificate: TlsCertificate) => void)[] = []
  #certificate: TlsCertificate
  #hosts: string[]
  #issuedAt: number
  readonly #font: Buffer | undefined
  #httpsPort: number
  #plain: PlainServer | undefined
  #stopChecking: (() => void) | undefined

  private constructor(
    context: Context,
    authority: Authority,
    first: { certificate: TlsCertificate; hosts: string[]; issuedAt: number },
  ) {
    this.#context = context
    this.#authority = authority
    this.#certificate = first.certificate
    this.#hosts = first.hosts
    this.#issuedAt = first.issuedAt
    this.#font = fontOf(context.webFolder)
    this.#httpsPort = context.config.httpsPort
  }

  /** Opens the authority, or makes it at the first start, and issues a certificate. Throws SettingsRefused. */
  static async open(context: Context): Promise<Paddock> {
    const { config, clock } = context
    const own = publicHost(config)
    const names = [
      ...new Set([...hostNamesOf(context), ...(own && !isLocalAddress(own) ? [own] : [])]),
    ]
    const issuedAt = clock.now()
    const authority = await Authority.open(config.dataDir, names, issuedAt)
    if (own && !authority.permits(own)) {
      throw new SettingsRefused(
        `Settings refused:\n  PUBLIC_URL must be a name or a local address for which phones trust this machine's authority. To use ${own}, delete https/authority.json in DATA_DIR; each phone must then trust the new one`,
      )
    }
    const hosts = hostsOf(context, authority)
    return new Paddock(context, authority, {
      certificate: await authority.issue(hosts, issuedAt),
      hosts,
      issuedAt,
    })
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
    return this.#context.config.publicUrl ?? this.#origin(this.#hosts[0] ?? 'localhost')
  }

  async start(server: Server) {
    const { config, clock, log } = this.#context
    this.#httpsPort = (server.address() as AddressInfo).port
    const { host, httpPort: port } = config
    this.#plain = await listenPlainly({ host, port }, this.#answer)
    this.#stopChecking = clock.every(checkIntervalMs, () => {
      this.#check().catch((err: unknown) => log.error({ err }, 'failed to issue a certificate'))
    })
    this.#print()
  }

  close() {
    this.#stopChecking?.()
    this.#plain?.close()
  }

  /** Issues another certificate if this machine's names or addresses have changed, or if the current one is old. */
  async #check() {
    const { clock } = this.#context
    const hosts = hostsOf(this.#context, this.#authority)
    const isSame = hosts.join() === this.#hosts.join()
    if (isSame && Math.abs(clock.now() - this.#issuedAt) < renewAfterMs) return
    const issuedAt = clock.now()
    const certificate = await this.#authority.issue(hosts, issuedAt)
    const before = this.publicUrl()
    this.#issuedAt = issuedAt
    this.#hosts = hosts
    this.#certificate = certificate
    for (const replaced of this.#listeners) replaced(this.#certificate)
    if (this.publicUrl() !== before) this.#print()
  }

  #answer: PlainAnswer = (request, response) => {
    const shown = { publicUrl: this.publicUrl(), certificate: "this laptop's own" }
    if (this.setup?.answer(request, response, shown)) return
    const path = pathOf(request)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405).end()
    if (path === profilePath)
      return void response
        .setHeader('content-type', 'application/x-apple-aspen-config')
        .end(profile(this.#authority))
    if (path === certificatePath)
      return void response
        .setHeader('content-type', 'application/x-x509-ca-cert')
        .setHeader('content-disposition', 'attachment; filename="pitboard.crt"')
        .end(this.#authority.der)
    if (path === fontPath && this.#font)
      return void response
        .setHeader('content-type', 'font/woff2')
        .setHeader('cache-control', 'max-age=86400')
        .end(this.#font)
    if (path !== '/') return void response.writeHead(302, { location: '/' }).end()
    const { page, policy } = trustPage(this.#authority, {
      origin: this.#originFor(request.headers.host),
      userAgent: request.headers['user-agent'],
    })
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .setHeader('content-security-policy', policy)
      .end(page)
  }

  /** The address by which the device already reaches this machine, if the certificate has it. */
  #originFor(host = ''): string {
    const name = URL.canParse(`http://${host}`) ? bare(new URL(`http://${host}`).hostname) : ''
    return this.#hosts.includes(name) && !this.#context.config.publicUrl
      ? this.#origin(name)
      : this.publicUrl()
  }

  #origin(host: string): string {
    return new URL(`https://${inUrl(host)}:${this.#httpsPort}`).origin
  }

  /** Prints where phones start, also as a QR code. */
  #print() {
    const { hostname } = new URL(this.publicUrl())
    const start = new URL(`http://${hostname}:${this.#plain?.port ?? ''}`).origin
    const isAlone = isLoopback(bare(hostname))
    this.#context.print(
      [
        `\n  In the paddock   ${this.publicUrl()}`,
        `  Phones start at  ${start}  each trusts this laptop once: 4 steps, 2 min`,
        `  Fingerprint      ${this.#authority.fingerprint}`,
        ...(this.setup
          ? [
              `  Set up           http://localhost:${this.#plain?.port}${setupPath}?token=${this.setup.token}`,
            ]
          : []),
        ...(isAlone ? ['  This machine is in no local network yet.'] : []),
        '',
        qrText(start),
      ].join('\n'),
    )
  }
}

/** Reads the file of the built app's font that has the basic letters. */
function fontOf(webFolder: string | undefined): Buffer | undefined {
  if (webFolder === undefined) return undefined
  const assets = join(webFolder, 'assets')
  if (!existsSync(assets)) return undefined
  const name = readdirSync(assets).find(each => /^archivo-basic-.*\.woff2$/.test(each))
  return name === undefined ? undefined : readFileSync(join(assets, name))
}

function hostNamesOf({ hostNames = localHostNames }: Context): string[] {
  return hostNames()
}

/**
 * Returns the hosts of the certificate: that of PUBLIC_URL first, then addresses, which phones reach in any network,
 * then names.
 */
function hostsOf(context: Context, authority: Authority): string[] {
  const { addresses = localNetworkAddresses, config } = context
  const own = publicHost(config)
  const listed = isAnyAddress(config.host) ? addresses() : [config.host]
  const hosts = [...(own ? [own] : []), ...listed, '127.0.0.1', ...hostNamesOf(context)]
  return [...new Set(hosts)].filter(host => authority.permits(host))
}

function publicHost({ publicUrl }: Pick<Config, 'publicUrl'>): string | undefined {
  return publicUrl && bare(new URL(publicUrl).hostname)
}

function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** An address without the brackets that IPv6 has in URLs. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function inUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

/** A QR code of half blocks, dark on light in any terminal that shows light on dark. */
function qrText(text: string): string {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  return code.createASCII(1, 2)
}
