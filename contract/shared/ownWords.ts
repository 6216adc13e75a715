// No zod here: the editor checks a word while it is typed.

import { knownTypes } from './messageTypes.ts'
import { storedBounds } from './storedBounds.ts'

/** Maximum number of own words of a team. */
export const maxOwnWords = storedBounds.words.max

/** Maximum number of characters of a word, spaces included. */
export const maxWordLetters = 10

/** The colours of own words: each colour of the pad once, without ABORT's red. */
export const wordColours = ['easy', 'go', 'push', 'pit', 'fuel', 'fcy'] as const
export type WordColour = (typeof wordColours)[number]

/** Words with a meaning of their own on the driver's screen. */
const reserved: readonly string[] = [...knownTypes, 'Clear', 'Done', 'Yes', 'No', 'Problem'].map(
  comparable,
)

/**
 * Matches the words that the driver's screen can show without a network: capitals of the font's Latin part, digits and
 * some signs, with at least one letter or digit. No question mark: asking a word adds one.
 */
export const shownLetters =
  /^(?=.*[0-9A-Z\u00c0-\u00d6\u00d8-\u00de\u0152])[0-9A-Z\u00c0-\u00d6\u00d8-\u00de\u0152 !#%&'()*+,./:=-]*$/

/** Returns the form in which a word is stored and shown: capitals, accents composed, single spaces. */
export function wordOf(typed: string): string {
  return typed.toUpperCase().normalize('NFC').replace(/\s+/gu, ' ').trim()
}

/** Returns the form in which words are compared: without spaces. */
function comparable(word: string): string {
  return wordOf(word).replaceAll(' ', '')
}

/** True if the app itself uses the word. */
export function isReserved(word: string): boolean {
  return reserved.includes(comparable(word))
}

export type WordRefusal = 'missing' | 'word-too-long' | 'word-letters' | 'word-reserved'

/** Returns why a word, in the form of `wordOf`, is refused; null if it is accepted. */
export function whyNotWord(word: string): WordRefusal | null {
  if (word === '') return 'missing'
  if (word.length > maxWordLetters) return 'word-too-long'
  if (!shownLetters.test(word)) return 'word-letters'
  return isReserved(word) ? 'word-reserved' : null
}
