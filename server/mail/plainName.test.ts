import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainName } from './templates.ts'

test.each([
  ['Ana Prost', 'Ana Prost'],
  ['J.P. O’Neill', 'J. P. O’Neill'],
  ['St.Pierre', 'St. Pierre'],
  ['Team @ Spa', 'Team @ Spa'],
  ['GP 1.2', 'GP 1.2'],
  ['Verify now: https://evil.example/login', 'Verify now:'],
  ['Verify now at evil.example', 'Verify now at evil. example'],
  ['www.evil.example', 'Someone'],
  ['Call +49 89 1234567 now', 'Call now'],
  ['0800 123 456', 'Someone'],
  ['help@evil.example', 'Someone'],
  ['see http:\\\\evil.example', 'see'],
  ['ｅｖｉｌ．ｅｘａｍｐｌｅ', 'evil. example'],
  ['evil。example', 'evil。 example'],
  ['h\u200bttps://e\u00advil.example', 'Someone'],
  ['Owls\r\nBcc: eve@example.com', 'Owls Bcc:'],
])('%j becomes %j', (name, plain) => {
  expect(plainName(name, 'Someone')).toBe(plain)
})

/**
 * Patterns that mail clients are known to turn into links, written independently of the code under test.
 */
const linked = [
  /\w+:\/\//,
  /www\./i,
  /[^\s@]@[^\s@]/,
  /[\p{L}\p{N}][.\u3002\uff0e\uff61]\p{L}/u,
  /mailto:/i,
  /[\r\n\u2028\u2029]/,
]

const pieces = [
  'http',
  'https:',
  '//',
  ':',
  '/',
  'www',
  '.',
  '．',
  '。',
  '@',
  '＠',
  'evil',
  'com',
  'mailto:',
  ' ',
  '\u200b',
  '\u00ad',
  '\r\n',
  '\u2028',
]

test('no text leaves a pattern that a mail client turns into a link', () => {
  const parts = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 3 }))
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), texts => {
      const plain = plainName(texts.join(''), 'Someone')
      for (const pattern of linked) expect(plain).not.toMatch(pattern)
      expect(plain).not.toBe('')
    }),
    { numRuns: 5000 },
  )
})
