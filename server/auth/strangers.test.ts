import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clockAtStartOfDay } from '#testing/clock.ts'
import type { AuthServer } from '#testing/people/authServer.ts'
import { unusedEmail } from '#testing/people/logins.ts'
import {
  knownBrowser,
  NetworkBrowser,
  newestCode,
  proxiedServer,
  times,
} from '#testing/people/networkBrowser.ts'
import { signInLimits as limits } from './signInLimits.ts'

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

const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

/** Counts earlier requests of the networks that have counted this action already, without making them. */
async function countEarlier(what: string, requests: number) {
  const { numUpdatedRows } = await server.db
    .updateTable('rate_counts')
    .set(({ eb }) => ({ count: eb('count', '+', requests) }))
    .where('what', 'like', `${what}-network:%`)
    .where('count', '>', 0)
    .executeTakeFirst()
  expect(numUpdatedRows).toBeGreaterThan(0n)
}

/** Asks as often in each of four quarters of an hour, and returns how often a code was sent. */
async function sentInAnHour(perQuarter: number, ask: (index: number) => Promise<string>) {
  let sent = 0
  for (let quarter = 0; quarter < 4; quarter += 1) {
    const asked = await times(perQuarter, ask)
    sent += asked.filter(answer => answer === 'ok').length
    laterMs += 15 * 60 * 1000
  }
  return sent
}

describe('a stranger who requests and guesses codes', () => {
  test('in one network does not use up the owner’s limit in another', async () => {
    const email = unusedEmail()
    const stranger = browserAt('203.0.113.7')
    await times(limits.codes.addressAndNetwork.quarter, () => stranger.ask(email))
    expect(await stranger.ask(email)).toBe('too-many')
    await times(20, () => stranger.enter(email, '000000'))
    await times(20, () => browserAt('203.0.113.7').enter(email, '000000'))
    expect(await browserAt('198.51.100.1').signIn(email)).toBe('ok')
  })

  test('in many networks does not use up the limit of a known browser', async () => {
    const email = unusedEmail()
    const owner = await knownBrowser(server, email)
    const asked = await times(limits.codes.address.quarter, index =>
      browserAt(`203.0.113.${index}`).ask(email),
    )
    expect(new Set(asked)).toEqual(new Set(['ok']))
    expect(await browserAt('203.0.113.200').ask(email)).toBe('too-many')
    owner.ip = '198.51.100.99'
    expect(await owner.signIn(email)).toBe('ok')
  })

  test('gets a limited number of codes a day, in one network and in all', async () => {
    const email = unusedEmail()
    const stranger = browserAt('198.51.100.7')
    expect(
      await sentInAnHour(limits.codes.addressAndNetwork.quarter, () => stranger.ask(email)),
    ).toBe(limits.codes.addressAndNetwork.day)
    const flooded = unusedEmail()
    const inAll = await sentInAnHour(limits.codes.address.quarter, index =>
      browserAt(`203.0.113.${index}`).ask(flooded),
    )
    expect(inAll).toBe(limits.codes.address.day)
  })

  test('cannot flood an inbox from many networks', async () => {
    const email = unusedEmail()
    const asked = await times(limits.codes.address.quarter + 5, index =>
      browserAt(`2001:db8:${index}::1`).ask(email),
    )
    expect(asked.filter(answer => answer === 'ok')).toHaveLength(limits.codes.address.quarter)
  })

  test('cannot flood an inbox under other names of it', async () => {
    const email = unusedEmail()
    const tagged = (index: number) => email.replace('@', `+${index}@`)
    const stranger = browserAt('203.0.113.7')
    const answers = await times(limits.codes.addressAndNetwork.quarter + 2, index =>
      stranger.ask(tagged(index)),
    )
    expect(answers.filter(answer => answer === 'ok')).toHaveLength(
      limits.codes.addressAndNetwork.quarter,
    )
    expect(await stranger.ask(unusedEmail())).toBe('ok')
  })

  test('has a limited number of tries per address and day', async () => {
    const answers = await guess(unusedEmail(), index => `203.0.113.${index}`)
    expect(answers.filter(answer => answer === 'code-wrong')).toHaveLength(limits.tries.address.day)
    expect(answers.filter(answer => answer === 'too-many')).toHaveLength(50)
  })

  test('in one /48 has the limits of one network', async () => {
    const email = unusedEmail()
    const address = (index: number) => `2001:db8:1:${index}00::1`
    const asked = await times(2 * limits.codes.address.quarter, index =>
      browserAt(address(index)).ask(email),
    )
    expect(asked.filter(answer => answer === 'ok')).toHaveLength(
      limits.codes.addressAndNetwork.quarter,
    )
    const answers = await guess(email, address)
    expect(answers.filter(answer => answer === 'code-wrong')).toHaveLength(
      limits.tries.addressAndNetwork.day,
    )
    await server.db.deleteFrom('rate_counts').where('what', 'like', 'codes%').execute()
    expect(await browserAt('2001:db8:2::1').signIn(email)).toBe('ok')
  })

  /**
   * Makes five wrong tries on a new code from each of 30 networks. Resets the limit of codes when it is
   * reached.
   */
  async function guess(email: string, addressOf: (index: number) => string) {
    const answers: string[] = []
    for (let network = 0; network < 30; network += 1) {
      const stranger = browserAt(addressOf(network))
      if ((await stranger.ask(email)) !== 'ok') {
        await server.db.deleteFrom('rate_counts').where('what', 'like', 'codes%').execute()
        await stranger.ask(email)
      }
      const code = newestCode(server, email)
      answers.push(...(await times(5, by => stranger.enter(email, wrong(code, by + 1)))))
    }
    return answers
  }
})

