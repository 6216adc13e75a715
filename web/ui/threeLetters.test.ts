import { expect, test } from 'vitest'
import { threeLetters } from './threeLetters.ts'

test('a plate shows the first three letters of a name in upper case', () => {
  expect(threeLetters('Lindqvist')).toBe('LIN')
  expect(threeLetters('Northline Racing')).toBe('NOR')
})

test('a short name gives fewer letters', () => {
  expect(threeLetters('Ng')).toBe('NG')
  expect(threeLetters('')).toBe('')
})

test('punctuation and spaces are skipped, digits count', () => {
  expect(threeLetters("O'Brien")).toBe('OBR')
  expect(threeLetters('  de la Cruz')).toBe('DEL')
  expect(threeLetters('24h Team')).toBe('24H')
})

test('a letter keeps its diacritics in every Unicode normalization form', () => {
  expect(threeLetters('Žižka')).toBe('ŽIŽ')
  expect(threeLetters('Žižka'.normalize('NFD'))).toBe('ŽIŽ')
  expect(threeLetters('দাস')).toBe('দাস')
})

test('upper case follows the rules of the locale', () => {
  expect(threeLetters('ince', 'tr')).toBe('İNC')
  expect(threeLetters('ince', 'en')).toBe('INC')
})
