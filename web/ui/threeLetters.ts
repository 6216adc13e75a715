/**
 * The three letters of a plate, as on timing screens: the first three letters of a name, upper-cased
 * as its locale does it. Marks and spaces do not count; a shorter name gives what it has.
 */
export function threeLetters(name: string, locale?: string): string {
  const letters = name.normalize('NFC').match(/[\p{L}\p{N}]\p{M}*/gu) ?? []
  return letters.slice(0, 3).join('').toLocaleUpperCase(locale)
}
