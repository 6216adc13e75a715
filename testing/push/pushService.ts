import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  type ECDH,
  randomBytes,
  verify,
} from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { eventSentences, teamEventKinds } from '#contract/teamEvents.ts'
import { type Listening, listening } from '../listening.ts'

const longestLifeS = 24 * 60 * 60

const hmac = (key: Buffer, ...parts: (Buffer | string)[]) => {
  const hash = createHmac('sha256', key)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

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
  #local: Listening | null = null

  static async start(): Promise<PushService> {
    const service = new PushService()
    service.#local = await listening(service.#server)
    return service
  }

  get url(): string {
    return this.#local?.url ?? ''
  }

  /** Subscribes a new browser for messages of the server with this key. */
  subscribe(applicationServerKey: string): BrowserSubscription {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    const auth = randomBytes(16)
    const path = `/push/${randomBytes(16).toString('base64url')}`
    this.#browsers.set(path, { pair, auth, applicationServerKey, isGone: false })
    return {
      endpoint: `${this.url}${path}`,
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
    await this.#local?.[Symbol.asyncDispose]()
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
      audience: this.url,
      nowMs: Date.now(),
    })
    const topic = textOf(headers['topic'])
    if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) throw new Error('Topic is not valid')
    if (!/^\d+$/.test(String(headers['ttl']))) throw new Error('TTL is missing')
    this.received.push({
      endpoint: `${this.url}${request.url}`,
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

/** The private half of a browser's subscription. */
interface BrowserKeys {
  pair: ECDH
  auth: Buffer
}

/** Decrypts the body of a push message as a browser does (RFC 8291, one record of aes128gcm, RFC 8188). */
function decryptPush({ pair, auth }: BrowserKeys, body: Buffer): string {
  const salt = body.subarray(0, 16)
  const idLength = body.readUInt8(20)
  const serverKey = body.subarray(21, 21 + idLength)
  const record = body.subarray(21 + idLength)
  if (record.length > body.readUInt32BE(16)) throw new Error('The message has several records')

  const shared = hmac(auth, pair.computeSecret(serverKey))
  const input = hmac(shared, 'WebPush: info\0', pair.getPublicKey(), serverKey, '\x01')
  const secret = hmac(salt, input)
  const key = hmac(secret, 'Content-Encoding: aes128gcm\0\x01').subarray(0, 16)
  const nonce = hmac(secret, 'Content-Encoding: nonce\0\x01').subarray(0, 12)

  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  // 2 ends the content of the last record, followed by zeros.
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some(byte => byte !== 0))
    throw new Error('The message has no valid padding')
  return padded.subarray(0, end).toString('utf8')
}

/**
 * Verifies the `Authorization` header of a push message as push services do (RFC 8292), and returns its contact.
 * Throws with the reason if it is not valid.
 */
function verifyVapid(
  header: string | undefined,
  { publicKey, audience, nowMs }: { publicKey: string; audience: string; nowMs: number },
): string {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), *k=([\w-]+)$/.exec(header ?? '') ?? []
  if (key !== publicKey) throw new Error('The key is not that of the subscription')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const valid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    {
      key: createPublicKey({
        format: 'jwk',
        key: {
          kty: 'EC',
          crv: 'P-256',
          x: point.subarray(1, 33).toString('base64url'),
          y: point.subarray(33).toString('base64url'),
        },
      }),
      dsaEncoding: 'ieee-p1363',
    },
    Buffer.from(signature, 'base64url'),
  )
  if (!valid) throw new Error('The signature is not valid')
  const { alg } = decoded(head)
  const { aud, exp, sub } = decoded(claims)
  if (alg !== 'ES256') throw new Error(`The algorithm is ${String(alg)}`)
  if (aud !== audience) throw new Error(`The audience is ${String(aud)}`)
  const leftS = Number(exp) - nowMs / 1000
  if (!(leftS > 0 && leftS <= longestLifeS)) throw new Error(`The token is valid for ${leftS} s`)
  if (typeof sub !== 'string' || !/^(mailto|https):/.test(sub))
    throw new Error(`The contact is ${String(sub)}`)
  return sub
}

function decoded(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
}
