/** Providers that ignore dots in the local part. */
const ignoringDots = new Set(['gmail.com', 'googlemail.com'])

/**
 * Returns the mailbox that an e-mail address most likely delivers to, only for rate limits: most providers deliver
 * `name+tag@` to `name@`, and Gmail ignores dots. Where a provider does neither, two people share a count.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const [name = ''] = email.slice(0, at).toLowerCase().split('+')
  const domain = email.slice(at + 1).toLowerCase()
  if (!ignoringDots.has(domain)) return `${name}@${domain}`
  return `${name.replaceAll('.', '')}@gmail.com`
}
