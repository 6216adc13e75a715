import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'

const external = {
  SUPPORT_INGEST_URL: 'https://replay.example/ingest/',
  SUPPORT_PROJECT_KEY: 'abcDEF0123456789abcd',
}

test('support is off by default', () => {
  expect(readConfig({}).support).toBeUndefined()
  expect(readConfig({ SUPPORT_BUILTIN: '0' }).support).toBeUndefined()
})

test('the built-in desk has agents and servers for calls', () => {
  const iceServers = [{ urls: 'turn:turn.example:3478', username: 'u', credential: 'c' }]
  expect(
    readConfig({
      SUPPORT_BUILTIN: '1',
      SUPPORT_ADMINS: 'Ana@Example.com, leo@example.com',
      SUPPORT_ICE_SERVERS: JSON.stringify(iceServers),
    }).support,
  ).toEqual({
    external: undefined,
    iceServers,
    admins: new Set(['ana@example.com', 'leo@example.com']),
  })
})

test('an external OpenReplay server can be the desk', () => {
  expect(readConfig(external).support).toEqual({
    external: {
      ingestUrl: 'https://replay.example/ingest',
      projectKey: external.SUPPORT_PROJECT_KEY,
    },
    iceServers: [],
    admins: new Set(),
  })
})

test.each([
  [{ SUPPORT_INGEST_URL: external.SUPPORT_INGEST_URL }, 'SUPPORT_PROJECT_KEY must be set together'],
  [
    { SUPPORT_PROJECT_KEY: external.SUPPORT_PROJECT_KEY },
    'SUPPORT_INGEST_URL must be set together',
  ],
  [{ ...external, SUPPORT_BUILTIN: '1' }, 'there is only one support desk'],
  [
    { SUPPORT_BUILTIN: '1', NATS_URL: 'nats://bus:4222' },
    'SUPPORT_BUILTIN cannot be 1 together with NATS',
  ],
  [{ SUPPORT_ADMINS: 'ana@example.com' }, 'SUPPORT_ADMINS needs SUPPORT_BUILTIN=1'],
  [
    { SUPPORT_BUILTIN: '1', SUPPORT_ADMINS: 'ana' },
    'SUPPORT_ADMINS must be comma-separated e-mail addresses',
  ],
  [{ SUPPORT_BUILTIN: 'yes' }, 'SUPPORT_BUILTIN must be 0 or 1'],
  [
    { ...external, SUPPORT_PROJECT_KEY: 'abcDEF0123456789abc-' },
    'must be the 20 letters and digits',
  ],
  [
    { ...external, SUPPORT_PROJECT_KEY: 'abcDEF0123456789abc' },
    'must be the 20 letters and digits',
  ],
  [{ ...external, SUPPORT_INGEST_URL: 'https://u:p@replay.example/ingest' }, 'without user'],
  [{ SUPPORT_ICE_SERVERS: 'turn:turn.example' }, 'SUPPORT_ICE_SERVERS must be a JSON list'],
  [{ SUPPORT_ICE_SERVERS: '[{"urls":"https://turn.example"}]' }, 'SUPPORT_ICE_SERVERS must be'],
  [{ SUPPORT_ICE_SERVERS: '[{"url":"turn:turn.example"}]' }, 'SUPPORT_ICE_SERVERS must be'],
  [{ SUPPORT_TURN_SECRET: 'short' }, 'SUPPORT_TURN_SECRET must be at least 16 characters'],
  [{ SUPPORT_TURN_SECRET: 's'.repeat(16) }, 'SUPPORT_TURN_SECRET needs a TURN server'],
  [
    { ...external, SUPPORT_ICE_SERVERS: '[{"urls":"turn:a.example","credential":"c"}]' },
    'SUPPORT_TURN_SECRET must be set',
  ],
])('%j is refused', (settings, sentence) => {
  expect(() => readConfig(settings)).toThrow(sentence)
})
