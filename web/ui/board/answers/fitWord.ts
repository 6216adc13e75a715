/** Range of the font's width axis in percent, as in scripts/fontFigures.mjs. */
const narrowest = 62
const widest = 108

/** Height of a capital letter with its outline and the curve of a round one, in em. */
const inkHeightEm = 0.8

interface Stage {
  readonly widthPx: number
  readonly heightPx: number
}

interface Fit {
  readonly sizePx: number
  /** Width of the letters, in percent. */
  readonly widthPercent: number
}

/**
 * Fits a word into a stage: first as high as it allows, then as wide. The width of a text grows nearly linearly along
 * the font's width axis, so two measurements are enough; the result is never wider than the stage.
 */
export function fitWord(
  { widthPx, heightPx }: Stage,
  measureEm: (widthPercent: number) => number,
): Fit {
  const narrowEm = measureEm(narrowest)
  const wideEm = measureEm(widest)
  const sizePx = Math.min(heightPx / inkHeightEm, widthPx / narrowEm)
  const freeEm = widthPx / sizePx - narrowEm
  const share = wideEm > narrowEm ? Math.min(1, Math.max(0, freeEm / (wideEm - narrowEm))) : 0
  const widthPercent = Math.floor(narrowest + share * (widest - narrowest))
  // A font without the axis, such as for another alphabet, is as wide as it is.
  const tooWide = (measureEm(widthPercent) * sizePx) / widthPx
  return { sizePx: tooWide > 1 ? sizePx / tooWide : sizePx, widthPercent }
}
