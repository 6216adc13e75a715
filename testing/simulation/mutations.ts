/** Rules that are broken on purpose, to prove that the invariants notice. */
export const mutations = [
  /** The network swallows the receipts of painted words. */
  'swallow-shown',
  /** A page reports words before they are painted. */
  'report-unpainted',
  /** The stranger has access that nobody gave. */
  'admit-stranger',
  /** An acknowledged message disappears from the database. */
  'lose-message',
] as const

export type Mutation = (typeof mutations)[number]
