/** What a bench measured: plain numbers, units in their names. */
export type Figures = Record<string, number | string>

/** Throws where there is nothing to report, or a figure is no number. */
export function requireFigures(figures: Figures): Figures {
  const entries = Object.entries(figures)
  if (entries.length === 0) throw new Error('The bench measured nothing')
  for (const [name, value] of entries) {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${name} is ${value}`)
  }
  return figures
}
