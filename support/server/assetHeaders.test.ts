import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { type TestApp, testApp } from '#testing/app.ts'

const settings = [
  { SUPPORT_INGEST_URL: 'https://replay.example/ingest', SUPPORT_PROJECT_KEY: 'k'.repeat(20) },
  { SUPPORT_BUILTIN: '1' },
]
let external: TestApp
let builtin: TestApp

beforeAll(async () => {
  const [first, second] = settings.map(each => testApp({ support: readConfig(each).support }))
  external = await first!
  builtin = await second!
})
afterAll(async () => {
  await external[Symbol.asyncDispose]()
  await builtin[Symbol.asyncDispose]()
})

async function sharing(app: TestApp, path: string) {
  const { headers } = await fetch(app.url + path)
  return [headers.get('cross-origin-resource-policy'), headers.get('access-control-allow-origin')]
}

test('an OpenReplay server may load assets, and nothing else', async () => {
  expect(await sharing(external, '/assets/index.css')).toEqual(['cross-origin', '*'])
  for (const path of ['/', '/assets', '/api/auth.login', '/api/files.get?teamId=1&name=logo']) {
    expect(await sharing(external, path)).toEqual(['same-origin', null])
  }
})

test('with the built-in desk no other site may load assets', async () => {
  expect(await sharing(builtin, '/assets/index.css')).toEqual(['same-origin', null])
})
