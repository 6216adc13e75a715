import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** A television of 43 inches with 1920 pixels across, read from 3 m. */
const pixelMm = 0.496
const distanceMm = 3000
/** Height of capitals and figures, as a share of the font size. */
const capHeight = 0.686

const css = readFileSync(join(import.meta.dirname, 'wallSizes.module.css'), 'utf8')

function fontPx(density: string, name: string): number {
  const [, block = ''] =
    new RegExp(`\\[data-big\\]\\[data-density="${density}"\\] \\{([^}]*)\\}`).exec(css) ?? []
  return Number(new RegExp(`--lane-${name}: calc\\((\\d+) `).exec(block)?.[1])
}

function arcMinutes(px: number): number {
  return (Math.atan((px * pixelMm * capHeight) / distanceMm) * 180 * 60) / Math.PI
}

test.each([
  { density: 'one', name: 'last', least: 20 },
  { density: 'one', name: 'value', least: 20 },
  { density: 'few', name: 'last', least: 20 },
  { density: 'few', name: 'value', least: 20 },
  { density: 'few', name: 'word', least: 20 },
  // With eight cars there is no room for more: still three times the resolution of a sharp eye.
  { density: 'many', name: 'last', least: 14.5 },
  { density: 'many', name: 'word', least: 14.5 },
  { density: 'many', name: 'pair', least: 14.5 },
  { density: 'many', name: 'value', least: 14.5 },
])('with $density cars $name is readable from 3 m', ({ density, name, least }) => {
  expect(arcMinutes(fontPx(density, name))).toBeGreaterThanOrEqual(least)
})
