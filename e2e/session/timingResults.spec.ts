import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { noRules } from '#contract/shared/raceRules.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { addCar } from '#testing/people/roster.ts'
import { carPhone, storedCarRace } from '#testing/storedCarRace.ts'
import { test } from '../fixtures.ts'
import { recordCalls, respondWith } from '../mockApi.ts'

test('a results file shows how early the line is, which is moved and undone', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const car = await addCar(ana, teamId, '17')
  const raceId = randomUUID()
  const race = { id: raceId, name: 'Zolder', length: null, rules: noRules, carIds: [car.id] }
  await ana.call.races.save({ teamId, race })
  const page = await open(ana)

  // The phone has left the car. Its crossings are 0.3 s before the official ones.
  const sessionId = randomUUID()
  const startedAt = Date.parse('2026-06-20T12:00:00Z')
  const laps = Array.from({ length: 9 }, (_, index) => ({
    number: index + 1,
    startedAt: startedAt + index * 112_000 + index * index * 37,
    timeMs: 112_000 + (2 * index + 1) * 37,
    kind: 'full' as const,
    isSeen: true,
    yellow: false,
  }))
  const endedAt = startedAt + 3_600_000
  const phones = [carPhone({ sessionId, startedAt, endedAt, laps })]
  await respondWith(
    page,
    'carRaces.ofRace',
    storedCarRace({ car: { ...car, archived: false }, phones }),
  )
  const circuit = { id: 'zolder', version: 3 }
  await respondWith(page, 'circuits.setGate', { circuit, movedM: 12 })
  await respondWith(page, 'circuits.undo', circuit)
  const moves = recordCalls(page, 'circuits.setGate')
  const undone = recordCalls(page, 'circuits.undo')
  const sent: string[] = []
  page.on('request', request => sent.push(`${request.url()} ${request.postData() ?? ''}`))

  await page.goto(`/teams/${teamId}/races/${raceId}/timing`)
  const choose = (text: string) =>
    page.getByLabel('CSV with the time of day of each crossing').setInputFiles({
      name: 'results.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    })
  await choose('No names')
  await expect(page.getByText('No row of this file has several columns')).toBeVisible()

  const official = laps.map(lap => lap.startedAt + lap.timeMs + 300)
  // The timekeeper's clock is that of central Europe.
  const clock = (at: number) => new Date(at + 7_200_000).toISOString().slice(11, 23)
  const rows = official.map(at => `17,"Somebody, made up",1:52.000,${clock(at)}`)
  await choose(['No.,Competitor,Lap Tm,Time of Day', ...rows].join('\n'))
  await expect(page.getByText('The line is 0.30 s early (±0.00 s).')).toBeVisible()
  const column = page.getByLabel('Column with the time of day')
  await expect(column).toHaveValue('3')
  await column.selectOption('Lap Tm')
  await expect(page.getByRole('alert')).toHaveText(
    '“1:52.000” in the column “Lap Tm”, row 2, is not a time of day such as 14:03:22.512.',
  )
  await column.selectOption('Time of Day')

  await page.getByRole('button', { name: 'Move the line' }).click()
  await expect(page.getByText('The line was moved')).toBeVisible()
  expect(moves[0]?.postDataJSON()).toEqual({ sessionId, gate: 'line', at: official.at(-1) })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The line was moved back')).toBeVisible()
  expect(undone[0]?.postDataJSON()).toEqual({ teamId, circuitId: 'zolder', version: 3, sessionId })
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.filter(each => each.includes('made up'))).toEqual([])
})
