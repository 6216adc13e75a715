import { expect, test } from 'vitest'
import { refusals } from '#contract/refusals.ts'
import { en } from '#web/text/en.ts'
import { CallRefused } from './callRefused.ts'
import { refusalText, sentenceOf } from './refusalText.ts'

test("the server's own sentence is shown", () => {
  const refused = new CallRefused({ code: 'not-a-member', message: 'This team is closed.' })
  expect(refusalText(refused)).toBe('This team is closed.')
})

test('a refusal without a sentence has the one of its code', () => {
  const refused = new CallRefused({ code: 'session-ended', message: '' })
  expect(refusalText(refused)).toBe(refusals['session-ended'][1])
})

test('a server that did not answer is told as that', () => {
  const refused = new CallRefused({ code: 'unreachable', message: '' })
  expect(refusalText(refused)).toBe(en.refusals.unreachable)
})

test('how long to wait is said in a fitting unit', () => {
  const wait = (retryAfterSeconds: number) =>
    refusalText(
      new CallRefused({ code: 'too-many', message: 'Too many tries.', retryAfterSeconds }),
    )
  expect(wait(29.2)).toBe('Too many tries. Wait 30 s.')
  expect(wait(840)).toBe('Too many tries. Wait 14 min.')
})

test('what is no refusal does not leak its details', () => {
  expect(refusalText(new TypeError('x is undefined'))).toBe(en.refusals.unexpected)
  expect(refusalText('?')).toBe(en.refusals.unexpected)
})

test('a code in an address has its sentence, and anything else a general one', () => {
  expect(sentenceOf('google-not-set-up')).toBe(refusals['google-not-set-up'][1])
  expect(sentenceOf('toString')).toBe(en.refusals.unexpected)
  expect(sentenceOf('<b>hello</b>')).toBe(en.refusals.unexpected)
})
