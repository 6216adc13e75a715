/** Providers that ignore dots in the part before the @. */
const ignoringDots = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox an address most likely leads to, for counting mails only: `name+tag@` is delivered to `name@`
 * by most providers, and Gmail ignores dots. Where a provider does neither, two people share a count.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const [name = ''] = email.slice(0, at).toLowerCase().split('+')
  const domain = email.slice(at + 1).toLowerCase()
  if (!ignoringDots.has(domain)) return `${name}@${domain}`
  return `${name.replaceAll('.', '')}@gmail.com`
}
