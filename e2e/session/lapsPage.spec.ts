import { expect } from '@playwright/test'
import type { Lap, LapsChange, LapTable } from '#contract/laps.ts'
import type { Down } from '#contract/live.ts'
import type { ListedSession } from '#contract/sessions.ts'
import { routeCall } from '../callRoutes.ts'
import { test } from '../fixtures.ts'
import { recordCalls } from '../mockApi.ts'
import { respondWithLaps } from '../raceAnswers.ts'

const startedAt = Date.UTC(2026, 4, 2, 14)

function lapTable(seconds: readonly number[]): LapTable {
  const laps = seconds.map(
    (time, index): Lap => ({
      number: index + 1,
      startedAt: startedAt + index * 120_000,
      timeMs: time * 1000,
      plusMinusMs: 180,
      kind: 'full',
      isSeen: true,
      yellow: false,
      yellowMessage: null,
      marked: false,
    }),
  )
  return {
    lapTiming: true,
    circuit: { name: 'Circuit Zolder', lengthM: 4010 },
    gpsPoor: false,
    laps,
    pending: false,
  }
}

function outLap(lap: Lap): Lap {
  return { ...lap, kind: 'out' }
}

test('a member marks a lap yellow and compares two sessions lap by lap', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Winter')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const race = await ana.call.sessions.start({ teamId, name: 'Race' })
  await ana.call.sessions.end({ sessionId: race.id })
  const practice = await ana.call.sessions.start({ teamId, name: 'Practice' })
  const tables = new Map([
    [race.id, lapTable([112, 111.5, 112.5])],
    [practice.id, lapTable([113, 112.8, 150, 112.4])],
  ])
  const page = await open(ana)
  await respondWithLaps(page, id => tables.get(id) ?? lapTable([]))
  const listed: ListedSession = {
    id: race.id,
    name: race.name,
    driver: race.driver,
    car: null,
    currentDriver: null,
    startedAt,
    endedAt: startedAt + 1,
    circuit: 'Circuit Zolder',
    laps: 3,
    bestLapMs: 111_500,
    imported: false,
  }
  const lists: URLSearchParams[] = []
  await routeCall(page, 'sessions.list', route => {
    lists.push(route.url.searchParams)
    return route.fulfill({ json: { sessions: [listed], next: null } })
  })
  const marks = recordCalls(page, 'laps.mark')
  await routeCall(page, 'laps.mark', route => {
    const table = lapTable([113, 112.8, 150, 112.4])
    const marked = table.laps.map(lap =>
      lap.number === 3 ? { ...lap, yellow: true, marked: true } : lap,
    )
    tables.set(practice.id, { ...table, laps: marked })
    return route.fulfill({ json: tables.get(practice.id) })
  })

  await page.goto(`/teams/${teamId}/${practice.id}/laps`)
  const row = page.getByRole('row').filter({ hasText: '2:30.0' })
  await expect(row).not.toContainText('Yellow')
  await row.getByRole('button', { name: 'Mark lap 3 yellow' }).click()
  await expect(row).toContainText('Yellow')
  await expect(row.getByRole('button', { name: 'Mark lap 3 yellow', pressed: true })).toBeVisible()
  const at = startedAt + 2 * 120_000 + 75_000
  expect(marks.map(request => request.postDataJSON())).toEqual([
    { sessionId: practice.id, at, marked: true },
  ])
  // The chart is a drawing: this sentence is what screen readers read of it.
  await expect(page.getByRole('figure')).toContainText('Best 1:52.4 on lap 4.')
  await expect(page.getByRole('figure')).toContainText('Yellow on lap 3.')
  await expect(page.locator('canvas')).toBeVisible()

  await page.getByRole('button', { name: 'Compare sessions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare sessions' })
  // The box follows the URL, which changes a moment later.
  await dialog.getByLabel('Race').click()
  await expect(dialog.getByLabel('Race')).toBeChecked()
  await dialog.getByRole('button', { name: 'Done' }).click()
  expect(lists.map(each => each.get('sameCircuitAs'))).toContain(practice.id)
  await expect(page).toHaveURL(`/teams/${teamId}/${practice.id}/laps?with=${race.id}`)
  const beside = page.getByRole('table', { name: 'Lap by lap' })
  await expect(beside.getByRole('row')).toHaveText([
    'LapPracticeRace',
    '11:53.01:52.0',
    '21:52.81:51.5',
    '32:30.01:52.5',
    '41:52.4',
  ])
  const figures = page.getByRole('table', { name: 'Sessions' })
  await expect(figures.getByRole('row').filter({ hasText: '1:51.5' })).toContainText('±0.4')
  await page.getByRole('button', { name: 'Remove Race from the comparison' }).click()
  await expect(beside).toBeHidden()
})

