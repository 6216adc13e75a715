import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { callCase } from './apiCalls.ts'
import { fromSchema } from './fromSchema.ts'
import { HttpClient } from './http.ts'
import { FuzzRecord } from './record.ts'
import { tryRequest } from './requests.ts'
import { fuzz } from './run.ts'
import { deepToken, jsonOf, nameToken } from './tokens.ts'
import { mutated } from './values.ts'

test('a seed always generates the same inputs', () => {
  const inputs = () => fc.sample(callCase, { seed: 7, numRuns: 50 })
  expect(inputs()).toEqual(inputs())
})

test('every endpoint of the contract is called', () => {
  const tried = new Set(fc.sample(callCase, { seed: 1, numRuns: 6000 }).map(({ name }) => name))
  const all = Object.entries(api).flatMap(([topic, calls]) =>
    Object.keys(calls).map(name => `${topic}.${name}`),
  )
  expect([...tried].sort()).toEqual(all.sort())
})

test('inputs generated from a schema are valid, mutated ones mostly not', () => {
  const { input } = api.sessions.storeFixes
  const names = { sessionId: '00000000-0000-4000-8000-000000000000', foreignSessionId: '' }
  const fitting = (arbitrary: fc.Arbitrary<unknown>) =>
    fc
      .sample(arbitrary, { seed: 1, numRuns: 200 })
      .map(value => jsonOf(value, names))
      .filter(json => json.includes(names.sessionId))
      .filter(json => {
        try {
          return input.safeParse(JSON.parse(json)).success
        } catch {
          return false
        }
      }).length
  expect(fitting(fromSchema(input))).toBeGreaterThan(50)
  expect(fitting(mutated(fromSchema(input)))).toBeLessThan(50)
})

test('tokens resolve to ids of the scene and to deeply nested JSON', () => {
  const json = jsonOf({ id: nameToken('teamId'), deep: deepToken(3) }, { teamId: 'a-team' })
  expect(json).toBe('{"id":"a-team","deep":[[[]]]}')
})

test('a record stores each violation with its input', () => {
  const record = new FuzzRecord()
  record.of('live').tried += 2
  record.of('live').refused += 1
  record.violate('live', 'responded server-error', { t: 'subscribe' })
  expect(record).toMatchObject({ tried: 2, refused: 1 })
  expect(record.violations).toEqual([
    { entryPoint: 'live', what: 'responded server-error', input: '{"t":"subscribe"}' },
  ])
})

test('a 500 response, or one that contains the secret, is a violation', async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/fails' ? 500 : 200
    response.end(request.url === '/leaks' ? 'the secret of others' : '')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const record = new FuzzRecord()
  {
    using client = new HttpClient(`http://127.0.0.1:${port}`, { forwarded: true })
    for (const path of ['/fails', '/leaks', '/fine']) {
      const request = { method: 'GET', path, headers: {} }
      await tryRequest(client, record, { entryPoint: 'HTTP', secret: 'secret of others' }, request)
    }
  }
  server.close()
  expect(record.violations.map(({ what }) => what)).toEqual([
    'responded 500 ',
    'a response contains the secret',
  ])
})

test('hostile inputs at every interface crash, change and leak nothing', async () => {
  const { record, failedSeed } = await fuzz({ seed: 1, cases: 5000, forMs: 5000 })
  expect(record.violations, `npm run fuzz -- --seed ${failedSeed} --cases 1`).toEqual([])
  const entryPoints = [
    'HTTP calls',
    'HTTP routes',
    'HTTP /dev',
    'raw HTTP',
    'live',
    'assist',
    'signalling',
  ]
  expect([...record.counts.keys()]).toEqual(entryPoints)
  for (const [entryPoint, { tried, refused }] of record.counts) {
    expect([entryPoint, tried > 0, refused > 0]).toEqual([entryPoint, true, true])
  }
  expect(record.stateChecks).toBeGreaterThan(0)
})
