import { expect, test } from 'vitest'
import type { OfficialTiming } from '#contract/timing.ts'
import { officialState } from './useOfficialTiming.ts'

const timing = (silentForMs: number | null, flagSilentForMs: number | null): OfficialTiming => ({
  source: { kind: 'push' },
  failure: null,
  silentForMs,
  followsClock: false,
  skippedLines: 0,
  run: {
    name: null,
    flag: 'Green ',
    flagSilentForMs,
    timeToGoMs: null,
    lapsToGo: null,
    slowFromMs: null,
    stopLosses: { green: null, yellow: null },
    standings: [],
  },
})
const stateOf = (answer: OfficialTiming, sinceMs = 0) => {
  const { isCurrent, isFlagCurrent } = officialState(answer, 1000, 1000 + sinceMs)
  return [isCurrent, isFlagCurrent]
}

test('a feed is current for five seconds after its newest line, late responses too', () => {
  expect(stateOf(timing(600, 600))).toEqual([true, true])
  expect(stateOf(timing(600, 600), 4400)).toEqual([true, true])
  expect(stateOf(timing(600, 600), 4401)).toEqual([false, false])
  expect(stateOf(timing(null, null))).toEqual([false, false])
  expect(stateOf({ ...timing(600, 600), failure: 'closed' })).toEqual([false, false])
})

test('a flag is current only while lines with a flag arrive', () => {
  expect(stateOf(timing(600, 42_000))).toEqual([true, false])
  expect(stateOf(timing(600, null))).toEqual([true, false])
})

test('without a source there is only a flag that was entered by hand', () => {
  const answer = { ...timing(null, null), source: null }
  expect(officialState(answer, 1000, 1000).hasFlag).toBe(false)
  const flagEntered = { entryId: '0c0a4b52-8c4b-4b5e-8a56-0f5f0c1f7a12', by: null, agoMs: 0 }
  const withFlag = { ...answer, run: answer.run && { ...answer.run, flagEntered } }
  expect(officialState(withFlag, 1000, 1000).hasFlag).toBe(true)
})

test('a recorded file is marked as such', () => {
  const isRecorded = (source: OfficialTiming['source']) =>
    officialState({ ...timing(600, 600), source }, 1000, 1000).isRecorded
  const id = '5275a360-c5d8-4a2e-bc67-4d0895d09d36'
  expect(isRecorded({ kind: 'recorded', id, speed: 10 })).toBe(true)
  expect(isRecorded({ kind: 'push' })).toBe(false)
})
