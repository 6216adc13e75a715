import { withoutInvisible } from '#contract/text.ts'

/**
 * A name that people typed, for use in a mail: nothing in it is an address that a mail program would turn
 * into a link. Words with an e-mail or web address are left out; what only looks like a host ("St.Pierre")
 * gets a space after the dot. Answers `otherwise` if nothing is left.
 */
export function plainName(name: string, otherwise: string): string {
  // Compatibility forms first: programs read a fullwidth dot as a dot.
  const words = withoutInvisible(name.normalize('NFKC').replace(breaking, ' ')).split(' ')
  const harmless = words
    .filter(word => !address.test(word))
    .map(word => word.replace(hostDot, '$& '))
  return harmless.join(' ') || otherwise
}

/** Line breaks, controls, and what turns the direction of the text. */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/** `https://…`, `mailto:…`, `www.…`, `name@host`, `\\server`, as any part of a word. */
const address =
  /:[\\/]|www[.。]|\S@\S|\\\\|\/\/|(?:mailto|tel|sms|data|javascript|callto|skype|xmpp|file):/iu

/** A dot before what could be a top-level domain; ideographic ones count as dots in hosts. */
const hostDot = /[.。](?=\p{L})/gu
