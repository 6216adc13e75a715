import { expect, test } from 'vitest'
import { threeLetters } from './threeLetters.ts'

test('a plate shows the first three letters of a name in capitals', () => {
  expect(threeLetters('Lindqvist')).toBe('LIN')
  expect(threeLetters('Northline Racing')).toBe('NOR')
})

test('a short name gives the letters it has', () => {
  expect(threeLetters('Ng')).toBe('NG')
  expect(threeLetters('')).toBe('')
})

test('signs and spaces are not letters, digits count', () => {
  expect(threeLetters("O'Brien")).toBe('OBR')
  expect(threeLetters('  de la Cruz')).toBe('DEL')
  expect(threeLetters('24h Team')).toBe('24H')
})

test('a letter keeps its marks, however they are encoded', () => {
  expect(threeLetters('Žižka')).toBe('ŽIŽ')
  expect(threeLetters('Žižka'.normalize('NFD'))).toBe('ŽIŽ')
  expect(threeLetters('দাস')).toBe('দাস')
})

test('capitals are those of the language', () => {
  expect(threeLetters('ince', 'tr')).toBe('İNC')
  expect(threeLetters('ince', 'en')).toBe('INC')
})
