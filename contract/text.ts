import { z } from 'zod'
import type { RefusalDetail } from './refusalSentences.ts'

/** What changes the direction of the text around it. */
const bidiControl = '\\u202a-\\u202e\\u2066-\\u2069'
/** Drawn as nothing, although Unicode calls none of them ignorable. */
const blankGlyph = '\\ufff9-\\ufffc\\u{1d159}\\u{13441}\\u{13442}\\u{16fe4}'
/** Longer stacks of marks on one letter cover the lines around them. */
const maxMarksPerLetter = 4

const printable = new RegExp(
  `^(?!\\p{M})(?!.*[\\p{Mn}\\p{Me}]{${maxMarksPerLetter + 1}})` +
    `[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}${bidiControl}${blankGlyph}]*$`,
  'su',
)

/** Scripts in which a joiner between two letters changes how both are drawn. */
const joiningScripts = [
  'Arabic',
  'Bengali',
  'Devanagari',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Khmer',
  'Malayalam',
  'Mongolian',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Syriac',
  'Tamil',
  'Telugu',
]
const joining = `(?!\\p{Default_Ignorable_Code_Point})[${joiningScripts.map(script => `\\p{Script=${script}}`).join('')}]`

/** Ignorable characters that stay: they change how their neighbours are drawn, or are refused later. */
const kept = [
  `(?<=${joining})[\\u200c\\u200d](?=${joining})`,
  '(?<=\\p{Extended_Pictographic}\\ufe0f?|\\p{Emoji_Modifier})\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  // The digit on a keycap.
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // Forms of Han characters, as in Japanese names.
  '(?<=\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]',
  `[${bidiControl}]`,
]
const invisible = new RegExp(`(?!${kept.join('|')})\\p{Default_Ignorable_Code_Point}`, 'gu')

/** Spaces of every width, and the Braille cell without dots. */
const blanks = /[\p{Zs}\u2800]+/gu

/**
 * Gives texts that look the same one form: composes accents, turns runs of blanks into one space, and
 * removes characters that draw nothing, so that nobody can take another's name with an invisible difference.
 */
export function withoutInvisible(text: string): string {
  // Composed last: a removed character may have kept a letter and its accent apart.
  return text.replace(invisible, '').replace(blanks, ' ').normalize('NFC').trim()
}

/**
 * A line of text a person typed, in the form of `withoutInvisible`, 1 to 80 characters. Control characters,
 * line separators, halves of a character, bidirectional controls and stacks of marks are refused.
 */
export const LineOfText = z
  .string()
  .overwrite(withoutInvisible)
  .min(1, said('missing'))
  .max(80, said('too-long'))
  .regex(printable, said('not-printable'))

/** No NUL, which PostgreSQL does not store, and no half of a surrogate pair, which UTF-8 cannot express. */
const storable = /^[^\0\p{Cs}]*$/u

/** Text of several lines that a person typed, trimmed. It is shown as it is, never as HTML. */
export const LinesOfText = z
  .string()
  .trim()
  .max(4000, said('too-long'))
  .regex(storable, said('not-printable'))

/** What a schema says of a field that is not as it wants it. */
export function said(detail: RefusalDetail): RefusalDetail {
  return detail
}
