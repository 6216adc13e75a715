import fc from 'fast-check'
import { headersOf, who } from './apiCalls.ts'
import type { Request } from './http.ts'
import type { FuzzScene, Who } from './scene.ts'
import { jsonOf, nameToken, nowToken, resolveTokens } from './tokens.ts'
import { hostileValue, mutated } from './values.ts'

/** A request to a route outside the contract. Tokens in path and body are resolved. */
export interface RouteCase {
  who: Who
  method: string
  path: string
  headers: Record<string, string>
  /** Sent as it is if it is a string, else as JSON. */
  body: unknown
}

/** Hostile text for a path or query; characters that a URL cannot contain are escaped. */
const part = fc
  .oneof(
    hostileValue.map(value => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))),
    fc.constantFrom(
      '..%2f..%2f',
      '%00',
      '%',
      '%zz',
      '%ff%fe',
      ';',
      '?',
      '#',
      '\\',
      'a'.repeat(250),
    ),
  )
  .map(text =>
    text
      .toWellFormed()
      .slice(0, 3000)
      .replace(/[^\x21-\x7e]/gu, encodeURIComponent),
  )

function get(path: fc.Arbitrary<string>): fc.Arbitrary<RouteCase> {
  return fc.record({
    who,
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'),
    path,
    headers: fc.constant({}),
    body: fc.constant(undefined),
  })
}

function post(
  path: fc.Arbitrary<string>,
  body: fc.Arbitrary<unknown>,
  headers: fc.Arbitrary<Record<string, string>> = fc.constant({}),
): fc.Arbitrary<RouteCase> {
  return fc.record({ who, method: fc.constant('POST'), path, headers, body })
}

const place = fc.record({
  at: fc.constant(nowToken),
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  speedKmh: fc.integer({ min: 0, max: 320 }),
})

const contact = post(
  fc
    .oneof(fc.constantFrom('sessionId', 'foreignSessionId').map(nameToken), part)
    .map(id => `/api/v1/sessions/${id}/contact`),
  fc.oneof(place, mutated(place), hostileValue),
  fc.constant({ 'content-type': 'application/json' }),
)

const csv = get(
  fc
    .oneof(fc.constantFrom('sessionId', 'foreignSessionId').map(nameToken), part)
    .map(id => `/api/v1/sessions/${id}/messages.csv`),
)

const signal = fc.record({
  testId: fc.constantFrom(1, '1', 2 ** 31),
  taskId: fc.integer({ min: 0, max: 3 }),
  status: fc.constantFrom('begin', 'done', 'skipped'),
  duration: fc.double(),
  taskAnswer: fc.string({ unit: 'binary', maxLength: 30 }),
  token: fc.constant(nameToken('visitId')),
  userUUID: fc.uuid(),
})

const ingestPaths =
  'start i images feature-flags tags not-started uxt/test/1 uxt/signals/test uxt/signals/task uxt/upload-url'
const ingest = post(
  fc
    .oneof(
      fc.constantFrom(...ingestPaths.split(' ')),
      part.map(text => `uxt/test/${text}`),
    )
    .map(path => `/api/ingest/v1/web/${path}`),
  fc.oneof(signal, mutated(signal), hostileValue),
  fc
    .constantFrom(
      { authorization: 'Bearer <<visitId>>' },
      { authorization: 'Bearer <<foreignVisitId>>' },
      { authorization: 'Bearer x', 'content-type': 'text/plain' },
    )
    .map(headers => ({ origin: '<<origin>>', ...headers })),
)

const signIn = get(
  fc
    .record({
      path: fc.constantFrom('', '/callback'),
      next: part,
      code: part,
      state: part,
    })
    .map(({ path, ...query }) => `/api/auth/google${path}?${asQuery(query)}`),
)

