import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Every declaration of every style sheet, except tokens.css, which defines the values, fonts.css, which declares the
 * ranges of the font, and the window of a support call, a separate document that the app's styles do not reach.
 */
const declarations = filesOf('.css')
  .filter(file => !/(tokens|fonts)\.css$/.test(file) && !file.includes('public/support'))
  .flatMap(declarationsIn)

test('style sheets are found', () => {
  expect(declarations.length).toBeGreaterThan(800)
})

test('colours are named in tokens.css', () => {
  const colour = /#[\da-f]{3,8}\b|\b(rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(|\b(black|white)\b/i
  const literal = declarations.filter(({ value }) => colour.test(value.replace(/--[\w-]+/g, '')))
  expect(literal.map(show)).toEqual([])
})

test('font sizes, weights and widths are named in tokens.css', () => {
  const type = declarations.filter(({ property }) =>
    /^font(-size|-weight|-stretch)?$/.test(property),
  )
  // Sizes relative to the container (cqw, cqh) are proportions.
  const literal = type.filter(({ value }) =>
    /(?<![\w-])[\d.]+(px|rem|em|pt|%)?(?![\w.])/.test(value),
  )
  expect(literal.map(show)).toEqual([])
})

test('font shorthands have no variables, which a support agent would not receive', () => {
  const shorthand = declarations.filter(
    ({ property, value }) => property === 'font' && /var\(/.test(value),
  )
  expect(shorthand.map(show)).toEqual([])
})

test('padding, margins and gaps are named in tokens.css', () => {
  const space = declarations.filter(({ property }) =>
    /^(padding|margin|(row-|column-)?gap)/.test(property),
  )
  const literal = space.filter(({ value }) => /[\d.]+(px|rem|pt)\b/.test(value))
  expect(literal.map(show)).toEqual([])
})

test('every token that a style sheet uses exists', () => {
  const named = new Set(
    filesOf('.css')
      .flatMap(declarationsIn)
      .map(({ property }) => property),
  )
  // Base UI sets this one on the positioner of a menu.
  named.add('--available-height')
  // Some tokens are set as inline styles.
  for (const file of filesOf('.tsx')) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/'(--[\w-]+)'/g))
      named.add(name)
  }
  const missing = declarations.filter(({ value }) =>
    [...value.matchAll(/var\((--[\w-]+)/g)].some(([, name]) => !named.has(name ?? '')),
  )
  expect(missing.map(show)).toEqual([])
})

interface Declaration {
  file: string
  property: string
  value: string
}

function filesOf(ending: string): string[] {
  return readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(ending))
    .map(name => join('web', name))
}

function declarationsIn(file: string): Declaration[] {
  const rules = readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '')
  return [...rules.matchAll(/(?<=[{;]\s*)([a-z-]+|--[\w-]+):\s*([^;{}]+);/g)].map(
    ([, property = '', value = '']) => ({ file, property, value }),
  )
}

function show({ file, property, value }: Declaration): string {
  return `${file}: ${property}: ${value}`
}
