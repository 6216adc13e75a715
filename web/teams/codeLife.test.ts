import { expect, test } from 'vitest'
import { joinCodeLifeMs } from '#contract/shared/joinCode.ts'
import { codeEndsAt, codeLives } from './codeLife.ts'

const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime()

test('a code ends on Sunday at 24:00, also one that is shown on Sunday', () => {
  // 29 November 2026 is a Sunday.
  expect(codeEndsAt('sunday', at(27, 9))).toBe(at(30, 0))
  expect(codeEndsAt('sunday', at(29, 9))).toBe(at(30, 0))
  expect(codeEndsAt('today', at(27, 9))).toBe(at(28, 0))
})

test('on Sunday its end and that of the day are one choice', () => {
  expect(codeLives(at(29, 9))).toEqual(['sunday', 'longest', 'hour'])
})

test('earlier in the week it ends after four days', () => {
  expect(codeLives(at(27, 9))[0]).toBe('sunday')
  expect(codeLives(at(24, 9))).toEqual(['longest', 'today', 'hour'])
  expect(codeEndsAt('longest', at(24, 9))).toBe(at(24, 9) + joinCodeLifeMs)
})
