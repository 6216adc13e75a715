import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttp } from './server.ts'
import { addVersion } from './version.ts'
import { addWebFiles } from './webFiles.ts'

let app: FastifyInstance
let url: string
const folder = mkdtempSync(join(tmpdir(), 'pitboard-web-'))
const manifest = {
  'index.html': { name: 'index', file: 'assets/index.js', css: ['assets/index.css'] },
  '_sign-in.js': { name: 'sign-in', file: 'assets/sign-in.js', imports: ['index.html'] },
  '_drive.js': { name: 'drive', file: 'assets/drive.js', imports: ['index.html'] },
  '_shared.js': { name: 'shared', file: 'assets/shared.js', imports: ['_sign-in.js', '_drive.js'] },
  'teams/TeamHomeScreen.tsx': {
    name: 'TeamHomeScreen',
    file: 'assets/home.js',
    imports: ['_shared.js'],
    css: ['assets/home.css'],
  },
  'wall/WallScreen.tsx': {
    name: 'WallScreen',
    file: 'assets/wall.js',
    imports: ['_shared.js'],
  },
}

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  mkdirSync(join(folder, '.vite'))
  writeFileSync(join(folder, '.vite/manifest.json'), JSON.stringify(manifest))
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>Pitboard</title><style>b{color:red}</style>',
  )
  writeFileSync(join(folder, 'version.json'), '{"version":"1.2.3"}')
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(folder, 'sw.js'), 'self')
  writeFileSync(join(folder, 'assets/app-abc.js'), 'export {}')
  writeFileSync(join(folder, 'assets/app-abc.js.gz'), gzipSync('export {}'))
  const publicUrl = () => 'https://pit.example'
  app = await createHttp({ log: pino({ level: 'silent' }), trustProxy: [], publicUrl })
  addVersion(app, folder)
  await addWebFiles(app, folder)
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

test.each(['/', '/teams', '/teams/x/y/drive', '/auth/sign-in?email=a%40b.cc', '/new'])(
  '%s is the app, always revalidated',
  async path => {
    const response = await fetch(url + path)
    expect(await response.text()).toContain('<title>Pitboard</title>')
    expect(response.headers.get('cache-control')).toBe('no-cache')
  },
)

test.each([
  ['/', 'index.js sign-in.js index.css'],
  ['/auth/sign-in?next=/teams', 'index.js sign-in.js index.css'],
  ['/teams', 'index.js shared.js sign-in.js drive.js index.css'],
  ['/teams/x', 'index.js home.js shared.js sign-in.js drive.js index.css home.css'],
  ['/teams/x/y/drive', 'index.js drive.js index.css'],
  ['/teams/x/wall?big', 'index.js wall.js shared.js sign-in.js drive.js index.css'],
  ['/teams/x/unknown', 'index.js shared.js sign-in.js drive.js index.css'],
])('%s names the login and the files of its screen: %s', async (path, names) => {
  const { headers } = await fetch(url + path)
  const files = names
    .split(' ')
    .map(name => [
      `</assets/${name}>`,
      name.endsWith('.js') ? 'rel=modulepreload' : 'rel=preload; as=style; crossorigin',
    ])
  const login = ['</api/auth.login>', 'rel=preload', 'as=fetch', 'crossorigin']
  expect(headers.get('link')).toBe([login, ...files].map(parts => parts.join('; ')).join(', '))
})

test.each(['br', 'gzip'])('the page is compressed with %s, and not sent again', async encoding => {
  const headers = { 'accept-encoding': encoding }
  const response = await fetch(`${url}/teams`, { headers })
  expect(response.headers.get('content-encoding')).toBe(encoding)
  expect(response.headers.get('vary')).toBe('accept-encoding')
  expect(await response.text()).toContain('<title>Pitboard</title>')
  const etag = response.headers.get('etag') ?? ''
  const again = await fetch(`${url}/teams`, { headers: { ...headers, 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('a browser without compression gets the plain page', async () => {
  const response = await fetch(`${url}/teams`, { headers: { 'accept-encoding': 'identity' } })
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(await response.text()).toContain('<title>Pitboard</title>')
})

test.each([
  '/',
  '/teams',
  '/auth/sign-in',
  '/icon.svg',
  '/sw.js',
  '/version.json',
  '/assets/app-abc.js',
  '/api/openapi.json',
  '/api/nothing',
  '/assets/gone.js',
])('HEAD %s responds as GET does, without the content', async path => {
  const headers = { accept: 'text/html', 'accept-encoding': 'identity' }
  const [got, head] = await Promise.all(
    ['GET', 'HEAD'].map(method => fetch(url + path, { method, headers })),
  )
  const compared = ['content-type', 'content-length', 'etag', 'cache-control', 'vary']
  const described = ({ status, headers }: Response) => [
    status,
    ...compared.map(name => headers.get(name)),
  ]
  expect(described(head!)).toEqual(described(got!))
  expect(await head!.text()).toBe('')
})

test('the policy allows exactly the styles of the page', async () => {
  const { headers } = await fetch(`${url}/teams`)
  const hash = createHash('sha256').update('b{color:red}').digest('base64')
  expect(headers.get('content-security-policy')).toContain(`;style-src 'self' 'sha256-${hash}';`)
})

test.each([
  '/api/nothing',
  '/assets/gone.js',
  '/assets/app-abc.js.gz',
  '/assets/..%2Ficon.svg',
  '/assets/',
  '/dev/mailbox',
  '/live',
  '/favicon.ico',
])('%s is not the app', async path => {
  const response = await fetch(url + path)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'not-found' })
})

test('hashed files are cached for a year and sent compressed', async () => {
  const response = await fetch(`${url}/assets/app-abc.js`, {
    headers: { 'accept-encoding': 'gzip' },
  })
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(await response.text()).toBe('export {}')
  // Shared caches store the response, and parallel responses would each set another token.
  expect(response.headers.get('set-cookie')).toBeNull()
  const head = await fetch(`${url}/assets/app-abc.js`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type')]).toEqual([
    200,
    'application/javascript; charset=utf-8',
  ])
  expect((await fetch(`${url}/icon.svg`)).headers.get('cache-control')).toBe('no-cache')
})

test('the service worker is always revalidated', async () => {
  const { headers } = await fetch(`${url}/sw.js`)
  expect(headers.get('content-type')).toMatch('javascript')
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('content-security-policy')).toMatch(/worker-src 'self'/)
})

// spec: EN-11
test('the version is the one of the build, and never cached', async () => {
  const response = await fetch(`${url}/version.json`)
  expect(await response.json()).toEqual({ version: '1.2.3' })
  expect(response.headers.get('cache-control')).toBe('no-cache')
})

test('pages run only our own scripts, and HSTS is sent with HTTPS', async () => {
  const { headers } = await fetch(url)
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none';script-src 'self'/)
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*/)
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('DENY')
})
