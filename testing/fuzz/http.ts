import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Answer {
  /** 0 where the connection was closed without an answer. */
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

/** An answer that takes longer than this is a hang. */
const longestMs = 15_000

/** A pool of kept connections to one server. Close it at the end. */
export class HttpClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 25 })
  readonly #origin: URL
  readonly #forwarded: boolean
  #count = 0

  /** Forwarded: each request says, as a trusted proxy does, that it comes from an address not used before. */
  constructor(url: string, { forwarded }: { forwarded: boolean }) {
    this.#origin = new URL(url)
    this.#forwarded = forwarded
  }

  /** Rejects when no answer comes in time. */
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
      sent.setTimeout(longestMs, () => sent.destroy(new Error('no answer')))
      // A refusal may come, and the connection close, before all of the body was sent.
      sent.on('error', error => (error.message === 'no answer' ? reject(error) : resolve(closed)))
      sent.end(body)
    })
  }

  [Symbol.dispose]() {
    this.#agent.destroy()
  }

  /** So that limits per address do not refuse what is tried. */
  #address(): string {
    this.#count += 1
    const [a, b, c] = [this.#count >> 16, this.#count >> 8, this.#count].map(part => part & 255)
    return `10.${a}.${b}.${c}`
  }
}

const closed: Answer = { status: 0, headers: {}, text: '' }
