/** Figures of a word in portrait (p), in landscape (l) and on the team's board (t). */
export function fontFigures(
  word: string,
): Record<'p' | 'l' | 't', { width: number; size: number; offset: number }>
export function isInFont(character: string): boolean
