import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Answer {
  /** 0 if the connection was closed without a response. */
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Buffer | undefined
}

/** Timeout of a response. */
const longestMs = 15_000

/** A pool of keep-alive connections to one server. Dispose of it at the end. */
export class HttpClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 25 })
  readonly #origin: URL
  readonly #forwarded: boolean
  #count = 0

  /** With `forwarded` each request has a new client address in X-Forwarded-For, as from a trusted proxy. */
  constructor(url: string, { forwarded }: { forwarded: boolean }) {
    this.#origin = new URL(url)
    this.#forwarded = forwarded
  }

  /** Rejects if the response times out. */
  send({ method, path, headers, body }: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          agent: this.#agent,
          hostname: this.#origin.hostname,
          port: this.#origin.port,
          method,
          path,
          headers: {
            ...(this.#forwarded && { 'x-forwarded-for': this.#address() }),
            ...headers,
            ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
          },
        },
        response => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', () => resolve(closed))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString(),
            }),
          )
        },
      )
      sent.setTimeout(longestMs, () => sent.destroy(new Error('timeout')))
      // The server may refuse and close the connection before the whole body was sent.
      sent.on('error', error => (error.message === 'timeout' ? reject(error) : resolve(closed)))
      sent.end(body)
    })
  }

  [Symbol.dispose]() {
    this.#agent.destroy()
  }

  /** Returns a new address, so that rate limits per address do not apply. */
  #address(): string {
    this.#count += 1
    const [a, b, c] = [this.#count >> 16, this.#count >> 8, this.#count].map(part => part & 255)
    return `10.${a}.${b}.${c}`
  }
}

const closed: Answer = { status: 0, headers: {}, text: '' }
