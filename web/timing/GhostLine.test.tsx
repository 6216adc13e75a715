import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Race } from '#contract/races.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import type { Standing } from '#contract/timing.ts'
import { GhostLine, OwedLine } from './GhostLine.tsx'
import type { OfficialState } from './useOfficialTiming.ts'

const usualMs = 100_000
const none = { bestMs: null, toLeader: null, toAhead: null, toAheadInClass: null }

function car(position: number, behindMs: number, stops: number | null): Standing {
  return {
    ...none,
    position,
    number: String(position),
    className: null,
    classPosition: null,
    laps: 50,
    totalMs: 5_000_000 + behindMs,
    lastMs: usualMs,
    usualMs,
    stops: { count: stops, green: { count: 3, medianMs: 60_000 }, yellow: null },
  }
}

const green = { count: 9, medianMs: 60_000, plusMinusMs: 1500, ofAllPlusMinusMs: 4000, pace: 1 }
const state: OfficialState = {
  run: {
    name: null,
    flag: 'Green',
    flagSilentForMs: 0,
    timeToGoMs: null,
    lapsToGo: null,
    slowFromMs: null,
    stopLosses: { green, yellow: null },
    standings: [car(1, 0, 4), car(2, 20_000, 5), car(3, 46_000, null)],
  },
  isCurrent: true,
  isFlagCurrent: true,
  followsClock: false,
  hasFlag: true,
  isRecorded: false,
  isFailed: false,
  silentMs: 0,
  lateMs: 0,
}
const race = (count: number) =>
  ({
    rules: { ...noRules, stops: { kind: 'count', count } },
    length: null,
    endedAt: null,
  }) as Pick<Race, 'rules' | 'length' | 'endedAt'> as Race

/** The text without the hollow figure, which screen readers get as text. */
const textOf = (line: React.ReactElement) =>
  renderToStaticMarkup(line)
    .replace(/<s .*?<\/s>/, '')
    .replace(/<[^>]+>/g, '')

test('a stop now has a place and the car ahead of it, or is not known', () => {
  const line = (shown: OfficialState) => textOf(<GhostLine state={shown} number="1" own={null} />)
  expect(line(state)).toBe('P1\u20133 pit now, 14 s behind 3')
  expect(line({ ...state, isCurrent: false })).toBe('pit now, not known')
  expect(line({ ...state, isFlagCurrent: false })).toBe('pit now, not known')
})

test('the place after owed stops is shown where the rules demand some', () => {
  const line = (number: string, stops = 5, shown = state) =>
    textOf(<OwedLine state={shown} number={number} race={race(stops)} />)
  expect(line('1')).toBe('P2\u20133 after 1 stop owed')
  expect(line('2')).toBe('P1 after all owed stops')
  expect(line('3')).toBe('after owed stops, not known')
  expect(line('1', 0)).toBe('')
  expect(line('1', 5, { ...state, isCurrent: false })).toBe('')
})