const plainPaths = get(
  fc.oneof(
    part.map(text => `/${text}`),
    part.map(text => `/api/${text}`),
    part.map(text => `/assets/${text}`),
    part.map(text => `/support/${text}`),
    part.map(text => `/version.json?${text}`),
    fc.constantFrom(
      '/healthz',
      '/readyz',
      '/metrics',
      '/dev/mailbox',
      '/dev/mailbox.json',
      '/live',
      '/assist/peerjs',
      '/ws-assist/socket/',
      '/.well-known/security.txt',
    ),
  ),
)

const getFile = get(
  fc
    .record({
      teamId: fc.constantFrom('<<teamId>>', '<<foreignTeamId>>'),
      name: part,
      updatedAt: part,
    })
    .map(query => `/api/files.get?${asQuery(query)}`),
)

const field = fc.record({
  name: fc.constantFrom('teamId', 'name', 'file', 'file', '__proto__', ''),
  filename: fc.option(fc.oneof(fc.constant('a.png'), part)),
  value: fc.oneof(
    fc.constantFrom(
      '<<teamId>>',
      '<<foreignTeamId>>',
      'logo',
      'setup.txt',
      '\x89PNG\r\n\x1a\n\0\0',
    ),
    fc.string({ unit: 'binary', maxLength: 200 }),
  ),
})

const upload = post(
  fc.constant('/api/files.upload'),
  fc
    .record({
      fields: fc.array(field, { maxLength: 5 }),
      end: fc.constantFrom('--x--\r\n', '--x--\r\n', '--x', ''),
    })
    .map(({ fields, end }) => fields.map(partOfForm).join('') + end),
  fc.constantFrom('x', 'x', 'x', 'y', '"').map(boundary => ({
    'content-type': `multipart/form-data; boundary=${boundary}`,
  })),
)

function partOfForm({
  name,
  filename,
  value,
}: {
  name: string
  filename: string | null
  value: string
}) {
  const file = filename === null ? '' : `; filename="${filename}"`
  return `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`
}

export const routeCase = fc.oneof(contact, csv, ingest, signIn, plainPaths, getFile, upload)

const account = fc.record({
  client_id: fc.constant('pitboard-demo'),
  redirect_uri: fc.constantFrom('<<origin>>/api/auth/google/callback', 'https://evil.example'),
  response_type: fc.constant('code'),
  scope: fc.constant('openid'),
  state: part,
  nonce: part,
  code_challenge: fc.constant('a'.repeat(43)),
  code_challenge_method: fc.constant('S256'),
  email: fc.oneof(fc.emailAddress(), part),
  given_name: part,
  family_name: part,
  to: fc.oneof(fc.constant('/teams'), part),
})
const form = fc.constant({
  origin: '<<origin>>',
  'content-type': 'application/x-www-form-urlencoded',
})
const devPath = fc.constantFrom('/dev/sign-in', '/dev/openid/authorize', '/dev/openid/token')

/** Routes of DEV=1: the mailbox, the demo account provider and sign-in by a link. */
export const devCase: fc.Arbitrary<RouteCase> = fc.oneof(
  get(fc.tuple(devPath, account).map(([path, query]) => `${path}?${asQuery(query)}`)),
  get(part.map(to => `/dev/mailbox?to=${to}`)),
  get(part.map(to => `/dev/mailbox.json?to=${to}`)),
  post(devPath, account.map(asQuery), form),
  post(devPath, part, form),
  signIn,
)

function asQuery(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('&')
}

export function routeRequest(route: RouteCase, scene: FuzzScene | null, origin: string): Request {
  const names = { ...scene?.names, origin }
  const { who, method, path, body } = route
  const resolved = Object.entries(route.headers).map(([name, value]) => [
    name,
    resolveTokens(value, names),
  ])
  const text = typeof body === 'string' ? resolveTokens(body, names) : jsonOf(body, names)
  return {
    method,
    path: resolveTokens(path, names),
    headers: { ...(scene && headersOf(who, scene)), ...Object.fromEntries(resolved) },
    ...(body !== undefined && { body: text }),
  }
}
