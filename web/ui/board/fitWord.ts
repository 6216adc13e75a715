/** Range of the font's width axis in percent, as in scripts/font/fontFigures.mjs. */
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
  // A font without the width axis, such as for another alphabet, cannot become narrower.
  const tooWide = (measureEm(widthPercent) * sizePx) / widthPx
  return { sizePx: tooWide > 1 ? sizePx / tooWide : sizePx, widthPercent }
}

/** Distance of two lines, in em. `FittedWord` sets it. */
export const lineEm = 0.92

/** Two lines are harder to read than one: they are used only if larger by this factor. */
const worthBreaking = 1.4

/**
 * Fits a text of several words in one line, or in a line for each word if that makes it much larger. `measureEm` also
 * receives whether the text is broken.
 */
export function fitLines(
  { widthPx, heightPx }: Stage,
  lines: number,
  measureEm: (widthPercent: number, isBroken: boolean) => number,
): Fit & { readonly isBroken: boolean } {
  const one = fitWord({ widthPx, heightPx }, percent => measureEm(percent, false))
  if (lines === 1) return { ...one, isBroken: false }
  const lineHeightPx = (heightPx * inkHeightEm) / ((lines - 1) * lineEm + inkHeightEm)
  const broken = fitWord({ widthPx, heightPx: lineHeightPx }, percent => measureEm(percent, true))
  const isBroken = broken.sizePx > one.sizePx * worthBreaking
  return { ...(isBroken ? broken : one), isBroken }
}
