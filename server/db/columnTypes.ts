// Object ids of types in the catalogue of PostgreSQL; they never change.
const BYTEA = 17
const INT8 = 20
const INT8_ARRAY = 1016
const TIMESTAMP = 1114
const NUMERIC = 1700

/** How both engines read types that they would otherwise read differently. */
export const columnParsers: Record<number, (text: string) => unknown> = {
  [INT8]: Number,
  [NUMERIC]: Number,
  [BYTEA]: text => Buffer.from(text.slice(2), 'hex'),
  [TIMESTAMP]: text => new Date(`${text.replace(' ', 'T')}Z`),
  [INT8_ARRAY]: text => JSON.parse(`[${text.slice(1, -1).toLowerCase()}]`),
}
