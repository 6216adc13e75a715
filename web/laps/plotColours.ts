/** Lines of compared sessions differ by dashes, and by colours. */
export const comparedDashes: readonly (readonly number[])[] = [
  [9, 4],
  [3, 3],
  [9, 3, 3, 3],
]

export interface PlotColours {
  ink: string
  label: string
  grid: string
  best: string
  pit: string
  yellow: string
  compared: readonly string[]
  /** A font family list, for canvas text. */
  font: string
}

/** Reads the tokens of the current theme: a canvas has no style sheet. */
export function readColours(element: HTMLElement): PlotColours {
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    ink: token('--ink'),
    label: token('--ink-2'),
    grid: token('--line'),
    best: token('--page-best'),
    pit: token('--chart-pit'),
    yellow: token('--chart-yellow'),
    compared: [token('--compared-1'), token('--compared-2'), token('--compared-3')],
    font: style.fontFamily,
  }
}
