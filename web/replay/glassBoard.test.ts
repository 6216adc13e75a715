import { expect, test } from 'vitest'
import type { Lap } from '#contract/laps.ts'
import { glassBoardAt } from './glassBoard.ts'

const comparison = { with: 'average', targetMs: null } as const

/** Laps of 100 s from 0 on, the fourth one 0.4 s faster. */
const laps = [0, 1, 2, 3, 4].map(
  (number): Lap => ({
    number,
    startedAt: number * 100_000,
    timeMs: number === 4 ? 99_600 : 100_000,
    plusMinusMs: 200,
    kind: number === 0 ? 'out' : 'full',
    isSeen: true,
    yellow: false,
    yellowMessage: null,
    marked: false,
  }),
)
const drive = { laps, gpsPoor: false, comparison }

function boardAt(at: number) {
  return glassBoardAt(drive, at)
}

test('a lap is on the glass from its end, with the average of that time', () => {
  expect(boardAt(199_999)).toBeNull()
  expect(boardAt(200_000)).toMatchObject({ lap: 'Lap 1', delta: { title: 'No average yet' } })
  expect(boardAt(400_000)).toMatchObject({ lap: 'Lap 3', time: '1:40.0', delta: { tone: 'level' } })
  expect(boardAt(499_599)).toMatchObject({ lap: 'Lap 3' })
  expect(boardAt(499_600)).toMatchObject({
    lap: 'Lap 4',
    time: '1:39.6',
    delta: { tone: 'faster', figure: '\u22120.4' },
  })
})

test('a lap with FCY is not compared; during it the one before is', () => {
  const yellow = laps.map(lap => (lap.number === 4 ? { ...lap, yellow: true } : lap))
  const deltaAt = (at: number) => glassBoardAt({ ...drive, laps: yellow }, at)?.delta
  expect(deltaAt(450_000)?.tone).toBe('level')
  expect(deltaAt(499_600)).toMatchObject({ title: 'Not compared' })
})

test('after the flag it shows the laps of the race', () => {
  const last = laps.map(lap => (lap.number === 4 ? { ...lap, number: 0 } : lap))
  expect(glassBoardAt({ ...drive, laps: last }, 499_600)).toMatchObject({ lap: 'Lap 3' })
})

test('without laps the board is hidden', () => {
  expect(glassBoardAt({ ...drive, laps: [] }, 1e9)).toBeNull()
})
