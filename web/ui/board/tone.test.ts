import { expect, test } from 'vitest'
import { isLong, toneOf } from '#web/ui/board/tone.ts'

test.each([
  [{ type: 'FCY' }, 'fcy', false],
  [{ type: 'Code 60' }, 'code 60', true],
  [{ type: 'BOX 2', colour: 'push' } as const, 'push', true],
  [{ type: null }, null, false],
])('the tone of %o is %s', (message, tone, long) => {
  expect(toneOf(message)).toBe(tone)
  expect(isLong(message)).toBe(long)
})
