import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FileName } from './files.ts'
import { LineOfText, withoutInvisible } from './text.ts'

const refusalOf = (text: string) => LineOfText.safeParse(text).error?.issues[0]?.message

describe('a line of text', () => {
  test.each([
    'Ana Prost',
    "Jean-Éric O'Neill",
    'Škoda №5 (reserve)',
    '山田 太郎',
    'محمد علی',
    'नरेंद्र',
    'Nguyễn Thị Ánh',
    'กิตติพงษ์',
    'Team 🏎️🏁',
    '👩🏽‍🔧 Crew',
    '#️⃣1',
  ])('keeps %s unchanged', name => {
    expect(LineOfText.parse(name)).toBe(name.normalize('NFC'))
  })

  test('keeps the joiner that a Persian or Hindi name needs', () => {
    expect(LineOfText.parse('علی\u200cرضا')).toBe('علی\u200cرضا')
    expect(LineOfText.parse('क्\u200dष')).toBe('क्\u200dष')
  })

  test.each([
    ['zero width space', '\u200b'],
    ['word joiner', '\u2060'],
    ['soft hyphen', '\u00ad'],
    ['Hangul fillers', '\u3164\uffa0\u115f\u1160'],
    ['Braille blank', '\u2800'],
    ['tag characters', '\u{e0041}\u{e007f}'],
    ['direction marks', '\u200e\u200f\u061c'],
    ['joiners alone', '\u200d\u200c'],
    ['variation selectors alone', '\ufe0f\u{e0100}'],
    ['byte order mark', '\ufeff'],
    ['spaces of every width', '\u00a0\u2003\u3000'],
  ])('of only %s is missing', (_name, text) => {
    expect(refusalOf(text)).toBe('missing')
    expect(refusalOf(` ${text} ${text}`)).toBe('missing')
  })

  test.each([
    ['A\u200bna', 'Ana'],
    ['Ana\u3164', 'Ana'],
    ['A\u200dna', 'Ana'],
    ['Ana\u00a0\u2003Prost', 'Ana Prost'],
    ['Ana\u2800Prost', 'Ana Prost'],
    ['E\u0301ric', 'Éric'],
    ['E\u200b\u0301ric', 'Éric'],
    ['\u200fAna\u200e', 'Ana'],
    ['1\ufe0f', '1'],
  ])('%j is stored as %j, so that names cannot differ invisibly', (typed, stored) => {
    expect(LineOfText.parse(typed)).toBe(stored)
  })

  test.each([
    ['a control character', 'A\u0000na'],
    ['a line feed', 'A\nna'],
    ['a line separator', 'A\u2028na'],
    ['a paragraph separator', 'A\u2029na'],
    ['a direction override', 'A\u202ena'],
    ['a direction isolate', 'A\u2066na'],
    ['half a character', 'A\ud800na'],
    ['a noncharacter', 'A\ufffena'],
    ['an object replacement', '\ufffc'],
    ['five marks on one letter', `A${'\u0316'.repeat(5)}na`],
    ['a mark without a letter', '\u0301Ana'],
  ])('with %s is refused', (_name, text) => {
    expect(refusalOf(text)).toBe('not-printable')
  })

  test('is at most 80 characters long, not counting invisible ones', () => {
    expect(LineOfText.parse(`${'a'.repeat(80)}\u200b`)).toBe('a'.repeat(80))
    expect(refusalOf('a'.repeat(81))).toBe('too-long')
  })
})

const pieces = [
  'A',
  'é',
  '1',
  '#',
  ' ',
  'ع',
  'क',
  '\u094d',
  '山',
  '🏎',
  '👩',
  '🏽',
  '\ud800',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\u00ad',
  '\u3164',
  '\u2800',
  '\u061c',
  '\u202e',
  '\u2028',
  '\u0301',
  '\u0316',
  '\ufe0f',
  '\u20e3',
  '\u17b4',
  '\u180b',
  '\u{e0041}',
  '\u{e0100}',
]

/** Strings rich in invisible, joining and direction-changing characters. */
const tricky = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
      fc.constantFrom(...pieces),
    ),
    { maxLength: 20 },
  )
  .map(parts => parts.join(''))

describe('any input', () => {
  test('an accepted line shows something and has no hidden characters', () => {
    fc.assert(
      fc.property(tricky, text => {
        const line = LineOfText.safeParse(text).data
        if (line === undefined) return
        expect(line).toMatch(/^\P{M}/u)
        expect(line).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800\u202a-\u202e\u2066-\u2069]/u)
        expect(line).not.toMatch(/[\u200b\u2060\u00ad\u3164\u061c\u200e\u200f\u{e0000}-\u{e007f}]/u)
        expect(line).not.toMatch(/[\p{Mn}\p{Me}]{5}/u)
        expect(line.replace(/\p{Default_Ignorable_Code_Point}|\s/gu, '')).not.toBe('')
      }),
      { numRuns: 2000 },
    )
  })

  test('normalising twice gives the same result', () => {
    fc.assert(
      fc.property(tricky, text => {
        const once = withoutInvisible(text)
        expect(withoutInvisible(once)).toBe(once)
      }),
      { numRuns: 2000 },
    )
  })

  test('an ignorable character between Latin letters does not make another name', () => {
    const ignorable = Array.from({ length: 0xe1000 }, (_, code) => code)
      .filter(code => code < 0xd800 || code > 0xdfff)
      .map(code => String.fromCodePoint(code))
      .filter(character => /\p{Default_Ignorable_Code_Point}/u.test(character))
    expect(ignorable.length).toBeGreaterThan(4000)
    const others = ignorable.filter(hidden => {
      const stored = LineOfText.safeParse(`An${hidden}a`).data
      return stored !== undefined && stored !== 'Ana'
    })
    expect(others).toEqual([])
  })
})

test.each(['\u3164', 'logo\u3164', '\u115fa.png'])('a file name %j is refused', name => {
  expect(FileName.safeParse(name).success).toBe(false)
})
