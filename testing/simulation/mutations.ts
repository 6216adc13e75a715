/** Rules broken on purpose, to prove that the invariants detect it. */
export const mutations = [
  /** The network drops the receipts of painted messages. */
  'swallow-shown',
  /** A page reports messages before they are painted. */
  'report-unpainted',
  /** A non-member is a member of the team. */
  'admit-stranger',
  /** A member whose departure is confirmed stays in the team. */
  'keep-former-member',
  /** An acknowledged message disappears from the database. */
  'lose-message',
  /** A server whose start failed keeps its connection to the bus. */
  'keep-failed-server',
] as const

export type Mutation = (typeof mutations)[number]
