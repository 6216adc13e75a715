import { expect, test } from 'vitest'
import { isLocalRequest } from './localRequest.ts'

const host = 'localhost:3000'
const isLocal = (headers: Record<string, string>, httpVersion = '1.1') =>
  isLocalRequest({ headers, httpVersion })

test("a browser's request on this machine is local", () => {
  const headers = {
    host,
    connection: 'keep-alive',
    'user-agent': 'Mozilla/5.0',
    'sec-fetch-site': 'none',
    'sec-ch-ua-platform': '"Linux"',
    'upgrade-insecure-requests': '1',
    'accept-encoding': 'gzip, br',
    cookie: 'pitboard_login=x',
    'x-xsrf-token': 'y',
    'x-requested-with': 'XMLHttpRequest',
  }
  expect(isLocal(headers)).toBe(true)
})

test('a request for a foreign host name is not local', () => {
  expect(isLocal({ host: 'evil.example:3000' })).toBe(false)
  expect(isLocal({})).toBe(false)
})

test.each([
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'cf-connecting-ip',
  'cf-ray',
  'cdn-loop',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'x-amzn-trace-id',
  'x-envoy-external-address',
  'tailscale-user-login',
  'wl-proxy-client-ip',
])('a request with %s came through a proxy', name => {
  expect(isLocal({ host, [name]: '127.0.0.1' })).toBe(false)
})

test('an HTTP/1.0 request came from a proxy with default settings', () => {
  expect(isLocal({ host }, '1.0')).toBe(false)
})
