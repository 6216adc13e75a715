import { expect, test } from 'vitest'
import { ReceivedFeed } from './receivedFeed.ts'

const flagLine = (flag: string) => `$F,9999,"01:00:00","14:00:00","00:04:00","${flag}"`

test('a source that shows no flag from its first line on has not changed it since', () => {
  const received = new ReceivedFeed()
  received.add(1, 1000, '$B,5,"Race 1"')
  expect(received.flag).toBeNull()
  received.add(2, 2000, flagLine('      '))
  received.add(3, 3000, flagLine('      '))
  expect(received.flag).toEqual({ flag: null, change: 2, since: 2000, seenAt: 3000 })
  received.add(4, 4000, flagLine('Green '))
  expect(received.flag).toMatchObject({ change: 4, since: 4000 })
})
