import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from '../listening.ts'

export type S3Server = Awaited<ReturnType<typeof startS3Server>>

/** Starts a minimal S3 server: it stores objects in memory, by `bucket/key`, and refuses unsigned requests. */
export async function startS3Server() {
  const sink = { objects: new Map<string, Buffer>(), signatures: [] as string[] }
  /** How it handles the next requests: normally, with a 500, or not at all. */
  let mood: 'fine' | 'broken' | 'silent' = 'fine'
  const server = createServer((request, response) => {
    void buffer(request).then(body => answer(request, response, body))
  })
  const { url, [Symbol.asyncDispose]: close } = await listening(server)

  function answer(request: IncomingMessage, response: ServerResponse, body: Buffer) {
    if (mood === 'silent') return
    const { authorization = '' } = request.headers
    sink.signatures.push(authorization)
    const key = decodeURIComponent(request.url?.slice(1) ?? '')
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    if (mood === 'broken') return refuse(500, 'InternalError')
    if (!authorization.startsWith('AWS4-HMAC-SHA256 Credential=AKID/')) {
      return refuse(403, 'AccessDenied')
    }
    if (!key.startsWith('pitboard-files/')) return refuse(404, 'NoSuchBucket')
    if (request.method === 'PUT') sink.objects.set(key, body)
    if (request.method === 'DELETE') sink.objects.delete(key)
    if (request.method !== 'GET') return response.end()
    const found = sink.objects.get(key)
    if (!found) return refuse(404, 'NoSuchKey')
    return response.writeHead(200, { 'content-length': found.length }).end(found)
  }

  return {
    ...sink,
    settings: {
      endpoint: url,
      bucket: 'pitboard-files',
      region: 'eu-west-1',
      accessKeyId: 'AKID',
      secretAccessKey: 'secret',
    },
    get mood() {
      return mood
    },
    set mood(now: 'fine' | 'broken' | 'silent') {
      mood = now
    },
    [Symbol.asyncDispose]: close,
  }
}
