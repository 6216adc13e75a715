/**
 * The letters of a plate, as on timing screens: the first three letters of a name, upper-cased by the
 * rules of the locale. Punctuation and spaces are skipped; a shorter name gives fewer letters.
 */
export function threeLetters(name: string, locale?: string): string {
  const letters = name.normalize('NFC').match(/[\p{L}\p{N}]\p{M}*/gu) ?? []
  return letters.slice(0, 3).join('').toLocaleUpperCase(locale)
}
