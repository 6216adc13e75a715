// Object ids of types in PostgreSQL's catalogue; they never change.
export const bytea = 17
const int8 = 20
const int8Array = 1016
const timestamp = 1114
const timestampWithZone = 1184
const numeric = 1700

/**
 * Parsers for the types that the two engines would otherwise return differently, and for times, of which a page has
 * thousands: the parser of `pg` takes five times as long.
 */
export const columnParsers: Record<number, (text: string) => unknown> = {
  [int8]: Number,
  [numeric]: Number,
  [bytea]: text => Buffer.from(text.slice(2), 'hex'),
  [timestampWithZone]: text => new Date(text),
  [timestamp]: text => new Date(`${text.replace(' ', 'T')}Z`),
  [int8Array]: text => JSON.parse(`[${text.slice(1, -1).toLowerCase()}]`),
}