describe('a stranger in the same network', () => {
  test('cannot prevent sign-ins in known browsers', async () => {
    const email = unusedEmail()
    const owner = await knownBrowser(server, email, '203.0.113.7')
    const flood = await Promise.all(
      Array.from({ length: limits.codes.network.quarter + 10 }, () =>
        browserAt('203.0.113.7').ask(unusedEmail()),
      ),
    )
    expect(flood.filter(answer => answer === 'ok')).toHaveLength(limits.codes.network.quarter)
    expect(await owner.signIn(email)).toBe('ok')
    expect(await browserAt('203.0.113.8').signIn(unusedEmail())).toBe('ok')
  }, 60_000)

  test('does not use up tries without a code to guess', async () => {
    const [withoutCookie, withoutCode] = [unusedEmail(), unusedEmail()]
    const asked = browserAt('192.0.2.50')
    expect(await asked.ask(unusedEmail())).toBe('ok')
    const counts = () =>
      server.db
        .selectFrom('rate_counts')
        .select(['what', 'count'])
        .where('what', 'like', 'tries%')
        .orderBy('what')
        .execute()
    const before = await counts()
    const answers = await times(limits.tries.network.quarter + 1, async index => [
      await browserAt('192.0.2.50').enter(withoutCookie, '000000'),
      ...(index < 5 ? [await asked.enter(withoutCode, '000000')] : []),
    ])
    expect(new Set(answers.flat())).toEqual(new Set(['code-dead']))
    expect(await counts()).toEqual(before)
    expect(await browserAt('192.0.2.50').signIn(unusedEmail())).toBe('ok')
  })

  test('can use up its tries, but not those of known browsers', async () => {
    const email = unusedEmail()
    const owner = await knownBrowser(server, email, '192.0.2.60')
    const enterWrong = async () => {
      const [browser, address] = [browserAt('192.0.2.60'), unusedEmail()]
      await browser.ask(address)
      const code = newestCode(server, address)
      return times(5, by => browser.enter(address, wrong(code, by + 1)))
    }
    const first = await enterWrong()
    await countEarlier('tries', limits.tries.network.quarter - 10)
    const answers = [first, ...(await times(2, enterWrong))]
    const refused = answers.flat().filter(answer => answer !== 'code-wrong')
    expect(refused).toEqual(Array(5).fill('too-many'))
    expect(await owner.signIn(email)).toBe('ok')
  })

  test('is not limited while codes lead to sign-ins', async () => {
    await times(3, () => browserAt('203.0.113.7').signIn(unusedEmail()))
    const rows = await server.db
      .selectFrom('rate_counts')
      .select(['what', 'count'])
      .where('what', 'not like', 'accounts%')
      .execute()
    expect(rows.length).toBeGreaterThan(4)
    expect(rows.filter(({ count }) => count > 0)).toEqual([])
  })

  test('creates a limited number of accounts; existing users can sign in', async () => {
    const known = unusedEmail()
    expect(await browserAt('203.0.113.7').signIn(known)).toBe('ok')
    await countEarlier('accounts', limits.accounts.network.quarter - 2)
    expect(await browserAt('203.0.113.7').signIn(unusedEmail())).toBe('ok')
    expect(await browserAt('203.0.113.7').signIn(unusedEmail())).toBe('too-many')
    expect(await browserAt('203.0.113.7').signIn(known)).toBe('ok')
    expect(await browserAt('198.51.100.1').signIn(unusedEmail())).toBe('ok')
  })

  test('creates few accounts of one mailbox', async () => {
    const email = unusedEmail()
    const signUp = (index: number) =>
      browserAt(`203.0.113.${index}`).signIn(email.replace('@', `+${index}@`))
    const answers = await times(limits.accounts.mailbox.day + 1, signUp)
    expect(answers).toEqual([...Array(limits.accounts.mailbox.day).fill('ok'), 'too-many'])
    expect(await signUp(0)).toBe('ok')
  })

  test('gets the codes of one network in a whole /48 of IPv6', async () => {
    const askFrom = (address: string) => browserAt(address).ask(unusedEmail())
    expect(await askFrom('2001:db8:1:0::1')).toBe('ok')
    await countEarlier('codes', limits.codes.network.quarter - 2)
    expect(await askFrom('2001:db8:1:100::1')).toBe('ok')
    expect(await askFrom('2001:db8:1:200::1')).toBe('too-many')
    expect(await askFrom('2001:db8:2:0::1')).toBe('ok')
  })
})
