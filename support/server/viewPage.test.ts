import pino from 'pino'
import { expect, test } from 'vitest'
import { createHttp } from '#server/http/server.ts'
import { viewPage } from '../contract/supportRules.ts'
import { addViewPageHeaders } from './register.ts'

test('the view of a visitor’s page runs nothing and requests no other host', async () => {
  await using app = await createHttp({
    log: pino({ level: 'silent' }),
    trustProxy: [],
    publicUrl: () => 'https://pit.example',
    support: { external: undefined },
  })
  addViewPageHeaders(app)
  const { headers } = await app.inject(`${viewPage}?x=1`)
  const policy = String(headers['content-security-policy']).split(';')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("img-src 'self' data: blob:")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy.filter(each => each.startsWith('script-src'))).toEqual([])
  expect(headers['x-frame-options']).toBe('SAMEORIGIN')
  const other = await app.inject('/api/openapi.json')
  expect(other.headers['x-frame-options']).toBe('DENY')
})
