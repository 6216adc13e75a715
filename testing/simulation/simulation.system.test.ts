import { expect, test } from 'vitest'
import { DatabaseFile } from './database.ts'
import { type Mutation, mutations } from './mutations.ts'
import { runSchedule } from './runSchedule.ts'
import { Totals } from './totals.ts'

/** Schedules run until this time is up, so that the whole file takes less than 20 s. */
const budgetMs = 6000
const minSchedules = 5

let file: Promise<DatabaseFile> | undefined
const database = () => (file ??= DatabaseFile.create())

test('all invariants hold in the fixed schedules and in one with a fresh seed', async () => {
  const totals = new Totals()
  const fresh = Math.floor(Math.random() * 1e9)
  process.stdout.write(`A fresh schedule: npm run simulate -- --seed ${fresh}\n`)
  const untilMs = performance.now() + budgetMs
  for (let seed = 0; seed < minSchedules || performance.now() < untilMs; seed++)
    totals.add(await runSchedule({ seed: seed === 0 ? fresh : seed, file: await database() }))
  expect(totals.failed.map(({ seed, violations }) => ({ seed, violations }))).toEqual([])
  expect(totals.unchecked).toEqual([])
})

test('a schedule is deterministic', async () => {
  const traces = [[], []] as [string[], string[]]
  for (const trace of traces)
    await runSchedule({ seed: 3, file: await database(), trace: line => void trace.push(line) })
  expect(traces[0].length).toBeGreaterThan(100)
  expect(withoutIds(traces[1])).toEqual(withoutIds(traces[0]))
})

const detectedAs: Record<Mutation, RegExp> = {
  'swallow-shown': /is not reported/,
  // A message that counts as painted can also be acknowledged.
  'report-unpainted': /shown|acknowledged|wrong time/,
  'admit-stranger': /a stranger received an event/,
  'keep-former-member': /a former member received an event/,
  'lose-message': /lost|versions have a gap|has version/,
  'keep-failed-server': /does not exit/,
}

test.each(mutations)('the invariants detect a broken rule: %s', async mutation => {
  const violations: string[] = []
  for (let seed = 1; seed <= 40 && violations.length === 0; seed++) {
    const result = await runSchedule({ seed, file: await database(), mutation })
    violations.push(...result.violations)
  }
  expect(violations.join('\n')).toMatch(detectedAs[mutation])
})

/** Masks ids that the database generates, which no rule depends on. */
function withoutIds(lines: string[]): string[] {
  // The ids of team events are numbers of a sequence, which also counts events that were there already.
  const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<="event":\{"id":)"\d+"/g
  return lines.map(line => line.replaceAll(id, 'ID'))
}
