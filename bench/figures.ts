/** Figures of a bench: plain numbers, with units in their names. */
export type Figures = Record<string, number | string>

/** Throws if there are no figures, or one is not a number. */
export function requireFigures(figures: Figures): Figures {
  const entries = Object.entries(figures)
  if (entries.length === 0) throw new Error('The bench measured nothing')
  for (const [name, value] of entries) {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${name} is ${value}`)
  }
  return figures
}
