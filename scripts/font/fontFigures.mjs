// npm run word -- WORD…: prints the font figures of words for web/ui/board/tones.module.css.
import { readCommandLine, refuseCommandLine } from '../commandLine.mjs'
import { openFont } from './openFont.mjs'

const fontFile =
  'node_modules/@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2'

/** Weight of board words: `--w-board` in web/ui/theme/tokens.css. */
const weight = 640
/** `letter-spacing` and `-webkit-text-stroke` of a word in web/ui/board/Word.module.css, in em. */
const spacing = 0.045
const stroke = 0.045

/** Range of the font's width axis, in percent. Wider letters than these look stretched. */
const widths = { min: 62, max: 108 }

/**
 * For each place, in percent of the container's width (cqw): the width that the ink fills, and the largest font
 * size, above which a word would be too high. `web/ui/board/Word.module.css` limits the height again, for screens of
 * other proportions: on a phone of 844 × 390, the 39.34cqw of `l` equal its 85.2cqh. Change both.
 */
const places = {
  p: { fill: 92.85, largest: 61.54 },
  l: { fill: 91.45, largest: 39.34 },
  t: { fill: 90.36, largest: 60.75 },
}

const font = await openFont(fontFile)
const em = font.unitsPerEm

/**
 * Returns the figures of a word for each place: width (percent of the font's width axis), size (cqw), and the
 * offset that centres the ink (em). Short words grow wide, long ones tall.
 */
export function fontFigures(word) {
  return Object.fromEntries(
    Object.entries(places).map(([place, { fill, largest }]) => {
      let width = widths.max
      while (width > widths.min && inkOf(word, width).wide * largest > fill) width -= 1
      const { wide, offset } = inkOf(word, width)
      return [place, { width, size: Math.min(largest, fill / wide), offset }]
    }),
  )
}

/** True if the part of the font that is stored on the phone has this character. */
export function isInFont(character) {
  return font.hasGlyphForCodePoint(character.codePointAt(0))
}

/** Measures the ink of a word with its outline, in em. */
function inkOf(word, width) {
  const { glyphs, positions } = font
    .getVariation({ wght: weight, wdth: width })
    .layout(word.toUpperCase())
  let x = 0
  let left = Number.POSITIVE_INFINITY
  let right = Number.NEGATIVE_INFINITY
  for (const [index, { path }] of glyphs.entries()) {
    left = Math.min(left, x + path.bbox.minX)
    right = Math.max(right, x + path.bbox.maxX)
    x += positions[index].xAdvance + spacing * em
  }
  return { wide: (right - left) / em + stroke, offset: (x - right - left) / 2 / em }
}

if (process.argv[1] === import.meta.filename) {
  const usage = 'npm run word -- WORD…'
  const most = Number.POSITIVE_INFINITY
  const { words } = readCommandLine({ usage, leastWords: 1, mostWords: most })
  const unknown = words.find(word => word === '' || !Array.from(word).every(isInFont))
  if (unknown !== undefined) refuseCommandLine(`The font cannot show '${unknown}'.`, usage)
  for (const word of words) {
    console.log(`.toned[data-tone="${word.toLowerCase()}"] {`)
    for (const [place, { width, size, offset }] of Object.entries(fontFigures(word)))
      console.log(
        `  --${place}-wdth: ${width}%;\n  --${place}-em: ${size.toFixed(2)};\n  --${place}-nx: ${offset.toFixed(4)};`,
      )
    console.log('}')
  }
}
