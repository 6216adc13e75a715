import { expect, test } from 'vitest'
import type { LapKind } from '#contract/shared/lapKinds.ts'
import { finishedLaps } from './finishedLaps.ts'

function kinds(...laps: readonly (readonly [LapKind, seconds: number])[]): string[] {
  return finishedLaps(laps.map(([kind, seconds]) => ({ kind, timeMs: seconds * 1000 }))).map(
    ({ kind }) => kind,
  )
}

const usual = [
  ['full', 100],
  ['full', 101],
  ['full', 102],
  ['full', 130],
] as const

test('the last whole lap before the car parks is an in lap if it is slow', () => {
  expect(kinds(['out', 40], ...usual, ['full', 107], ['in', 90]).at(-2)).toBe('in')
  expect(kinds(['out', 40], ...usual, ['full', 106], ['in', 90]).at(-2)).toBe('full')
  expect(kinds(['out', 40], ...usual, ['full', 107], ['incomplete', 90]).at(-2)).toBe('full')
})

test('a slow last whole lap stays full if the pits are shortly before the line', () => {
  const laps = kinds(['out', 10], ['out', 120], ...usual, ['full', 107], ['in', 90])
  expect(laps.at(-2)).toBe('full')
})