test('laps come first, and no table has only dashes', async ({ open, person }) => {
  const ana = await person('Ana', 'Winter')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const { id } = await ana.call.sessions.start({ teamId, name: 'Race' })
  const driven = lapTable([113, 112])
  let table: LapTable = { ...driven, laps: driven.laps.slice(0, 1).map(outLap) }
  const page = await open(ana)
  await respondWithLaps(page, () => table)
  await page.goto(`/teams/${teamId}/${id}/laps`)
  const tables = page.getByRole('table')
  await expect(tables).toHaveAccessibleName('Laps')
  await expect(tables.getByRole('row').last()).toHaveText(/^11:53\.0Out$/)
  table = driven
  await page.reload()
  await expect(tables).toHaveCount(2)
  await expect(tables.first()).toHaveAccessibleName('Laps')
})

// rules: R12
test('published changes are merged, and a missed one is noticed by the next (R12)', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Winter')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const { id: session } = await ana.call.sessions.start({ teamId, name: 'Race' })
  const { laps, ...rest } = lapTable([113, 112, 111, 110, 109])
  const [first, second, third, fourth, fifth] = laps as [Lap, Lap, Lap, Lap, Lap]
  let stored: LapTable = { ...rest, laps: [first, second, third], revision: 7 }
  const page = await open(ana)
  await respondWithLaps(page, () => stored)
  let send: (frame: Down) => void = () => undefined
  await page.routeWebSocket(/\/live$/, socket => {
    socket.connectToServer()
    send = frame => socket.send(JSON.stringify(frame))
  })
  const publish = (change: Omit<LapsChange, 'gpsPoor'>) =>
    send({ t: 'laps-changed', session, change: { gpsPoor: false, ...change } })
  const marks = page.getByRole('row').getByRole('button', { name: /^Mark lap/ })
  /** Expects these laps on the page, newest first. */
  const shows = (...expected: number[]) =>
    expect
      .poll(() => marks.evaluateAll(each => each.map(mark => mark.getAttribute('title'))))
      .toEqual(expected.map(number => `Mark lap ${number} yellow`))

  await page.goto(`/teams/${teamId}/${session}/laps`)
  await shows(3, 2, 1)
  publish({ revision: 8, laps: [fourth], removed: [] })
  await shows(4, 3, 2, 1)
  publish({ revision: 9, laps: [], removed: [3] })
  await shows(4, 2, 1)

  // The event that removed lap 2 is lost. The next event, of a later lap, reveals it.
  stored = { ...rest, laps: [first, fourth, fifth], revision: 11 }
  publish({ revision: 11, laps: [fifth], removed: [] })
  await shows(5, 4, 1)

  // A late event does not bring laps back.
  publish({ revision: 8, laps: [second], removed: [5] })
  publish({ revision: 12, laps: [{ ...first, timeMs: 99_900 }], removed: [] })
  const mark = page.getByRole('button', { name: 'Mark lap 1 yellow' })
  await expect(page.getByRole('row').filter({ has: mark })).toContainText('1:39.9')
  await shows(5, 4, 1)
})
