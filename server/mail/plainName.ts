import { addressInWord, withoutPhone } from '#contract/shared/contactDetails.ts'
import { withoutInvisible } from '#contract/text.ts'

/**
 * Sanitises a typed name for a mail, so that no mail client turns part of it into a link. Phone numbers and words with an
 * email or web address are removed, which names stored earlier may contain; a word that only looks like a host
 * ("St.Pierre") gets a space after the dot. Returns `otherwise` if nothing is left.
 */
export function plainName(name: string, otherwise: string): string {
  // Compatibility forms first: programs read a fullwidth dot as a dot.
  const text = withoutInvisible(name.normalize('NFKC').replace(breaking, ' '))
  const words = withoutInvisible(withoutPhone(text)).split(' ')
  const harmless = words
    .filter(word => !addressInWord.test(word))
    .map(word => word.replace(hostDot, '$& '))
  return harmless.join(' ') || otherwise
}

/** Line breaks, control characters, and characters that change the direction of the text. */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/** A dot before a possible top-level domain; ideographic dots count as dots in hosts. */
const hostDot = /[.。](?=\p{L})/gu
