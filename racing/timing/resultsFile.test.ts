import { expect, test } from 'vitest'
import { gaussian, seeded } from '#testing/drives.ts'
import { RecordingRefused } from '../formats/recordingRefused.ts'
import { calibrationOf } from './calibration.ts'
import { shiftedToGps } from './clockShift.ts'
import { guessedColumns, readPassings, resultsTable } from './resultsFile.ts'

const raceMs = Date.parse('2026-06-20T20:30:00Z')
/** The timekeeper's clock shows the summer time of central Europe. */
const zoneMs = 2 * 60 * 60 * 1000

/** Crossings of laps of about 1:52, each by GPS 0.3 s before the official one, within 0.03 s. */
function drive(count: number, seed = 5) {
  const random = seeded(seed)
  const official: number[] = []
  for (let at = raceMs; official.length < count; at += 112_000 + 900 * gaussian(random))
    official.push(Math.round(at))
  return { official, byGps: official.map(at => at - 300 + 30 * gaussian(random)) }
}

/** Writes a time since the epoch as the time of day there: 22:30:01.250. */
function timeOfDay(at: number): string {
  return new Date(at + zoneMs).toISOString().slice(11, 23)
}

/** Returns the times of a file by its guessed columns, or its refusal. */
function timesOrRefusal(text: string, number = '17', chosen = {}): readonly number[] | string {
  try {
    const table = resultsTable(text)
    const { time, car } = guessedColumns(table)
    return readPassings(table, { time: time ?? 0, car, ...chosen }, number)
  } catch (error) {
    if (error instanceof RecordingRefused) return error.message
    throw error
  }
}

const header = 'No.,Competitor,Lap,Lap Tm,Time of Day'
const row = (number: string, at: number) => `${number},"One, Driver",1,1:52.345,${timeOfDay(at)}`

test('a file across midnight shows the line 0.3 s early, in the zone of the timekeeper', () => {
  const { official, byGps } = drive(80)
  const others = official.map(at => row('171', at + 20_000))
  const own = official.map(at => row('17', at))
  const text = ['"Race, 6 hours"', '', header, ...others, ...own].join('\r\n')
  const table = resultsTable(text)
  const columns = guessedColumns(table)
  expect(columns).toEqual({ time: 4, car: 0 })
  for (const rows of [table.rows, table.rows.toReversed()]) {
    const read = readPassings({ ...table, rows }, { time: 4, car: 0 }, '17')
    const shifted = shiftedToGps(read, byGps)
    expect(shifted).toEqual(official)
    expect(calibrationOf(shifted ?? [], byGps)?.lateMs).toBeCloseTo(-300, -1.5)
  }
})

test('the phone of one stint, and dates of either order, match the whole race', () => {
  const { official, byGps } = drive(700)
  const us = official.map(at => {
    const [year, month, day] = new Date(at + zoneMs).toISOString().slice(0, 10).split('-')
    return `17;${month}/${day}/${year} ${timeOfDay(at)}`
  })
  const table = resultsTable(['Start number;Passing Time', ...us].join('\n'))
  expect(guessedColumns(table)).toEqual({ time: 1, car: 0 })
  const read = readPassings(table, { time: 1, car: 0 }, '17')
  expect(shiftedToGps(read, byGps.slice(300, 340))).toEqual(official)
})

test('a file of one car needs no number; empty and unreadable cells are skipped', () => {
  const { official, byGps } = drive(12)
  const cells = official.map(timeOfDay)
  const table = resultsTable(
    ['Lap\tUhrzeit', ...cells.map(each => `1\t${each}`), '13\t', '14\t?x'].join('\n'),
  )
  expect(guessedColumns(table)).toEqual({ time: 1, car: null })
  expect(shiftedToGps(readPassings(table, { time: 1, car: null }, '17'), byGps)).toEqual(official)
})

test('passings of another race do not match', () => {
  expect(shiftedToGps(drive(60, 5).official, drive(60, 6).byGps)).toBeNull()
  expect(shiftedToGps([], [])).toBeNull()
})

test('refusals name column, row and value', () => {
  const { official } = drive(6)
  const text = [header, ...official.map(at => row('17', at))].join('\n')
  expect(timesOrRefusal(text, '18')).toBe(
    "No row of the column “No.” has “18”; row 2 has “17”. Choose the column with the car's number.",
  )
  expect(timesOrRefusal(text, '17', { time: 3 })).toBe(
    '“1:52.345” in the column “Lap Tm”, row 2, is not a time of day such as 14:03:22.512.',
  )
  expect(timesOrRefusal('No.,Time of Day\n17,14:03:22\n17,14:05:12')).toBe(
    '“14:03:22” in the column “Time of Day”, row 2, has whole seconds only. Export the times with thousandths.',
  )
  expect(timesOrRefusal('No.,Time of Day\n17,\n17,-', '17', { time: 1 })).toContain(
    '“Time of Day” is empty in each row of car 17',
  )
  expect(
    timesOrRefusal('No.,Time of Day\n17,2026-06-20 14:03:22.5\n17,2026-08-20 14:03:22.5'),
  ).toContain('“2026-06-20 14:03:22.5” in row 2 and “2026-08-20 14:03:22.5” in row 3')
  expect(timesOrRefusal('nothing')).toContain('No row of this file has several columns')
  expect(timesOrRefusal(header)).toBe('The file has no row below its header, row 1.')
  expect(timesOrRefusal(`No.,Time of Day\n17,"${'x'.repeat(20_000)}"`)).toContain(
    '10000 characters',
  )
  expect(timesOrRefusal(`No.,Time of Day\n${'17,14:03:22.5\n'.repeat(2001)}`)).toContain(
    'more than 2000 rows of car 17',
  )
  expect(timesOrRefusal(`No.,Time of Day\n${'18,1\n'.repeat(200_001)}`)).toContain(
    'more than 200000 rows',
  )
})

test('a file with anything in it is read or refused', () => {
  const random = seeded(11)
  const parts = [
    ...Array.from('",;\t\n\r:.#= 1729'),
    'Time of Day',
    'No.',
    '14:03:22.5',
    '\0',
    'é',
    '99:99:99',
  ]
  for (let index = 0; index < 2000; index++) {
    const text = Array.from({ length: 40 }, () => parts[Math.floor(random() * parts.length)]).join(
      '',
    )
    // Any error but a refusal fails the test.
    expect(timesOrRefusal(text)).toSatisfy(
      result => typeof result === 'string' || result.every(Number.isFinite),
    )
  }
})
