/** On the wall: what race control shows of the chosen car, entered by hand. */
export const handLetters = { flag: 'W', position: 'R', gap: 'B', laps: 'N' } as const
export type HandField = keyof typeof handLetters

/** Returns the value that a letter enters by hand; undefined for none. */
export function handFieldOf(letter: string): HandField | undefined {
  const fields = Object.keys(handLetters) as HandField[]
  return fields.find(field => handLetters[field] === letter)
}
