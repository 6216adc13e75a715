import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { asRefusal, sendError } from './refuse.ts'

test('a full disk is refused as such, over HTTP and over a connection', async () => {
  const errors = { database: '53100', file: 'ENOSPC' }
  const http = Fastify()
  http.setErrorHandler(sendError)
  for (const [name, code] of Object.entries(errors))
    http.get(`/${name}`, () => {
      throw Object.assign(new Error('no space left on device'), { code })
    })
  for (const [name, code] of Object.entries(errors)) {
    const answer = await http.inject(`/${name}`)
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '10'])
    expect(answer.json()).toMatchObject({ code: 'not-ready', detail: 'storage-full' })
    const refused = asRefusal(Object.assign(new Error('full'), { code }))
    expect(refused.message).toContain("The server's disk is full")
  }
  await http.close()
})
