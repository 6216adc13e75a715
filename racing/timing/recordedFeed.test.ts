import { expect, test } from 'vitest'
import { recordedBlocks } from './recordedFeed.ts'

test('lines are played by their times of receipt, which never go back', () => {
  const text = [
    '\uFEFF##2026-06-20 23:59:59.500',
    '$I, "00:00:00", "0/0/0000"',
    '$B,5,"Race 1"',
    '',
    '##2026-06-21 00:00:00.750',
    '##2026-06-21 00:00:01',
    '$F,9999,"","","",""',
    '##2026-06-20 12:00:00',
    '$F,9998,"","","",""',
    '##2026-06-22 00:00:00.000',
    '$F,9997,"","","",""',
  ].join('\r\n')
  expect(recordedBlocks(text)).toEqual([
    { atMs: 0, lines: ['$I, "00:00:00", "0/0/0000"', '$B,5,"Race 1"'] },
    { atMs: 1500, lines: ['$F,9999,"","","",""'] },
    { atMs: 1500, lines: ['$F,9998,"","","",""'] },
    { atMs: 61_500, lines: ['$F,9997,"","","",""'] },
  ])
})

test('a recording without times has a line with the flag each second', () => {
  expect(recordedBlocks('$B,5,"x"\n$F,1\n$G,1\n$F,2\n')).toEqual([
    { atMs: 0, lines: ['$B,5,"x"'] },
    { atMs: 1000, lines: ['$F,1', '$G,1'] },
    { atMs: 2000, lines: ['$F,2'] },
  ])
  expect(recordedBlocks('')).toEqual([])
})
