import { expect, test } from 'vitest'
import {
  driverLetter,
  gotItLetter,
  letterOf,
  litresLetter,
  moreLetter,
  plates,
} from '#web/message/letters.ts'
import { handLetters } from '#web/timing/handLetters.ts'

test('each letter of the wall has one meaning', () => {
  const others = [driverLetter, litresLetter, gotItLetter, moreLetter]
  const letters = [...plates.map(letterOf), ...Object.values(handLetters), ...others]
  expect(letters.toSorted()).toEqual([...new Set(letters)].sort())
  for (const letter of letters) expect(letter).toMatch(/^[A-Z]$/)
})
