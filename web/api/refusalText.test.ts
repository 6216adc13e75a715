import { expect, test } from 'vitest'
import { detailSentences } from '#contract/shared/refusalDetails.ts'
import { refusals } from '#contract/shared/refusals.ts'
import { refusalsText } from '#web/text/refusals.ts'
import { CallRefused } from './callRefused.ts'
import { refusalText, sentenceOf } from './refusalText.ts'

test('every refusal and detail of the server has a whole sentence', () => {
  const ofCodes = Object.values(refusals).map(({ sentence }) => sentence)
  const sentences = [...ofCodes, ...Object.values(detailSentences)]
  expect(sentences.filter(sentence => !/^[A-Z].+\.$/.test(sentence))).toEqual([])
})

test('a refusal shows the sentence of its code', () => {
  const refused = new CallRefused({ code: 'not-a-member' })
  expect(refusalText(refused)).toBe(refusals['not-a-member'].sentence)
})

test('a detail takes precedence over the code', () => {
  const refused = new CallRefused({
    code: 'unsupported-type',
    detail: detailSentences['picture-needed'],
  })
  expect(refusalText(refused)).toBe('Use a PNG, JPEG or WebP picture.')
})

test('an unreachable server has a sentence of its own', () => {
  const refused = new CallRefused({ code: 'unreachable' })
  expect(refusalText(refused)).toBe(refusalsText.unreachable)
})

test('the wait is shown in seconds or minutes', () => {
  const wait = (retryAfterSeconds: number) =>
    refusalText(new CallRefused({ code: 'too-many', retryAfterSeconds }))
  expect(wait(29.2)).toBe('Too many tries. Wait a moment, then try again. Wait 30 s.')
  expect(wait(840)).toBe('Too many tries. Wait a moment, then try again. Wait 14 min.')
})

test('an unexpected error does not leak its details', () => {
  expect(refusalText(new TypeError('x is undefined'))).toBe(refusalsText.unexpected)
  expect(refusalText('?')).toBe(refusalsText.unexpected)
})

test('a code from a URL has its sentence, any other text a general one', () => {
  expect(sentenceOf('google-not-set-up')).toBe(refusals['google-not-set-up'].sentence)
  expect(sentenceOf('toString')).toBe(refusalsText.unexpected)
  expect(sentenceOf('<b>hello</b>')).toBe(refusalsText.unexpected)
})
