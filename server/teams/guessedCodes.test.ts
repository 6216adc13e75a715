import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Refusal } from '#contract/refusal.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { joinCodeLength, joinCodeLetters } from '#contract/shared/joinCode.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { stoppedClock } from '#testing/clock.ts'
import { patience } from '#testing/patience.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { showCode } from '#testing/people/joinByCode.ts'
import type { Person } from '#testing/people/person.ts'
import { counterName } from '../rateLimit/sharedLimits.ts'
import {
  findCode,
  wrongCodesOfAllPerDay,
  wrongCodesPerDay,
  wrongCodesPerMinute,
} from './joinCodes.ts'

let app: TestApp
let ana: Person

beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana', 'Winter')
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => app.forgetLimits())

const guess = (context: Pick<Parameters<typeof findCode>[0], 'db' | 'clock'>, ip: string) =>
  findCode(context, { code: 'AAAAAA', ip }).then(
    () => 'found',
    (error: Refusal) => error.code,
  )

test('only wrong codes count, and only against their network', async () => {
  const team = await createTeam(ana, [], 'Night Owls')
  const { code } = await showCode(ana, team.id)
  const clock = stoppedClock()
  const context = { db: app.database.db, clock }
  const find = (ip: string) => findCode(context, { code, ip })
  for (let count = 0; count < 3 * wrongCodesPerMinute; count++) await find('192.0.2.1')
  for (let count = 0; count < wrongCodesPerMinute; count++)
    expect(await guess(context, '192.0.2.1')).toBe('not-found')
  await expect(find('192.0.2.1')).rejects.toMatchObject({ code: 'too-many' })
  expect(await find('192.0.2.2')).toMatchObject({ team: 'Night Owls' })
  clock.pass(60_000)
  expect(await find('192.0.2.1')).toMatchObject({ team: 'Night Owls' })
})

test(
  'a million guesses in a week find nothing, and people join all the while',
  async () => {
    const team = await createTeam(ana, [], 'Night Owls')
    const { code } = await showCode(ana, team.id)
    const { db } = app.database
    const clock = stoppedClock()
    const context = { db, clock }
    clock.pass(dayMs - (clock.now() % dayMs))
    await db
      .updateTable('join_codes')
      .set({ expires_at: new Date(clock.now() + 8 * dayMs) })
      .where('code', '=', code)
      .execute()
    const answers: string[] = []
    for (let day = 0; day < 7; day++) {
      // One network guesses six times a minute, until it is refused for the day.
      for (let minute = 0; minute < 24; minute++) {
        for (let count = 0; count <= wrongCodesPerMinute; count++)
          answers.push(await guess(context, '192.0.2.1'))
        clock.pass(60_000)
      }
      expect(answers.at(-1 - wrongCodesPerMinute)).toBe('too-many')
      expect(await findCode(context, { code, ip: '198.51.100.7' })).toMatchObject({
        team: 'Night Owls',
      })
      clock.pass(dayMs - (clock.now() % dayMs))
    }
    expect(answers.filter(each => each === 'not-found')).toHaveLength(7 * wrongCodesPerDay)
    expect(new Set(answers)).toEqual(new Set(['not-found', 'too-many']))
    expect(await findCode(context, { code, ip: '192.0.2.1' })).toMatchObject({
      team: 'Night Owls',
    })

    // So many of a million are compared if they come from a thousand networks; a hundred teams show a code each.
    const compared = Math.min(1_000_000, 7 * (1000 + wrongCodesOfAllPerDay))
    const codes = joinCodeLetters.length ** joinCodeLength
    expect(1 - (1 - 100 / codes) ** compared).toBeLessThan(0.005)
  },
  60_000 * patience,
)

test('many networks together guess little, and block nobody who types the right code', async () => {
  const team = await createTeam(ana, [], 'Night Owls')
  const { code } = await showCode(ana, team.id)
  const { db } = app.database
  const context = { db, clock: stoppedClock() }
  expect(await guess(context, '192.0.2.1')).toBe('not-found')
  expect(await guess(context, '192.0.2.1')).toBe('not-found')
  const { numUpdatedRows } = await db
    .updateTable('rate_counts')
    .set({ count: wrongCodesOfAllPerDay })
    .where('what', '=', `${await counterName(db, 'join-guesses', 'all')} per ${dayMs} ms`)
    .executeTakeFirstOrThrow()
  expect(Number(numUpdatedRows)).toBe(1)
  expect(await guess(context, '192.0.2.1')).toBe('too-many')
  expect(await guess(context, '192.0.2.2')).toBe('not-found')
  expect(await guess(context, '192.0.2.2')).toBe('too-many')
  expect(await findCode(context, { code, ip: '192.0.2.3' })).toMatchObject({ team: 'Night Owls' })
})
