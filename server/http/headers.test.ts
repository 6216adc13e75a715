import pino from 'pino'
import { expect, test } from 'vitest'
import { createHttp } from './server.ts'

/** Creates a server with these support settings and reads its security headers. */
async function headersWith(support: Parameters<typeof createHttp>[0]['support']) {
  const publicUrl = () => 'https://pit.example'
  const log = pino({ level: 'silent' })
  await using app = await createHttp({ log, trustProxy: [], publicUrl, support })
  const { headers } = await app.inject('/api/openapi.json')
  return {
    directive: directivesOf(headers),
    permissions: String(headers['permissions-policy']),
  }
}

function directivesOf(headers: Record<string, unknown>) {
  const policy = String(headers['content-security-policy']).split(';')
  return (name: string) => policy.find(each => each.startsWith(`${name} `))
}

test('without support: no other host, no blob worker, no microphone', async () => {
  const { directive, permissions } = await headersWith(undefined)
  expect(directive('connect-src')).toBe("connect-src 'self'")
  expect(directive('worker-src')).toBe("worker-src 'self'")
  expect(permissions).toContain('camera=(), microphone=()')
})

test('the built-in desk needs a blob worker and the microphone only', async () => {
  const { directive, permissions } = await headersWith({ external: undefined })
  expect(directive('connect-src')).toBe("connect-src 'self'")
  expect(directive('worker-src')).toBe("worker-src 'self' blob:")
  expect(permissions).toContain('camera=(self), microphone=(self)')
})

test('an external desk is the only other allowed host', async () => {
  const { directive } = await headersWith({
    external: { ingestUrl: 'https://replay.example:8443/ingest' },
  })
  expect(directive('connect-src')).toBe(
    "connect-src 'self' https://replay.example:8443 wss://replay.example:8443",
  )
  expect(directive('default-src')).toBe("default-src 'none'")
})

test('the built-in desk may show its own pages in a frame', async () => {
  const { directive } = await headersWith({ external: undefined })
  expect(directive('frame-src')).toBe("frame-src 'self'")
  expect(directive('style-src')).toBe("style-src 'self'")
})

test('without the built-in desk no frames are allowed', async () => {
  const external = { ingestUrl: 'https://replay.example/ingest' }
  for (const support of [undefined, { external }]) {
    const { directive } = await headersWith(support)
    expect(directive('frame-src')).toBe("frame-src 'none'")
  }
})
