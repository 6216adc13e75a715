import { expect, test } from 'vitest'
import { testApp } from '#testing/app.ts'
import { CookieJar, createClient } from '#testing/people/client.ts'

test('the privacy page gets the retention of this server, without a login', async () => {
  await using app = await testApp({ historyDays: 30 })
  const nobody = createClient(app.url, new CookieJar())
  expect(await nobody.privacy.settings()).toEqual({ historyDays: 30, support: 'none' })
})
