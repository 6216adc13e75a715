import { expect, test } from 'vitest'
import { offeredVoices, spokenLanguage, spokenLapTime, spokenWord } from './spokenForms.ts'

const voices = [
  { voiceURI: 'a', lang: 'pl-PL' },
  { voiceURI: 'b', lang: 'en-GB' },
  { voiceURI: 'c', lang: 'de_DE' },
]

test('codes are read as words, in every language', () => {
  expect(spokenWord('FCY', 'en')).toBe('full course yellow')
  expect(spokenWord('SC', 'de')).toBe('safety car')
  expect(spokenWord('Code 60', 'fr')).toBe('code 60')
  expect(spokenWord('Pit', 'de')).toBe('Box, Box')
})

test('an own word is spoken in lower case, so that no voice spells it out', () => {
  expect(spokenWord('RAIN TYRES', 'de')).toBe('rain tyres')
})

test.each([
  ['1:52.4', 'en', '1 52 point 4'],
  ['1:05.0', 'en', '1 0 5 point 0'],
  ['2:00.3', 'de', '2 0 0 Komma 3'],
  ['0:58.1', 'fr', '58 virgule 1'],
  ['~1:52', 'en', '1 52'],
  ['--', 'en', null],
  ['1:02:03.4', 'en', null],
])('the lap time %s is read in %s as %s', (shown, lang, read) => {
  expect(spokenLapTime(shown, lang)).toBe(read)
})

test('voices are offered whose words are known, those of the phone first', () => {
  expect(offeredVoices(voices, ['de-CH']).map(({ voiceURI }) => voiceURI)).toEqual(['c', 'b'])
})

test('texts are in the language of the chosen voice, else of the phone, else English', () => {
  expect(spokenLanguage(voices, 'c', ['en'])).toBe('de')
  expect(spokenLanguage(voices, null, ['pl', 'nl-BE'])).toBe('nl')
  expect(spokenLanguage(voices, null, ['ja'])).toBe('en')
})
