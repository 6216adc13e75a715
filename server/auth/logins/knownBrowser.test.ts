import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { clockAtStartOfDay } from '#testing/clock.ts'
import type { AuthServer } from '#testing/people/authServer.ts'
import { unusedEmail } from '#testing/people/logins.ts'
import {
  knownBrowser,
  NetworkBrowser,
  proxiedServer,
  times,
} from '#testing/people/networkBrowser.ts'
import { signInLimits as limits } from '../signInLimits.ts'

let server: AuthServer
/** Added to the time of the server's clock. */
let laterMs = 0

beforeAll(async () => {
  const start = clockAtStartOfDay()
  server = await proxiedServer({ ...start, now: () => start.now() + laterMs })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  laterMs = 0
  await server.db.deleteFrom('rate_counts').execute()
})

const browserAt = (ip: string) => new NetworkBrowser(server, ip)

test('a known browser has separate limits, only for its owner’s address', async () => {
  const email = unusedEmail()
  const owner = await knownBrowser(server, email)
  const asked = await times(limits.codes.knownBrowserAndAddress.quarter, () => owner.ask(email))
  expect(new Set(asked)).toEqual(new Set(['ok']))
  expect(await owner.ask(email)).toBe('too-many')
  const other = unusedEmail()
  const others = await times(limits.codes.addressAndNetwork.quarter + 1, () => owner.ask(other))
  expect(others.at(-1)).toBe('too-many')
})

test('a known browser gets a limited number of codes a day', async () => {
  const email = unusedEmail()
  const owner = await knownBrowser(server, email)
  const answers: string[] = []
  for (let quarter = 0; quarter < 4; quarter += 1) {
    answers.push(
      ...(await times(limits.codes.knownBrowserAndAddress.quarter, () => owner.ask(email))),
    )
    laterMs += 15 * 60 * 1000
  }
  expect(answers.filter(answer => answer === 'ok')).toHaveLength(
    limits.codes.knownBrowserAndAddress.day,
  )
})

test('a browser remembers eight addresses, none of them readable', async () => {
  const browser = browserAt('198.51.100.1')
  const people = Array.from({ length: 9 }, unusedEmail)
  for (const email of people) expect(await browser.signIn(email)).toBe('ok')
  await server.db.deleteFrom('rate_counts').execute()
  // The first address was evicted, the second was not.
  await times(limits.codes.addressAndNetwork.quarter, () => browser.ask(people[0] ?? ''))
  expect(await browser.ask(people[0] ?? '')).toBe('too-many')
  await times(limits.codes.addressAndNetwork.quarter, () => browser.ask(people[1] ?? ''))
  expect(await browser.ask(people[1] ?? '')).toBe('ok')
})

test('a browser is not recognised by a forged proof', async () => {
  const email = unusedEmail()
  const forger = browserAt('198.51.100.1')
  forger.give('__Host-pitboard_known', `${'A'.repeat(48)}.${'A'.repeat(22)}`)
  await times(limits.codes.addressAndNetwork.quarter, () => forger.ask(email))
  expect(await forger.ask(email)).toBe('too-many')
})
