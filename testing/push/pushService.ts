import { createECDH, randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventSentences, teamEventKinds } from '#contract/teamEvents.ts'
import { type BrowserKeys, decryptPush } from './decryptPush.ts'
import { verifyVapid } from './verifyVapid.ts'

/** A message as the browser receives it. */
export interface ReceivedPush {
  endpoint: string
  /** The decrypted notification. */
  notification: Record<string, unknown>
  ttlS: number
  topic: string | undefined
  urgency: string | undefined
  /** The contact of the sender, from its verified token. */
  contact: string
}

/** A subscription as the Push API returns it to a page. */
export interface BrowserSubscription {
  endpoint: string
  p256dh: string
  auth: string
}

interface KnownBrowser extends BrowserKeys {
  applicationServerKey: string
  isGone: boolean
}

/**
 * A push service on this machine, with the browsers that it serves: it verifies the sender of each message and
 * decrypts it. Messages that a real one would refuse are refused with the reason.
 */
export class PushService implements AsyncDisposable {
  readonly received: ReceivedPush[] = []
  /** Reasons of refused messages. */
  readonly refused: string[] = []
  readonly #server = createServer((request, response) => {
    void this.#handle(request).then(
      status => response.writeHead(status).end(),
      (error: Error) => {
        this.refused.push(error.message)
        response.writeHead(403).end(error.message)
      },
    )
  })
  readonly #browsers = new Map<string, KnownBrowser>()
  readonly #events = new EventEmitter()
  #failures: number[] = []
  #url = ''

  static async start(): Promise<PushService> {
    const service = new PushService()
    service.#server.listen(0, '127.0.0.1')
    await once(service.#server, 'listening')
    service.#url = `http://127.0.0.1:${(service.#server.address() as AddressInfo).port}`
    return service
  }

  get url(): string {
    return this.#url
  }

  /** Subscribes a new browser for messages of the server with this key. */
  subscribe(applicationServerKey: string): BrowserSubscription {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    const auth = randomBytes(16)
    const path = `/push/${randomBytes(16).toString('base64url')}`
    this.#browsers.set(path, { pair, auth, applicationServerKey, isGone: false })
    return {
      endpoint: `${this.#url}${path}`,
      p256dh: pair.getPublicKey('base64url'),
      auth: auth.toString('base64url'),
    }
  }

  /** Ends a subscription, as a browser does when its user withdraws the permission. */
  end({ endpoint }: Pick<BrowserSubscription, 'endpoint'>) {
    const browser = this.#browsers.get(new URL(endpoint).pathname)
    if (browser) browser.isGone = true
  }

  /** Responds with these statuses to the next messages. */
  failNext(...statuses: number[]) {
    this.#failures.push(...statuses)
  }

  /** Resolves once this many messages were received in all. */
  async untilReceived(count: number): Promise<ReceivedPush[]> {
    while (this.received.length < count) await once(this.#events, 'received')
    return this.received
  }

  async [Symbol.asyncDispose]() {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #handle(request: IncomingMessage): Promise<number> {
    const body = Buffer.concat(await request.toArray())
    const browser = this.#browsers.get(request.url ?? '')
    if (!browser) return 404
    if (browser.isGone) return 410
    const failure = this.#failures.shift()
    if (failure !== undefined) return failure
    const { headers } = request
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error('The encoding is not known')
    if (headers['content-type'] !== 'application/notification+json')
      throw new Error('The content is not declarative')
    const contact = verifyVapid(headers.authorization, {
      publicKey: browser.applicationServerKey,
      audience: this.#url,
      nowMs: Date.now(),
    })
    const topic = textOf(headers['topic'])
    if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) throw new Error('Topic is not valid')
    if (!/^\d+$/.test(String(headers['ttl']))) throw new Error('TTL is missing')
    this.received.push({
      endpoint: `${this.#url}${request.url}`,
      notification: notificationIn(decryptPush(browser, body)),
      ttlS: Number(headers['ttl']),
      topic,
      urgency: textOf(headers['urgency']),
      contact,
    })
    this.#events.emit('received')
    return 201
  }
}

/** Returns the notification of a declarative message, as Safari requires it. */
function notificationIn(text: string): Record<string, unknown> {
  const { web_push, notification } = JSON.parse(text)
  if (web_push !== 8030) throw new Error('The content is not declarative')
  if (typeof notification.title !== 'string' || !URL.canParse(notification.navigate))
    throw new Error('The notification is not complete')
  return notification
}

/** Returns the kind of the event that a notification shows; undefined for a test. */
export function kindOf({ notification }: Pick<ReceivedPush, 'notification'>) {
  return teamEventKinds.find(kind =>
    String(notification['title']).endsWith(eventSentences[kind]('')),
  )
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
