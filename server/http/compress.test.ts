import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createHttp } from './server.ts'

const http = await createHttp({
  log: createLog('silent'),
  trustProxy: [],
  publicUrl: () => 'http://localhost',
})
const large = { rows: Array(200).fill({ type: 'Pit', firstName: 'Jörg' }) }

beforeAll(async () => {
  http.get('/api/large', () => large)
  http.post('/api/large', () => large)
  http.get('/api/small', () => ({ n: 1 }))
  await http.ready()
})
afterAll(() => http.close())

async function answerTo(encodings: string | undefined, path = '/api/large') {
  const headers = encodings === undefined ? {} : { 'accept-encoding': encodings }
  return http.inject({ url: path, headers })
}

test.each([
  ['gzip, deflate, br, zstd', 'br', promisify(brotliDecompress)],
  ['gzip', 'gzip', promisify(gunzip)],
  ['br;q=0, gzip;q=0.5', 'gzip', promisify(gunzip)],
])('a large read with Accept-Encoding %s is sent as %s', async (accepted, encoding, decompress) => {
  const { headers, rawPayload } = await answerTo(accepted)
  expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
  expect(rawPayload.length).toBeLessThan(500)
  expect(headers['content-length']).toBe(String(rawPayload.length))
  expect(JSON.parse(String(await decompress(rawPayload)))).toEqual(large)
})

test.each([undefined, '', 'identity', 'deflate'])(
  'a large read with Accept-Encoding %j is not compressed',
  async accepted => {
    const answer = await answerTo(accepted)
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers.vary).toBe('accept-encoding')
    expect(answer.json()).toEqual(large)
  },
)

test('small responses and responses to commands are not compressed', async () => {
  expect((await answerTo('br', '/api/small')).headers['content-encoding']).toBeUndefined()
  const posted = await http.inject({
    method: 'POST',
    url: '/api/large',
    headers: { 'accept-encoding': 'br' },
  })
  expect(posted.headers['content-encoding']).toBeUndefined()
  expect(posted.json()).toEqual(large)
})
