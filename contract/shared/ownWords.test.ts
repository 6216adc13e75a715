import { expect, test } from 'vitest'
import { messageTypes } from './messageTypes.ts'
import { maxWordLetters, whyNotWord, wordOf } from './ownWords.ts'

test.each([
  ['box 2', 'BOX 2'],
  ['  last   lap ', 'LAST LAP'],
  ['cafe\u0301', 'CAFÉ'],
  ['straße', 'STRASSE'],
])('%j is stored as %j', (typed, stored) => {
  expect(wordOf(typed)).toBe(stored)
  expect(whyNotWord(stored)).toBeNull()
})

test.each([...messageTypes, 'Clear', 'Code 60', 'Done', 'Yes', 'No', 'Problem'])(
  '%s is reserved in any case and with any spaces',
  word => {
    for (const typed of [word, word.toLowerCase(), `  ${word} `, word.replace(/^./, '$& ')])
      expect(whyNotWord(wordOf(typed))).toBe('word-reserved')
    expect(whyNotWord(wordOf(word.replace(' ', '')))).toBe('word-reserved')
  },
)

test.each([
  ['', 'missing'],
  ['   ', 'missing'],
  ['A'.repeat(maxWordLetters + 1), 'word-too-long'],
  ['ПИТ', 'word-letters'],
  ['ピット', 'word-letters'],
  ['BOX?', 'word-letters'],
  ['🏁', 'word-letters'],
  ['ŁÓDŹ', 'word-letters'],
  ['A\u200bB', 'word-letters'],
  ['...', 'word-letters'],
])('%j is refused: %s', (typed, why) => {
  expect(whyNotWord(wordOf(typed))).toBe(why)
})
