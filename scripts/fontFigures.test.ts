import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { fontFigures } from './fontFigures.mjs'

const css = readFileSync('web/ui/board/tones.module.css', 'utf8')

test.each(messageTypes)('the font figures of %s follow from the font', word => {
  const rule = new RegExp(`data-tone="${word.toLowerCase()}"\\] \\{([^}]+)\\}`).exec(css)?.[1] ?? ''
  const figure = (name: string) => Number(new RegExp(`--${name}: ([-\\d.]+)`).exec(rule)?.[1])
  for (const [place, { width, size, offset }] of Object.entries(fontFigures(word))) {
    expect(figure(`${place}-wdth`)).toBe(width)
    expect(figure(`${place}-em`)).toBeCloseTo(size, 1)
    expect(figure(`${place}-nx`)).toBeCloseTo(offset, 2)
  }
})
