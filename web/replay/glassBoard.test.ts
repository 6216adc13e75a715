import { expect, test } from 'vitest'
import type { Lap } from '#contract/laps.ts'
import type { LoggedMessage } from '#contract/messages.ts'
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
const drive = { laps, gpsPoor: false, comparison, flags: [] }

function message(version: number, type: LoggedMessage['type'], sentAt: number): LoggedMessage {
  const times = { pressedAt: null, reachedAt: null, shownAt: null, copiedAt: null, expiresAt: null }
  return { version, type, sentAt, sentBy: null, ...times }
}

function boardAt(at: number, log: LoggedMessage[] = []) {
  return glassBoardAt({ ...drive, log }, at)
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

test('a lap with FCY is not compared until the next lap, even after CLEAR', () => {
  const log = [message(2, null, 430_000), message(1, 'FCY', 420_000)]
  const yellow = laps.map(lap => (lap.number === 4 ? { ...lap, yellow: true } : lap))
  const deltaAt = (at: number) => glassBoardAt({ ...drive, laps: yellow, log }, at)?.delta
  expect(deltaAt(419_999)?.tone).toBe('level')
  expect(deltaAt(420_000)).toMatchObject({ title: 'Not compared' })
  expect(deltaAt(450_000)).toMatchObject({ text: 'This lap had an FCY.' })
  // The official flag was green.
  expect(boardAt(450_000, log)?.delta.tone).toBe('level')
})

test('a lap is yellow from when the official flag came, also by hand', () => {
  const yellow = laps.map(lap => (lap.number === 4 ? { ...lap, yellow: true } : lap))
  const flag = (at: number, word: string) => ({ flag: word, at, shownAt: at + 900 })
  const source = [flag(100_000, 'Green '), flag(420_000, 'Yellow'), flag(450_000, 'Green ')]
  const byHand = [flag(100_000, 'Green '), { ...flag(420_000, 'Yellow'), byHand: 'Sam Tester' }]
  for (const flags of [source, byHand]) {
    const deltaAt = (at: number) =>
      glassBoardAt({ ...drive, laps: yellow, log: [], flags }, at)?.delta
    expect(deltaAt(419_999)?.tone).toBe('level')
    expect(deltaAt(420_000)).toMatchObject({
      title: 'Not compared',
      text: 'Official flag in this lap: Yellow.',
    })
    expect(deltaAt(499_000)).toMatchObject({ title: 'Not compared' })
  }
  // A message under the green flag.
  const log = [message(1, 'FCY', 410_000)]
  expect(glassBoardAt({ ...drive, laps: yellow, log, flags: source }, 415_000)?.delta.tone).toBe(
    'level',
  )
})

test('a message under a green flag by hand makes the lap yellow, as on the phone', () => {
  const yellow = laps.map(lap => (lap.number === 4 ? { ...lap, yellow: true } : lap))
  const log = [message(1, 'FCY', 410_000)]
  const flags = [{ flag: 'Green ', at: 405_000, shownAt: 405_900, byHand: 'Sam Tester' }]
  const board = glassBoardAt({ ...drive, laps: yellow, log, flags }, 415_000)
  expect(board?.delta).toMatchObject({ title: 'Not compared' })
})

test('without laps the board is hidden', () => {
  expect(glassBoardAt({ ...drive, laps: [], log: [] }, 1e9)).toBeNull()
})
