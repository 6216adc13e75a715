import { errorCodes } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { RefusalBody } from '#contract/refusal.ts'
import { createLog } from '../log.ts'
import { createHttp } from './server.ts'

const http = await createHttp({
  log: createLog('silent'),
  trustProxy: [],
  publicUrl: () => 'http://localhost',
})
let thrown: unknown

beforeAll(async () => {
  http.get('/api/throw', () => {
    throw thrown
  })
  http.get('/api/of/:name', { schema: { params: z.object({ name: z.string() }) } }, () => ({}))
  http.post('/api/name', { schema: { body: z.object({ name: z.string().max(80) }) } }, () => ({}))
  http.get(
    '/api/wrong-answer',
    { schema: { response: { 200: z.object({ n: z.int() }) } } },
    () => ({
      n: 'secret',
    }),
  )
  await http.ready()
})
afterAll(() => http.close())

async function answerTo(error: unknown) {
  thrown = error
  const answer = await http.inject('/api/throw')
  return { status: answer.statusCode, ...RefusalBody.parse(answer.json()) }
}

const clientErrors = Object.entries(errorCodes)
  .map(([code, Failure]) => ({ code, error: new Failure() }))
  .filter(({ error: { statusCode = 500 } }) => statusCode < 500)

test('Fastify has more than ten client error codes', () => {
  expect(clientErrors.map(({ code }) => code)).toContain('FST_ERR_MAX_PARAM_LENGTH')
  expect(clientErrors.length).toBeGreaterThan(10)
})

test.each(clientErrors)('$code is a refusal, not a server error', async ({ error }) => {
  const { status } = await answerTo(error)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
})

test.each([
  ['a bug', new TypeError('secret is undefined')],
  ["another server's 403", Object.assign(new Error('secret'), { statusCode: 403 })],
  ['text', 'secret'],
  ['nothing', null],
])('a thrown %s is a server error, and reveals nothing', async (_what, error) => {
  const answer = await answerTo(error)
  expect(answer).toMatchObject({ status: 500, code: 'server-error' })
  expect(JSON.stringify(answer)).not.toContain('secret')
})

test('a reset database connection is not a client error', async () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  expect(await answerTo(reset)).toMatchObject({ status: 503, code: 'not-ready' })
})

test('a call whose statement PostgreSQL ended is refused as too slow', async () => {
  const ended = Object.assign(new Error('canceling statement due to statement timeout'), {
    code: '57014',
  })
  expect(await answerTo(ended)).toMatchObject({
    status: 400,
    code: 'too-slow',
    detail: 'read-slow',
  })
})

test('an overlong or malformed URL is not found', async () => {
  for (const name of ['x'.repeat(201), '%ff', '%E0%A4%A']) {
    const answer = await http.inject(`/api/of/${name}`)
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not-found'])
  }
})

test('input on which the schema library throws is refused', async () => {
  const answer = await http.inject({
    method: 'POST',
    url: '/api/name',
    payload: { name: { length: { toString: 1 } } },
  })
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid-input'])
})

test('a response that does not match its schema is not sent', async () => {
  const answer = await http.inject('/api/wrong-answer')
  expect([answer.statusCode, answer.json().code]).toEqual([500, 'server-error'])
  expect(answer.body).not.toContain('secret')
})
