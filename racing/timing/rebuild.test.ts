import { expect, test } from 'vitest'
import { equalAfterCuts, generatedFeed, hasLastLines } from '#testing/cutFeed.ts'
import { seeded } from '#testing/drives.ts'
import { timingRecordings } from '#testing/timingRecordings.ts'
import { replayedFeed } from './timingFeed.ts'

test('final standings are the last ones of each run, also after a cut connection', () => {
  const random = seeded(1)
  const feeds = [generatedFeed(random), ...timingRecordings().map(text => text.split(/\r?\n/))]
  for (const lines of feeds) {
    expect(hasLastLines(lines)).toBe(true)
    expect(equalAfterCuts(lines, { cuts: 20, random })).toBe(20)
  }
})

test('a new connection after the end of a run shows its newest result, no other run', () => {
  const row = (laps: number, time: string) => `$G,1,"1",${laps},"00:0${time}.000"`
  const end = ['$B,95,"Board"', '$F,0,"00:00:00","14:16:00","","      "']
  const feed = ['$A,"1","17",1,"","","",1', '$B,5,"Race 1"', row(1, '2:00')]
  const again = (...lines: string[]) =>
    replayedFeed([...feed, '$I,"",""', ...lines].join('\n'))
      .sessions()
      .map(({ standings }) => standings.map(({ laps }) => laps))
  const last = row(2, '4:00')
  // In the order of a new connection, and in that of a reset.
  expect(again(last, ...end)).toEqual([[2]])
  expect(again(end[0] ?? '', last, end[1] ?? '')).toEqual([[2]])
  expect(again(...end, '$I,"",""', row(1, '2:00'), ...end)).toEqual([[1]])
  // The order of the next run is not the result of this one.
  expect(again(row(0, '0:00'), '$B,6,"Race 2"')).toEqual([[1], [0]])
  expect(again(row(0, '0:00'), ...end)).toEqual([[1]])
})
