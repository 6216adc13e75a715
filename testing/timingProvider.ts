import { createServer, type IncomingHttpHeaders } from 'node:http'
import { WebSocketServer } from 'ws'
import { listening } from './listening.ts'

export interface ProviderRequest {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

interface Answer {
  status?: number
  headers?: Record<string, string>
  json?: unknown
}

/** A server that responds like the API of a provider of timing, as set by the test, and streams lines on `/instance/…`. */
export async function timingProvider() {
  const requests: ProviderRequest[] = []
  const joined: string[] = []
  let answer: (request: ProviderRequest) => Answer = () => ({ status: 404 })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      requests.push(asked)
      const { status = 200, headers, json } = answer(asked)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(json === undefined ? '' : JSON.stringify(json))
    })
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    socket.on('error', () => undefined)
    socket.on('message', (data: Buffer) => joined.push(`${request.url} ${data.toString()}`))
  })
  const local = await listening(server)
  return {
    host: `127.0.0.1:${local.port}`,
    requests,
    /** Streams that are open: the path, and what was sent after opening. */
    joined,
    get streams() {
      return sockets.clients.size
    },
    answers(next: typeof answer) {
      answer = next
    },
    stream(...lines: string[]) {
      for (const socket of sockets.clients) socket.send(lines.join('\r\n'))
    },
    drop() {
      for (const socket of sockets.clients) socket.terminate()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      await local[Symbol.asyncDispose]()
    },
  }
}
