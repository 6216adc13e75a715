import { z } from 'zod'
import { maxNameLetters } from './shared/bounds.ts'
import { hasContactDetails } from './shared/contactDetails.ts'
import type { RefusalDetail } from './shared/refusalDetails.ts'

/** Characters that change the direction of the text around them. */
const bidiControl = '\\u202a-\\u202e\\u2066-\\u2069'
/** Characters drawn as nothing, although Unicode does not classify them as ignorable. */
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

/** Ignorable characters that are kept: they change how their neighbours are drawn, or are refused later. */
const kept = [
  `(?<=${joining})[\\u200c\\u200d](?=${joining})`,
  '(?<=\\p{Extended_Pictographic}\\ufe0f?|\\p{Emoji_Modifier})\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  // Keycap digits.
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // Variants of Han characters, as in Japanese names.
  '(?<=\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]',
  `[${bidiControl}]`,
]
const invisible = new RegExp(`(?!${kept.join('|')})\\p{Default_Ignorable_Code_Point}`, 'gu')

/** Spaces of every width, and the blank Braille cell. */
const blanks = /[\p{Zs}\u2800]+/gu

/**
 * Normalises texts that look the same to one form: composes accents, collapses runs of blanks to one space,
 * and removes invisible characters, so that nobody can impersonate another with an invisible difference.
 */
export function withoutInvisible(text: string): string {
  // Composed last: a removed character may have kept a letter and its accent apart.
  return text.replace(invisible, '').replace(blanks, ' ').normalize('NFC').trim()
}

/** Typed characters, visible or not: more are refused before anything else. */
const maxTypedLetters = 1000

/**
 * A line of typed text, in the form of `withoutInvisible`, 1 to 80 characters. Control characters, line
 * separators, lone surrogates, bidirectional controls and stacks of marks are refused.
 */
export const LineOfText = z
  .string()
  // Normalising takes as long as the text is.
  .max(maxTypedLetters, { error: refusalDetail('too-long'), abort: true })
  .overwrite(withoutInvisible)
  .min(1, refusalDetail('missing'))
  .max(maxNameLetters, refusalDetail('too-long'))
  .regex(printable, refusalDetail('not-printable'))

/** A name that goes out in mails. Phone numbers and addresses are refused. */
export const MailedName = LineOfText.refine(
  name => !hasContactDetails(name),
  refusalDetail('name-contact'),
)

/** No NUL, which PostgreSQL cannot store, and no lone surrogate, which UTF-8 cannot encode. */
const storable = /^[^\0\p{Cs}]*$/u

/** Typed text of several lines, trimmed. It is displayed as text, never as HTML. */
export const LinesOfText = z
  .string()
  .trim()
  .max(4000, refusalDetail('too-long'))
  .regex(storable, refusalDetail('not-printable'))

/** Type-checks the error message of a schema: the refusal detail of an invalid field. */
/** A code as typed, from a mail or a screen: also with spaces, dashes or small letters. */
export const TypedCode = z
  .string()
  .trim()
  .min(1, refusalDetail('missing'))
  .max(32, refusalDetail('too-long'))
  .regex(/^\P{C}*$/u, refusalDetail('not-valid'))

export function refusalDetail(detail: RefusalDetail): RefusalDetail {
  return detail
}
